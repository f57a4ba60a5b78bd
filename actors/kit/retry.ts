import type { Clock } from '../ports/clock.ts';
import type { LightAbortSignal } from './light-abort.ts';
import type { Chance, RetryPolicy } from './retry-policy.ts';
import { isRetryable, retryAfterMsOf } from './retryable.ts';
import { sleep } from './sleep.ts';

export interface RetryDeps {
  clock: Clock;
  random: Chance;
}

/** Called before each wait: for the log. `failures` are the tries in a row that have failed, from 1. */
export type OnRetry = (error: unknown, failures: number, delayMs: number) => void;

/**
 * Repeats the work until it succeeds, waiting between the tries as the policy says, or longer if the error asks for it
 * ({@link retryAfterMsOf}).
 * @param signal ends the tries and the waits
 * @throws an error that is not retryable ({@link isRetryable}), or the last error when the policy gives up
 * @throws the signal's reason
 */
export async function retry<T>(
  { clock, random }: RetryDeps,
  policy: RetryPolicy,
  work: () => Promise<T>,
  signal: LightAbortSignal,
  onRetry?: OnRetry,
): Promise<T> {
  for (let failures = 1; ; failures++) {
    signal.throwIfAborted();
    let delayMs: number | undefined;
    try {
      return await work();
    } catch (error) {
      signal.throwIfAborted();
      delayMs = isRetryable(error) ? policy.delayMs(failures, random) : undefined;
      if (delayMs === undefined) throw error;
      delayMs = Math.max(delayMs, retryAfterMsOf(error));
      onRetry?.(error, failures, delayMs);
    }
    await sleep(clock, delayMs, signal);
  }
}
