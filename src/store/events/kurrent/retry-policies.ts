import { exponentialBackoff } from '../../../../actors/kit/retry-policy.ts';

/** Between the tries of one call: a server that changes its leader answers again within a second or two. */
export const betweenCalls = exponentialBackoff(50, 500);

/** Between subscriptions, which are opened again without end: not all at once when a server is back. */
export const betweenSubscriptions = exponentialBackoff(100, 5_000);
