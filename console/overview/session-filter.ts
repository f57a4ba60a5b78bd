import { type SessionState, sessionStates } from '../../actors/session/events.ts';
import type { SessionSummary } from '../api/types.ts';

/** `live`: every state but `deleted`. */
export type SessionFilter = 'live' | SessionState;

export const sessionFilters: readonly SessionFilter[] = ['live', ...sessionStates];

export const matchesFilter = (state: SessionState, filter: SessionFilter): boolean =>
  filter === 'live' ? state !== 'deleted' : state === filter;

export const countMatching = (sessions: readonly SessionSummary[], filter: SessionFilter): number =>
  sessions.filter(({ state }) => matchesFilter(state, filter)).length;
