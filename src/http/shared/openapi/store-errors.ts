import type { ErrorLine } from './errors.ts';

/** FA2: of endpoints that read what they need from the store. */
export const storeIsAway: ErrorLine = [503, 'the event store is not available', 'With Retry-After.'];
/** Of endpoints that record. */
export const unchangedWhileAway: ErrorLine = [
  503,
  'the event store is not available',
  'Nothing was changed; with Retry-After.',
];
