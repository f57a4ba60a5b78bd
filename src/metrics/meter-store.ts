import {
  type Appended,
  type EventStore,
  type NewEvent,
  WrongExpectedRevisionError,
} from '../../actors/ports/event-store.ts';
import { type SessionFactType, sessionStream, type TransitionMetadata } from '../../actors/session/events.ts';
import type { SessionView } from '../../projections/session-view.ts';
import type { Metrics } from './metrics.ts';

export interface StoreMeter {
  metrics: Metrics;
  /** The session as it was read last. */
  viewOf: (sessionId: string) => SessionView | undefined;
  /** An event of a session is recorded. */
  onSessionEvent: (position: bigint) => void;
}

const prefix = sessionStream('');
/** After these it is asked how long the state before them lasted. */
const ends: ReadonlySet<string> = new Set(['LoggedIn', 'PasswordRequested', 'ConnectionRestored']);

/** Has the appends of a store timed, and the facts of sessions counted that go through it. */
export function meterStore(store: Pick<EventStore, 'append'>, meter: StoreMeter): void {
  const append = store.append.bind(store);
  const { metrics } = meter;
  store.append = async (stream, expected, events) => {
    const startedAt = performance.now();
    const passed = (): number => (performance.now() - startedAt) / 1000;
    const before = stream.startsWith(prefix) ? viewBefore(stream, events, meter) : undefined;
    let appended: Appended;
    try {
      appended = await append(stream, expected, events);
    } catch (error) {
      metrics.appended(error instanceof WrongExpectedRevisionError ? 'wrong-revision' : 'unavailable', passed());
      throw error;
    }
    metrics.appended('recorded', passed());
    if (stream.startsWith(prefix)) {
      meter.onSessionEvent(appended.position);
      for (const event of events) countFact(metrics, event, before);
    }
    return appended;
  };
}

function viewBefore(stream: string, events: readonly NewEvent[], { viewOf }: StoreMeter): SessionView | undefined {
  return events.some(({ type }) => ends.has(type)) ? viewOf(stream.slice(prefix.length)) : undefined;
}

function countFact(metrics: Metrics, event: NewEvent, before: SessionView | undefined): void {
  const { from, to, reason, at } = event.metadata as unknown as TransitionMetadata;
  const secondsBefore = before?.state === from ? (at - before.since) / 1000 : undefined;
  metrics.happened({ type: event.type as SessionFactType, from, to, reason, secondsBefore });
}
