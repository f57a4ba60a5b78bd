import { type SessionState, sessionStates } from '../../actors/session/events.ts';
import type { SessionSummary } from '../api/types.ts';

/** `live`: every state but `deleted`. */
export type SessionFilter = 'live' | SessionState;

export const sessionFilters: readonly SessionFilter[] = ['live', ...sessionStates];

export const matchesFilter = (state: SessionState, filter: SessionFilter): boolean =>
  filter === 'live' ? state !== 'deleted' : state === filter;

/** By a part of its ID, its external ID or its label. */
export function matchesSearch({ id, externalId, label }: SessionSummary, search: string): boolean {
  const wanted = search.trim().toLowerCase();
  return [id, externalId, label].some((name) => name.toLowerCase().includes(wanted));
}

export const countMatching = (sessions: readonly SessionSummary[], filter: SessionFilter): number =>
  sessions.filter(({ state }) => matchesFilter(state, filter)).length;
