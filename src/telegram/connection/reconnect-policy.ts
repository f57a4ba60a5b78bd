import { doubledMs, type EndlessRetryPolicy } from '../../../actors/kit/retry-policy.ts';

/** While Telegram is out of reach or fails (SE8): from 1 s to 60 s, exponential with full jitter above 1 s, without end. */
export const telegramAway: EndlessRetryPolicy = {
  delayMs: (failures, random) => {
    const shortestMs = 1_000;
    const ceilingMs = doubledMs(2 * shortestMs, 60_000, failures);
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
