import type { AuditEntry } from '../api/types.ts';
import { epochMs } from '../parts/format.ts';
import type { Interruption } from '../parts/reason-chart.tsx';

/** Each time that the session left the state `connected`, and its deletion. */
export const interruptionsOf = (events: readonly AuditEntry[]): Interruption[] =>
  events
    .filter(({ state, data }) => state !== data.from && (data.from === 'connected' || state === 'deleted'))
    .map(({ created, reason }) => ({ at: epochMs(created), reason }));
