import type {
  StatelyActorEvent,
  StatelyEventEvent,
  StatelyInspectionEvent,
  StatelySnapshotEvent,
} from '@statelyai/inspect';
import { sessionIdOf } from '../../actors/session/events.ts';
import type { RecordedSessionEvent } from '../../actors/session/session-codec.ts';
import { statelyDefinition, statelyEventType, statelySnapshot } from '../../actors/session/stately-protocol.ts';
import { auditEntry } from '../audit/audit-entry.ts';

/**
 * The protocol of `@statelyai/inspect`, in which Stately's inspector is told of actors: its messages, made of a
 * session's log. Nothing secret and nothing personal is in them: they say what an operator is told by the audit.
 */

/** Of the package whose protocol it is. */
const protocolVersion = '0.7.2';

const definition = JSON.stringify(statelyDefinition());

/** There is this actor, with this machine, and after that event it is in this state. */
export function actorEvent(event: RecordedSessionEvent): StatelyActorEvent {
  return {
    type: '@xstate.actor',
    name: sessionIdOf(event.stream),
    definition,
    parentId: undefined,
    snapshot: snapshotAfter(event),
    ...base(event),
  };
}

/** What the actor was told, and how that left it. */
export async function transitionEvents(event: RecordedSessionEvent): Promise<StatelyInspectionEvent[]> {
  const { seq, reason, data } = await auditEntry(event);
  const told = {
    type: statelyEventType(event.type),
    fact: event.type,
    seq,
    reason,
    ...data,
  };
  const happened: StatelyEventEvent = { type: '@xstate.event', event: told, sourceId: undefined, ...base(event) };
  const snapshot = snapshotAfter(event) as unknown as StatelySnapshotEvent['snapshot'];
  return [happened, { type: '@xstate.snapshot', event: told, snapshot, ...base(event) }];
}

function snapshotAfter(event: RecordedSessionEvent): ReturnType<typeof statelySnapshot> {
  const { to, context } = event.metadata;
  return statelySnapshot(to, context);
}

/** A session is the root of a system of its own. */
const base = (event: RecordedSessionEvent) => ({
  sessionId: sessionIdOf(event.stream),
  rootId: sessionIdOf(event.stream),
  id: event.id,
  createdAt: String(event.metadata.at),
  _version: protocolVersion,
});
