import { isUnreadable } from '../../../actors/ports/event-codec.ts';
import type { RecordedEvent } from '../../../actors/ports/event-store.ts';
import { type RecordedSessionEvent, sessionCodec } from '../../../actors/session/session-codec.ts';

/** @throws the event is none of a session's. */
export function readSessionEvent(recorded: RecordedEvent): RecordedSessionEvent {
  const event = sessionCodec.decode(recorded);
  if (isUnreadable(event)) throw new Error(`${event.stream} ${event.revision}: ${event.reason}`);
  return event;
}
