import { exponentialBackoff } from '../../../../actors/kit/retry-policy.ts';

/** Between the attempts of one call: a cluster that elects a leader answers again within a second or two. */
export const betweenCalls = exponentialBackoff(50, 500);

/** Between subscriptions, which are reopened without end. */
export const betweenSubscriptions = exponentialBackoff(100, 5_000);
