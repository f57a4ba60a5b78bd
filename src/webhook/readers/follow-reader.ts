import type { Clock, Randomness } from '../../../actors/ports/clock.ts';
import type { EventStore } from '../../../actors/ports/event-store.ts';
import type { LiveUpdate } from '../../telegram/port/updates.ts';
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
import { accountIdOf, type OpenEnvelopeDeps, openEnvelope } from './open-envelope.ts';
import type { Reader } from './reader.ts';

/** Events of one read: few, so that a reader that is slow holds little. */
const pageEvents = 16;

export interface FollowReaderDeps extends ReadDeliveriesDeps, OpenEnvelopeDeps {
  store: Pick<EventStore, 'last' | 'read'>;
  clock: Pick<Clock, 'now'>;
  randomness: Pick<Randomness, 'uuid'>;
}

/** Where a reader is in the stream of its session. */
export interface PlaceInStream {
  /** The number of the last event that it has. */
  after: number;
  /** The revision that is read next. */
  next: number;
}

const isAfter = ({ metadata: { seq } }: Pick<RecordedDelivery, 'metadata'>, after: number): boolean => seq > after;

/** Where a reader begins. @throws {StoreUnavailableError} */
export async function placeOfReader(
  deps: FollowReaderDeps,
  sessionId: string,
  { stored: { place } }: Reader,
): Promise<PlaceInStream> {
  const end = await endOfDeliveries(deps, sessionId);
  const after = Math.min(place, end?.seq ?? 0);
  const next = await findRevision(deps, sessionId, end?.revision ?? -1, (event) => isAfter(event, after));
  return { after, next };
}

/**
 * The envelopes of what is recorded for a reader, each once and in order, up to the end of the stream.
 * @param place is moved with each event
 * @throws {StoreUnavailableError}
 */
export async function* readOn(
  deps: FollowReaderDeps,
  sessionId: string,
  { key }: Reader,
  place: PlaceInStream,
): AsyncGenerator<Payload, void> {
  for (;;) {
    let count = 0;
    for await (const event of readDeliveries(deps, sessionId, { from: place.next, limit: pageEvents })) {
      place.next = event.revision + 1;
      count += 1;
      // One that cannot be read is left out: the `previous` of the next one shows that it is missing.
      const isNext = isAfter(event, place.after) && isWantedBy(event, key);
      const payload = isNext ? await openEnvelope(deps, sessionId, event, key) : undefined;
      if (payload !== undefined) yield payload;
    }
    if (count > 0) continue;
    // What cannot be read may fill a page.
    const later = await deliveryFrom(deps, sessionId, place.next);
    if (later === undefined) return;
    place.next = later.revision;
  }
}

/** The envelope of something that is not recorded; undefined if the session is gone. @throws {StoreUnavailableError} */
export async function liveEnvelope(
  deps: FollowReaderDeps,
  sessionId: string,
  update: LiveUpdate,
): Promise<LivePayload | undefined> {
  const view = deps.views.get(sessionId);
  if (view === undefined) return undefined;
  const account = await accountIdOf(deps, view);
  const session = payloadSession(sessionId, account, view.externalId);
  return livePayload(session, deps.randomness.uuid(), deps.clock.now(), update, (ref, ext) =>
    deps.mediaLinks.link(sessionId, account, ref, ext),
  );
}
