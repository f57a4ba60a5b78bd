import type { Clock, TimerHandle } from '../ports/clock.ts';
import { nextDeadline } from '../session/deadlines.ts';
import type { Deadline } from '../session/events.ts';

/** The one timer of a session: set to the deadline that comes first among those recorded. */
export class DeadlineTimer {
  readonly #clock: Clock;
  readonly #onDue: (deadline: Deadline) => void;
  #armed: { deadline: Deadline; timer: TimerHandle } | undefined;

  constructor(clock: Clock, onDue: (deadline: Deadline) => void) {
    this.#clock = clock;
    this.#onDue = onDue;
  }

  /** A deadline that stands already is left as it is; one that has passed comes at once. */
  arm(deadlines: readonly Deadline[]): void {
    const next = nextDeadline(deadlines);
    const armed = this.#armed?.deadline;
    if (next?.dueAt === armed?.dueAt && next?.fact === armed?.fact) return;
    this.clear();
    if (next === undefined) return;
    const timer = this.#clock.setTimeout(() => {
      this.#armed = undefined;
      this.#onDue(next);
    }, next.dueAt - this.#clock.now());
    this.#armed = { deadline: next, timer };
  }

  clear(): void {
    if (this.#armed === undefined) return;
    this.#clock.clearTimeout(this.#armed.timer);
    this.#armed = undefined;
  }
}
