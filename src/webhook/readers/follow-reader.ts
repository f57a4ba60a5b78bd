import type { EventStore } from '../../../actors/ports/event-store.ts';
import type { Payload } from '../payload/payloads.ts';
import type { RecordedDelivery } from '../stream/delivery-codec.ts';
import { isWantedBy } from '../stream/place-marks.ts';
import {
  deliveryFrom,
  endOfDeliveries,
  findRevision,
  type ReadDeliveriesDeps,
  readDeliveries,
} from '../stream/read-deliveries.ts';
import type { ConnectedReader } from './connected-reader.ts';
import { type OpenEnvelopeDeps, openEnvelope } from './open-envelope.ts';
import type { Reader } from './reader-book.ts';

/** Events of one read: few, so that a reader that is slow holds little. */
const pageEvents = 16;

export interface FollowReaderDeps extends ReadDeliveriesDeps, OpenEnvelopeDeps {
  store: Pick<EventStore, 'last' | 'read'>;
}

/**
 * The envelopes of what a reader wants, each once and in order, from its place on. A
 * wake-up only triggers a read by revision. Ends with the connection, and with the session.
 * @throws {StoreUnavailableError}
 */
export async function* followReader(
  deps: FollowReaderDeps,
  sessionId: string,
  { key, stored: { place } }: Reader,
  connection: ConnectedReader,
): AsyncGenerator<Payload, void> {
  const end = await endOfDeliveries(deps, sessionId);
  const from = Math.min(place, end?.seq ?? 0);
  const isAfter = ({ metadata: { seq } }: Pick<RecordedDelivery, 'metadata'>): boolean => seq > from;
  let next = await findRevision(deps, sessionId, end?.revision ?? -1, isAfter);
  while (!connection.isOver) {
    let count = 0;
    for await (const event of readDeliveries(deps, sessionId, { from: next, limit: pageEvents })) {
      if (connection.isOver) return;
      next = event.revision + 1;
      count += 1;
      // One that cannot be read is left out: the `previous` of the next one shows that it is missing.
      const isNext = isAfter(event) && isWantedBy(event, key);
      const payload = isNext ? await openEnvelope(deps, sessionId, event, key) : undefined;
      if (payload !== undefined) yield payload;
    }
    const view = deps.views.get(sessionId);
    if (view === undefined || view.ended) return;
    if (count > 0) continue;
    // What cannot be read may fill a page.
    const later = await deliveryFrom(deps, sessionId, next);
    if (later === undefined) await connection.rung();
    else next = later.revision;
  }
}
