import type { AuditEntry } from '../api/types.ts';
import { msOf } from '../parts/format.ts';
import type { Ended } from '../parts/reason-chart.tsx';

/** Each time that the session was no longer connected, or came to its end, and why. */
export const lossesOf = (events: readonly AuditEntry[]): Ended[] =>
  events
    .filter(({ state, data }) => state !== data.from && (data.from === 'connected' || state === 'deleted'))
    .map(({ created, reason }) => ({ at: msOf(created), reason }));
