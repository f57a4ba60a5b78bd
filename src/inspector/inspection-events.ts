import type {
  StatelyActorEvent,
  StatelyEventEvent,
  StatelyInspectionEvent,
  StatelySnapshotEvent,
} from '@statelyai/inspect';
import { sessionIdOf } from '../../actors/session/events.ts';
import type { RecordedSessionEvent } from '../../actors/session/session-codec.ts';
import { statelyDefinition, statelyEventType, statelySnapshot } from '../../actors/session/stately-protocol.ts';
import { auditEntry, withoutKeyName } from '../audit/audit-entry.ts';

/**
 * Messages in the protocol of `@statelyai/inspect`, built from a session's log. They hold nothing secret or personal:
 * only what the audit shows to an operator.
 */

/** The version of the package that defines the protocol. */
const protocolVersion = '0.7.2';

const definition = JSON.stringify(statelyDefinition());

/** Announces an actor with its machine and its state after an event. */
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

/** The event that the actor received, and its state after it. */
export async function transitionEvents(event: RecordedSessionEvent): Promise<StatelyInspectionEvent[]> {
  // Another service shows it: names of machines and keys stay here.
  const { seq, reason, data: shown } = await auditEntry(event);
  const { node: _machine, by, ...data } = shown;
  const received = {
    type: statelyEventType(event.type),
    fact: event.type,
    seq,
    reason,
    ...data,
    ...(by !== undefined && { by: withoutKeyName(by) }),
  };
  const happened: StatelyEventEvent = { type: '@xstate.event', event: received, sourceId: undefined, ...base(event) };
  const snapshot = snapshotAfter(event) as unknown as StatelySnapshotEvent['snapshot'];
  return [happened, { type: '@xstate.snapshot', event: received, snapshot, ...base(event) }];
}

function snapshotAfter(event: RecordedSessionEvent): ReturnType<typeof statelySnapshot> {
  const { to, context } = event.metadata;
  return statelySnapshot(to, context);
}

/** Each session is the root of its own system. */
const base = (event: RecordedSessionEvent) => ({
  sessionId: sessionIdOf(event.stream),
  rootId: sessionIdOf(event.stream),
  id: event.id,
  createdAt: String(event.metadata.at),
  _version: protocolVersion,
});
