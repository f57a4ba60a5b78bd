import type { Clock, TimerHandle } from '../ports/clock.ts';
import { nextDeadline } from '../session/deadlines.ts';
import type { Deadline } from '../session/events.ts';

/** The single timer of a session, set to the earliest of its recorded deadlines. */
export class DeadlineTimer {
  readonly #clock: Clock;
  readonly #onDue: (deadline: Deadline) => void;
  #armed: { deadline: Deadline; timer: TimerHandle } | undefined;

  constructor(clock: Clock, onDue: (deadline: Deadline) => void) {
    this.#clock = clock;
    this.#onDue = onDue;
  }

  /** Keeps the timer of a deadline that is already armed. A deadline that has passed fires at once. */
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
