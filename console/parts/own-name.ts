import type { SessionSummary } from '../api/types.ts';

/** The caller's own names for a session in one line: `Support desk · customer-4711`; empty if it has none. */
export const ownName = ({ label, externalId }: Pick<SessionSummary, 'label' | 'externalId'>): string =>
  [label, externalId].filter((name) => name !== '').join(' · ');
