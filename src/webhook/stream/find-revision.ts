import type { EventStore } from '../../../actors/ports/event-store.ts';
import { type DeliveryMetadata, deliveryStream, type PlacedEvent, placed } from './delivery-events.ts';

/** The first event of a session's delivery stream that is there from a revision on. @throws {StoreUnavailableError} */
export async function eventFrom(
  store: Pick<EventStore, 'read'>,
  sessionId: string,
  revision: number,
): Promise<PlacedEvent | undefined> {
  for await (const event of store.read(deliveryStream(sessionId), { from: revision, limit: 1 })) return placed(event);
  return undefined;
}

/**
 * The lowest revision from which on all that is said of events is so; one behind the last where it is so of none. What is
 * so of one event must be so of all after it.
 * @throws {StoreUnavailableError}
 */
export async function firstRevision(
  store: Pick<EventStore, 'read'>,
  sessionId: string,
  lastRevision: number,
  isSo: (metadata: DeliveryMetadata) => boolean,
): Promise<number> {
  let low = 0;
  let high = lastRevision + 1;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const event = await eventFrom(store, sessionId, middle);
    if (event === undefined || isSo(event.metadata)) high = middle;
    else low = event.revision + 1;
  }
  return low;
}
