import type { Json, NewEvent, RecordedEvent } from '../../../actors/ports/event-store.ts';
import type { Sealed } from '../../../actors/ports/sealer.ts';
import type { Deadline, SessionFact, SessionState, TransitionMetadata } from '../../../actors/session/events.ts';

export const sealed = (text: string): Sealed => `v1.${text}` as Sealed;

/** 2026-01-01, in milliseconds since 1970. */
export const start = Date.UTC(2026, 0, 1);

interface Place {
  from?: SessionState | null;
  to: SessionState;
  at?: number;
  since?: number;
  reason?: string;
  deadlines?: Deadline[];
  /** Default: 1. */
  login?: number;
}

/** A session's event as an actor records it. */
export function sessionEvent(id: string, fact: SessionFact, place: Place): NewEvent {
  const { type, ...data } = fact;
  const at = place.at ?? start;
  const metadata: TransitionMetadata = {
    at,
    by: 'test',
    from: place.from ?? null,
    to: place.to,
    since: place.since ?? at,
    reason: place.reason ?? 'created',
    context: { login: place.login ?? 1 },
    deadlines: place.deadlines ?? [],
    effects: [],
  };
  return { id, type, data: data as Json, metadata: metadata as unknown as Json };
}

export function recorded(sessionId: string, revision: number, event: NewEvent): RecordedEvent {
  const position = BigInt(revision + 1);
  return { ...event, stream: `session-${sessionId}`, revision, position, created: start };
}

export const created: SessionFact = {
  type: 'SessionCreated',
  secretHash: 'ab12',
  name: sealed('name'),
  metadata: sealed('metadata'),
  webhook: { url: sealed('url'), token: sealed('token') },
};
