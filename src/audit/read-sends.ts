import { isUnreadable, type ReportUnreadable } from '../../actors/ports/event-codec.ts';
import type { EventStore } from '../../actors/ports/event-store.ts';
import { sendCodec } from '../messaging/send-codec.ts';
import { keptMs, sendStream } from '../messaging/send-events.ts';
import type { SendEntry } from './send-entry-schema.ts';

export interface ReadSendsDeps {
  store: Pick<EventStore, 'read'>;
  reportUnreadable: ReportUnreadable;
}

/**
 * What is recorded of a session's sends of the last 24 hours (AD7), the oldest first. What cannot be read is left out.
 * @param after the `seq` of the last event that is known; 0: from the start
 * @param now milliseconds since 1970
 * @throws {StoreUnavailableError}
 */
export async function* readSends(
  { store, reportUnreadable }: ReadSendsDeps,
  sessionId: string,
  after: number,
  now: number,
): AsyncGenerator<SendEntry, void> {
  for await (const recorded of store.read(sendStream(sessionId), { from: after })) {
    // They are removed in batches.
    if (recorded.created + keptMs <= now) continue;
    const event = sendCodec.decode(recorded);
    if (isUnreadable(event)) {
      reportUnreadable(event);
      continue;
    }
    const created = new Date(recorded.created).toISOString();
    const place = { seq: event.revision + 1, created };
    if (event.type === 'SendAnswered') yield { ...place, type: event.type, send: event.data.key };
    if (event.type !== 'SendBegun') continue;
    const { key, by, operation } = event.data;
    yield { ...place, type: event.type, send: key, ...(by && { by }), ...(operation && { operation }) };
  }
}
