import type { Clock, TimerHandle } from '../ports/clock.ts';
import type { RetryDeps } from './retry.ts';
import type { Chance, RetryPolicy } from './retry-policy.ts';

/**
 * A timer for retries of work that other events can also trigger, such as a mailbox, so that the loop of `retry` does
 * not fit. The waits grow by the policy until {@link RetryTimer.reset}.
 */
export class RetryTimer {
  readonly #clock: Clock;
  readonly #random: Chance;
  readonly #policy: RetryPolicy;
  readonly #tryAgain: () => void;
  #failures = 0;
  #timer: TimerHandle | undefined;

  constructor({ clock, random }: RetryDeps, policy: RetryPolicy, tryAgain: () => void) {
    this.#clock = clock;
    this.#random = random;
    this.#policy = policy;
    this.#tryAgain = tryAgain;
  }

  /** An attempt failed: another one follows, unless the policy gives up. Replaces the armed wait. */
  arm(): void {
    this.#clear();
    this.#failures += 1;
    const delayMs = this.#policy.delayMs(this.#failures, this.#random);
    if (delayMs === undefined) return;
    this.#timer = this.#clock.setTimeout(() => {
      this.#timer = undefined;
      this.#tryAgain();
    }, delayMs);
  }

  /** An attempt succeeded, or none is wanted any more. */
  reset(): void {
    this.#failures = 0;
    this.#clear();
  }

  #clear(): void {
    // Stryker disable next-line ConditionalExpression: no timer can be cleared too
    if (this.#timer !== undefined) this.#clock.clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
