import { isUnreadable } from '../../../actors/ports/event-codec.ts';
import type { EventStore } from '../../../actors/ports/event-store.ts';
import type { SessionViews } from '../../../projections/session-view.ts';
import { deliveryCodec } from './delivery-codec.ts';
import { deliveryPrefix } from './delivery-events.ts';
import { outboxCodec } from './outbox-codec.ts';
import { outboxPrefix } from './outbox-progress.ts';

interface FindDueDeps {
  store: Pick<EventStore, 'lastOfEach'>;
  views: Pick<SessionViews, 'get'>;
}

/** IDs of the sessions that may have pending deliveries. @throws {StoreUnavailableError} */
export async function findDueSessions({ store, views }: FindDueDeps): Promise<string[]> {
  /** Number up to which all is done, by session; absent if nothing is or it cannot be read. */
  const doneUpTo = new Map<string, number>();
  for await (const recorded of store.lastOfEach(outboxPrefix)) {
    const saved = outboxCodec.decode(recorded);
    if (isUnreadable(saved) || Object.keys(saved.data.chats).length > 0) continue;
    doneUpTo.set(saved.stream.slice(outboxPrefix.length), saved.data.upTo.seq);
  }
  const due: string[] = [];
  for await (const recorded of store.lastOfEach(deliveryPrefix)) {
    const id = recorded.stream.slice(deliveryPrefix.length);
    const event = deliveryCodec.decode(recorded);
    // The outbox reads the events before an unreadable one.
    const mayBeDue = isUnreadable(event) || event.metadata.seq > (doneUpTo.get(id) ?? 0);
    if (mayBeDue && views.get(id)?.webhook !== undefined) due.push(id);
  }
  return due;
}
