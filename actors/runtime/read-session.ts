import { isUnreadable, type ReportUnreadable } from '../ports/event-codec.ts';
import type { EventStore, ReadOptions, RecordedEvent } from '../ports/event-store.ts';
import { sessionStream } from '../session/events.ts';
import { type RecordedSessionEvent, type SessionCodec, sessionCodec } from '../session/session-codec.ts';

export interface ReadSessionDeps {
  store: Pick<EventStore, 'read'>;
  reportUnreadable: ReportUnreadable;
  /** Default: that of this version. */
  codec?: SessionCodec;
}

/**
 * The events of a session. One that cannot be read is reported and left out; `limit` counts the others.
 * @throws {StoreUnavailableError}
 */
export async function* readSession(
  { store, reportUnreadable, codec = sessionCodec }: ReadSessionDeps,
  sessionId: string,
  { direction = 'forwards', from, limit = Infinity }: ReadOptions = {},
): AsyncGenerator<RecordedSessionEvent> {
  const step = direction === 'forwards' ? 1 : -1;
  let left = limit;
  for (let next = from; left > 0; ) {
    const wanted = left;
    let found = 0;
    let last: RecordedEvent | undefined;
    for await (last of store.read(sessionStream(sessionId), {
      direction,
      ...(next !== undefined && { from: next }),
      ...(wanted < Infinity && { limit: wanted }),
    })) {
      found += 1;
      const event = codec.decode(last);
      if (isUnreadable(event)) {
        reportUnreadable(event);
        continue;
      }
      left -= 1;
      yield event;
    }
    if (found < wanted || last === undefined) return;
    next = last.revision + step;
    if (next < 0) return;
  }
}
