import type { Randomness } from '../ports/clock.ts';

export type Chance = Pick<Randomness, 'fraction'>;

/** The waits between the attempts of one piece of work, and when to give up. */
export interface RetryPolicy {
  /**
   * Milliseconds until the next try, or undefined to give up.
   * @param failures tries in a row that have failed, from 1
   */
  delayMs(failures: number, random: Chance): number | undefined;
}

/** A policy that never gives up. */
export interface EndlessRetryPolicy extends RetryPolicy {
  delayMs(failures: number, random: Chance): number;
}

/** Milliseconds: doubled with each failure, up to a maximum. @param failures in a row, from 1 */
export const doubledMs = (firstMs: number, maxMs: number, failures: number): number =>
  Math.min(maxMs, firstMs * 2 ** Math.min(failures - 1, 30));

/**
 * Doubles from `firstMs` to `maxMs`, without end. Each wait is drawn from the upper half ("equal jitter",
 * https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/), so that sessions that failed together do not
 * come back together.
 */
export function exponentialBackoff(firstMs: number, maxMs: number): EndlessRetryPolicy {
  return { delayMs: (failures, random) => doubledMs(firstMs, maxMs, failures) * (0.5 + random.fraction() / 2) };
}

/** The same wait each time, without end. */
export function steadyRetry(everyMs: number): EndlessRetryPolicy {
  return { delayMs: () => everyMs };
}

/** Impatient: for a request whose caller waits. Gives up after 1.6 s; the caller gets 503. */
export const storeHiccup: RetryPolicy = {
  delayMs: (failures) => [50, 150, 400, 1000][failures - 1],
};

/** Patient: for each session's own work on a store that is away, such as a fact that cannot be reported twice. */
export const storeAway: EndlessRetryPolicy = exponentialBackoff(250, 30_000);

/** Patient: for the log-out of a deleted session of which Telegram could not be told (SE3). */
export const logOutAway: EndlessRetryPolicy = exponentialBackoff(5_000, 60_000);

/** For work that exists once in a process, or few times, such as its start: a store that is back is noticed within a second. */
export const storePoll: EndlessRetryPolicy = steadyRetry(1_000);
