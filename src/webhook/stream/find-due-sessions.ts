import type { EventStore } from '../../../actors/ports/event-store.ts';
import type { SessionViews } from '../../../projections/session-view.ts';
import { type DeliveryMetadata, deliveryStream } from './delivery-events.ts';
import { type OutboxProgress, outboxPrefix } from './outbox-progress.ts';

interface DueParts {
  store: Pick<EventStore, 'lastOfEach'>;
  views: Pick<SessionViews, 'get'>;
}

/** IDs of the sessions of which something is due, or may be. @throws {StoreUnavailableError} */
export async function findDueSessions({ store, views }: DueParts): Promise<string[]> {
  const upTo = new Map<string, number>();
  for await (const { stream, data } of store.lastOfEach(outboxPrefix)) {
    const state = data as unknown as OutboxProgress;
    const hasBehind = Object.keys(state.chats).length > 0;
    upTo.set(stream.slice(outboxPrefix.length), hasBehind ? -1 : state.upTo.seq);
  }
  const prefix = deliveryStream('');
  const due: string[] = [];
  for await (const { stream, metadata } of store.lastOfEach(prefix)) {
    const id = stream.slice(prefix.length);
    const { seq } = metadata as unknown as DeliveryMetadata;
    if (seq > (upTo.get(id) ?? 0) && views.get(id)?.webhook !== undefined) due.push(id);
  }
  return due;
}
