import type {
  StatelyActorEvent,
  StatelyEventEvent,
  StatelyInspectionEvent,
  StatelySnapshotEvent,
} from '@statelyai/inspect';
import type { RecordedEvent } from '../../actors/ports/event-store.ts';
import { type SessionFactType, sessionStream, type TransitionMetadata } from '../../actors/session/events.ts';
import { statelyDefinition, statelyEventType, statelySnapshot } from '../../actors/session/stately-protocol.ts';
import { auditEntry } from '../audit/audit-entry.ts';

/**
 * The protocol of `@statelyai/inspect`, in which Stately's inspector is told of actors: its messages, made of a
 * session's log. Nothing secret and nothing personal is in them: they say what an operator is told by the audit.
 */

/** Of the package whose protocol it is. */
const protocolVersion = '0.7.2';

const definition = JSON.stringify(statelyDefinition());

const metadataOf = (event: RecordedEvent): TransitionMetadata => event.metadata as unknown as TransitionMetadata;

/** The `id` of the session in whose log it is. */
export const sessionOf = (event: RecordedEvent): string => event.stream.slice(sessionStream('').length);

/** There is this actor, with this machine, and after that event it is in this state. */
export function actorEvent(event: RecordedEvent): StatelyActorEvent {
  return {
    type: '@xstate.actor',
    name: sessionOf(event),
    definition,
    parentId: undefined,
    snapshot: snapshotAfter(event),
    ...base(event),
  };
}

/** What the actor was told, and how that left it. */
export async function transitionEvents(event: RecordedEvent): Promise<StatelyInspectionEvent[]> {
  const { seq, reason, data } = await auditEntry(event);
  const told = {
    type: statelyEventType(event.type as SessionFactType),
    fact: event.type,
    seq,
    reason,
    ...data,
  };
  const happened: StatelyEventEvent = { type: '@xstate.event', event: told, sourceId: undefined, ...base(event) };
  const snapshot = snapshotAfter(event) as unknown as StatelySnapshotEvent['snapshot'];
  return [happened, { type: '@xstate.snapshot', event: told, snapshot, ...base(event) }];
}

function snapshotAfter(event: RecordedEvent): ReturnType<typeof statelySnapshot> {
  const { to, context } = metadataOf(event);
  return statelySnapshot(to, context);
}

/** A session is the root of a system of its own. */
const base = (event: RecordedEvent) => ({
  sessionId: sessionOf(event),
  rootId: sessionOf(event),
  id: event.id,
  createdAt: String(metadataOf(event).at),
  _version: protocolVersion,
});
