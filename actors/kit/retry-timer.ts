import type { Clock, TimerHandle } from '../ports/clock.ts';

/** After a store has gone away: how soon to try again what must be recorded in any case. */
const firstRetryMs = 1_000;
const longestRetryMs = 30_000;

/** Has something tried again: after a second, and after twice as long each time, until it is forgotten. */
export class RetryTimer {
  readonly #clock: Clock;
  readonly #tryAgain: () => void;
  #armed: { delayMs: number; timer: TimerHandle } | undefined;

  constructor(clock: Clock, tryAgain: () => void) {
    this.#clock = clock;
    this.#tryAgain = tryAgain;
  }

  arm(): void {
    const delayMs = this.#armed === undefined ? firstRetryMs : Math.min(this.#armed.delayMs * 2, longestRetryMs);
    if (this.#armed !== undefined) this.#clock.clearTimeout(this.#armed.timer);
    this.#armed = { delayMs, timer: this.#clock.setTimeout(this.#tryAgain, delayMs) };
  }

  /** It has worked, or is wanted no more. */
  forget(): void {
    if (this.#armed === undefined) return;
    this.#clock.clearTimeout(this.#armed.timer);
    this.#armed = undefined;
  }
}
