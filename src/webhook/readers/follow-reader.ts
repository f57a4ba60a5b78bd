import type { Clock, Randomness } from '../../../actors/ports/clock.ts';
import type { EventStore } from '../../../actors/ports/event-store.ts';
import { type LivePayload, livePayload } from '../payload/live-payloads.ts';
import { payloadSession } from '../payload/payload-of.ts';
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
import { accountIdOf, type OpenEnvelopeDeps, openEnvelope } from './open-envelope.ts';
import type { Reader } from './reader-book.ts';

/** Events of one read: few, so that a reader that is slow holds little. */
const pageEvents = 16;

export interface FollowReaderDeps extends ReadDeliveriesDeps, OpenEnvelopeDeps {
  store: Pick<EventStore, 'last' | 'read'>;
  clock: Pick<Clock, 'now'>;
  randomness: Pick<Randomness, 'uuid'>;
}

/**
 * The envelopes of what a reader wants: what is recorded, each once and in order, from its place on, where a wake-up only
 * triggers a read by revision; and, once it has come to the end, what it is shown of this moment. Ends with the connection, and
 * with the session.
 * @throws {StoreUnavailableError}
 */
export async function* followReader(
  deps: FollowReaderDeps,
  sessionId: string,
  { key, stored: { place } }: Reader,
  connection: ConnectedReader,
): AsyncGenerator<Payload | LivePayload, void> {
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
    if (later !== undefined) next = later.revision;
    else yield* untilRecorded(deps, sessionId, connection);
  }
}

/** What is shown until something may have been recorded. */
async function* untilRecorded(
  deps: FollowReaderDeps,
  sessionId: string,
  connection: ConnectedReader,
): AsyncGenerator<LivePayload, void> {
  do {
    await connection.rung();
    for (const update of connection.takeMoments()) {
      const view = deps.views.get(sessionId);
      if (view === undefined || connection.isOver) return;
      const account = await accountIdOf(deps, view);
      const session = payloadSession(sessionId, account, view.externalId);
      yield livePayload(session, deps.randomness.uuid(), deps.clock.now(), update, (ref, ext) =>
        deps.mediaLinks.link(sessionId, account, ref, ext),
      );
    }
  } while (!connection.takeRecorded());
}
