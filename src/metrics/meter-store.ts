import { isUnreadable } from '../../actors/ports/event-codec.ts';
import {
  type Appended,
  type EventStore,
  type NewEvent,
  type RecordedEvent,
  WrongExpectedRevisionError,
} from '../../actors/ports/event-store.ts';
import { wrapStore } from '../../actors/ports/wrap-store.ts';
import { sessionIdOf, sessionPrefix } from '../../actors/session/events.ts';
import { sessionCodec } from '../../actors/session/session-codec.ts';
import type { SessionView } from '../../projections/session-view.ts';
import type { Metrics } from './metrics.ts';

export interface StoreMeter {
  metrics: Metrics;
  /** The state of the session at the last event. */
  viewOf: (sessionId: string) => SessionView | undefined;
  /** An event of a session is recorded. */
  onSessionEvent: (position: bigint) => void;
}

/** Facts after which the duration of the state before is measured. */
const ends: ReadonlySet<string> = new Set(['LoggedIn', 'PasswordRequested', 'ConnectionRestored']);

/** A store that measures its appends, and counts the facts of sessions in them. */
export function meterStore(store: EventStore, meter: StoreMeter): EventStore {
  const { metrics } = meter;
  return wrapStore(store, async (stream, expected, events) => {
    const startedAt = performance.now();
    const passed = (): number => (performance.now() - startedAt) / 1000;
    const before = stream.startsWith(sessionPrefix) ? viewBefore(stream, events, meter) : undefined;
    let appended: Appended;
    try {
      appended = await store.append(stream, expected, events);
    } catch (error) {
      metrics.appended(error instanceof WrongExpectedRevisionError ? 'wrong-revision' : 'unavailable', passed());
      throw error;
    }
    metrics.appended('recorded', passed());
    if (stream.startsWith(sessionPrefix)) {
      meter.onSessionEvent(appended.position);
      for (const event of events) countFact(metrics, { ...event, stream, ...appended, created: 0 }, before);
    }
    return appended;
  });
}

function viewBefore(stream: string, events: readonly NewEvent[], { viewOf }: StoreMeter): SessionView | undefined {
  return events.some(({ type }) => ends.has(type)) ? viewOf(sessionIdOf(stream)) : undefined;
}

function countFact(metrics: Metrics, recorded: RecordedEvent, before: SessionView | undefined): void {
  const event = sessionCodec.decode(recorded);
  if (isUnreadable(event)) return;
  const { from, to, reason, at } = event.metadata;
  const secondsBefore = before?.state === from ? (at - before.since) / 1000 : undefined;
  metrics.happened({ type: event.type, from, to, reason, secondsBefore });
}
