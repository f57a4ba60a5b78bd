import { isUnreadable } from '../../../actors/ports/event-codec.ts';
import type { EventStore, RecordedEvent } from '../../../actors/ports/event-store.ts';
import type { Payload } from '../payload/payloads.ts';
import { type OpenEnvelopeDeps, openEnvelope } from '../readers/open-envelope.ts';
import { deliveryCodec, type RecordedDelivery } from '../stream/delivery-codec.ts';
import { type DeliveredType, deliveredTypes, deliveryStream, isDelivered } from '../stream/delivery-events.ts';
import type { OutboxProgress } from '../stream/outbox-progress.ts';
import { parkedReason } from '../stream/parked.ts';
import { placeKey } from '../stream/place-marks.ts';
import type { ReadDeliveriesDeps } from '../stream/read-deliveries.ts';
import { unreadableMetadata } from '../stream/seq-tracker.ts';
import { type DeliveryState, type DeliveryStatusName, deliveryState } from './delivery-state.ts';
import { type Walk, walkOf } from './walks.ts';

/** Events of one read. */
const readEvents = 200;
/** Events that one page may read: a page without them goes on with the next call. */
const maxRead = 5_000;

export interface ListDeliveriesDeps extends ReadDeliveriesDeps, OpenEnvelopeDeps {
  store: Pick<EventStore, 'last' | 'read'>;
  sealer: OpenEnvelopeDeps['sealer'] & { fingerprint(sessionId: string, text: string): Promise<Buffer> };
}

/** A delivery, as its webhook's owner sees it. */
export interface ListedDelivery extends DeliveryState {
  seq: number;
  id: string;
  /** Empty if its event cannot be read and has an unknown type. */
  type: DeliveredType | '';
  /** When it was recorded, milliseconds since 1970. */
  at: number;
  /** Undefined if its content cannot be read. */
  event: Payload | undefined;
}

export interface WhichDeliveries {
  /** Undefined: all. */
  status: DeliveryStatusName | undefined;
  chatId: string | undefined;
  /** Where the page before ended; undefined: the first one. */
  after: number | undefined;
  limit: number;
}

/** Up to `limit` deliveries, and where the next page begins; undefined after the last one. */
export interface DeliveriesPage {
  docs: ListedDelivery[];
  after: number | undefined;
}

/**
 * A page of a webhook's deliveries. What is pending or parked comes in its order, all else newest first. A page that has
 * read many events of others ends before its limit.
 * @throws {StoreUnavailableError} {@link UnreadableEventError} of the vault
 */
export async function listDeliveries(
  deps: ListDeliveriesDeps,
  sessionId: string,
  progress: OutboxProgress,
  { status, chatId, after, limit }: WhichDeliveries,
): Promise<DeliveriesPage> {
  const stream = deliveryStream(sessionId);
  const key = placeKey(progress.since);
  const chat = chatId === undefined ? undefined : await fingerprintOf(deps, sessionId, chatId);
  const end = (await deps.store.last(stream))?.revision ?? -1;
  const walk: Walk = walkOf({ deps, sessionId, progress, key, chat, end }, status, after);
  const docs: ListedDelivery[] = [];
  let left = maxRead;
  let last = after;
  for (let from = await walk.first(); from !== undefined; from = await walk.next()) {
    if (left <= 0) return { docs, after: last };
    const read: RecordedEvent[] = [];
    for await (const recorded of deps.store.read(stream, { from, limit: readEvents, direction: walk.direction })) {
      read.push(recorded);
    }
    left -= read.length;
    for (const recorded of read) {
      last = recorded.revision;
      const event = deliveryCodec.decode(recorded);
      const readable = isUnreadable(event) ? undefined : event;
      const found = stateOf(recorded, readable, key, progress, chat);
      walk.pass(last, readable, found?.status);
      if (found === undefined || (status !== undefined && found.status !== status)) continue;
      docs.push({ ...found, event: readable && (await openEnvelope(deps, sessionId, readable, key)) });
      if (docs.length === limit) return { docs, after: walk.isOver ? undefined : last };
    }
    if (read.length < readEvents) break;
  }
  return { docs, after: undefined };
}

/** Undefined if the event is no delivery of this webhook, or of another chat. */
function stateOf(
  recorded: RecordedEvent,
  readable: RecordedDelivery | undefined,
  key: string,
  progress: OutboxProgress,
  chat: string | undefined,
): Omit<ListedDelivery, 'event'> | undefined {
  const { id, created } = recorded;
  if (chat !== undefined && unreadableMetadata(recorded).chat !== chat) return undefined;
  const type = isDelivered(recorded.type) ? deliveredTypes[recorded.type] : '';
  if (readable !== undefined) {
    const { seq, at } = readable.metadata;
    const state = deliveryState(readable, key, progress);
    return state && { ...state, seq, id, type, at };
  }
  const { seq } = unreadableMetadata(recorded);
  const error = typeof seq === 'number' ? parkedReason(progress.parked, seq) : undefined;
  if (typeof seq !== 'number' || error === undefined) return undefined;
  return { status: 'parked', attempts: 0, error, nextAt: undefined, seq, id, type, at: created };
}

const fingerprintOf = async ({ sealer }: ListDeliveriesDeps, sessionId: string, chatId: string): Promise<string> =>
  (await sealer.fingerprint(sessionId, chatId)).toString('base64url');
