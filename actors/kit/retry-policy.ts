import type { Randomness } from '../ports/clock.ts';

export type Chance = Pick<Randomness, 'fraction'>;

/** How long to wait between the tries of one piece of work, and for how long to try. */
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

const doubled = (firstMs: number, maxMs: number, failures: number): number =>
  Math.min(maxMs, firstMs * 2 ** Math.min(failures - 1, 30));

/**
 * Doubles from `firstMs` to `maxMs`, without end. Each wait is drawn from the upper half ("equal jitter",
 * https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/), so that sessions that failed together do not
 * come back together.
 */
export function exponentialBackoff(firstMs: number, maxMs: number): EndlessRetryPolicy {
  return { delayMs: (failures, random) => doubled(firstMs, maxMs, failures) * (0.5 + random.fraction() / 2) };
}

/** The same wait each time, without end. */
export function steadyRetry(everyMs: number): EndlessRetryPolicy {
  return { delayMs: () => everyMs };
}

/** Impatient: for a request whose caller waits. Gives up after 1.6 s, when the caller is told that the store is away. */
export const storeHiccup: RetryPolicy = {
  delayMs: (failures) => [50, 150, 400, 1000][failures - 1],
};

/** Patient: for each session's own work on a store that is away, such as a fact that cannot be reported twice. */
export const storeAway: EndlessRetryPolicy = exponentialBackoff(250, 30_000);

/** For work that exists once in a process, such as its start: a store that is back is noticed within a second. */
export const storePoll: EndlessRetryPolicy = steadyRetry(1_000);

/** While Telegram is out of reach or fails (SE8): from 1 s to 60 s, exponential with full jitter above 1 s, without end. */
export const telegramAway: EndlessRetryPolicy = {
  delayMs: (failures, random) => {
    const shortestMs = 1_000;
    const ceilingMs = doubled(2 * shortestMs, 60_000, failures);
    return Math.round(shortestMs + random.fraction() * (ceilingMs - shortestMs));
  },
};

/**
 * After a connection broke (SE8): the first attempt at once, but spread over half a second, so that 300 sessions do not
 * connect in the same millisecond; then as {@link telegramAway}.
 */
export const reconnect: EndlessRetryPolicy = {
  delayMs: (failures, random) =>
    failures === 1 ? Math.round(500 * random.fraction()) : telegramAway.delayMs(failures - 1, random),
};
