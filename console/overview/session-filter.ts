import { type SessionState, sessionStates } from '../../actors/session/events.ts';
import type { SessionSummary } from '../api/types.ts';

/** `live`: all that are not deleted. */
export type Filter = 'live' | SessionState;

export const filters: readonly Filter[] = ['live', ...sessionStates];

export const isShown = (state: SessionState, filter: Filter): boolean =>
  filter === 'live' ? state !== 'deleted' : state === filter;

export const countOf = (sessions: readonly SessionSummary[], filter: Filter): number =>
  sessions.filter(({ state }) => isShown(state, filter)).length;
