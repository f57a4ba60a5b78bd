import type { Clock, TimerHandle } from '../ports/clock.ts';
import type { RetryDeps } from './retry.ts';
import type { Chance, RetryPolicy } from './retry-policy.ts';

/**
 * Retries for work that can also be prompted by other events meanwhile, and so cannot sit in the loop of `retry`: a
 * mailbox, say. The waits grow as the policy says until {@link RetryTimer.reset}.
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

  /** A try has failed: another one follows, unless the policy gives up. Replaces the wait that is armed. */
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

  /** A try has succeeded, or none is wanted any more. */
  reset(): void {
    this.#failures = 0;
    this.#clear();
  }

  #clear(): void {
    if (this.#timer !== undefined) this.#clock.clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
