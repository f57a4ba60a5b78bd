import { type Chance, doubledMs, type EndlessRetryPolicy } from '../../../actors/kit/retry-policy.ts';

const shortestMs = 1_000;

/** Exponential with full jitter: from 1 s to a longest wait, without end. */
const waitsUpTo = (longestMs: number) => ({
  delayMs: (failures: number, random: Chance): number => {
    const ceilingMs = doubledMs(2 * shortestMs, longestMs, failures);
    return Math.round(shortestMs + random.fraction() * (ceilingMs - shortestMs));
  },
});

/** While Telegram is out of reach or fails (SE8). */
export const telegramAway: EndlessRetryPolicy = waitsUpTo(15_000);

/**
 * After a connection broke (SE8): the first attempt at once, but spread over half a second, so that 300 sessions do not
 * connect in the same millisecond; then as {@link telegramAway}.
 */
export const reconnect: EndlessRetryPolicy = {
  delayMs: (failures, random) =>
    failures === 1 ? Math.round(500 * random.fraction()) : telegramAway.delayMs(failures - 1, random),
};

/** The same for an outage that has lasted for 10 minutes (SE8). */
export const reconnectAfterLong: EndlessRetryPolicy = waitsUpTo(60_000);

/** Sessions that another one wakes, because Telegram has answered it, try again within this time, not in one moment (SE8). */
export const wakeSpreadMs = 1_000;
