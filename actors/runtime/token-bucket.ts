import type { Clock, TimerHandle } from '../ports/clock.ts';

const tickMs = 100;

/**
 * A token bucket. From {@link begin} on it runs up to `perSecond` items at once, and then as many each second, in the given
 * order.
 */
export class TokenBucket<T> {
  readonly #clock: Clock;
  readonly #perSecond: number;
  readonly #run: (item: T) => void;
  #waiting: T[] = [];
  #timer: TimerHandle | undefined;
  /** Items that may run now; refilled with time. */
  #allowance: number;
  #countedAt: number;
  #hasBegun = false;

  constructor(clock: Clock, perSecond: number, run: (item: T) => void) {
    this.#clock = clock;
    this.#perSecond = perSecond;
    this.#run = run;
    this.#allowance = perSecond;
    this.#countedAt = clock.elapsed();
  }

  add(item: T): void {
    this.#waiting.push(item);
    if (this.#hasBegun && this.#timer === undefined) this.#runSome();
  }

  begin(): void {
    this.#hasBegun = true;
    this.#runSome();
  }

  /** Drops the waiting items. */
  stop(): void {
    this.#hasBegun = false;
    this.#waiting = [];
    if (this.#timer !== undefined) this.#clock.clearTimeout(this.#timer);
  }

  #runSome(): void {
    const now = this.#clock.elapsed();
    const grown = ((now - this.#countedAt) * this.#perSecond) / 1000;
    this.#allowance = Math.min(this.#perSecond, this.#allowance + grown);
    this.#countedAt = now;
    const due = this.#waiting.splice(0, Math.floor(this.#allowance));
    this.#allowance -= due.length;
    if (this.#waiting.length > 0) {
      this.#timer = this.#clock.setTimeout(() => {
        this.#timer = undefined;
        this.#runSome();
      }, tickMs);
    }
    for (const item of due) this.#run(item);
  }
}
