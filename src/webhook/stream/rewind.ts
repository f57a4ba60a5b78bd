import { isUnreadable } from '../../../actors/ports/event-codec.ts';
import { deliveryCodec, type RecordedDelivery } from './delivery-codec.ts';
import { deliveryStream, isDelivered } from './delivery-events.ts';
import type { ChatBehind, OutboxProgress, StreamPlace } from './outbox-progress.ts';
import { cutParked } from './parked.ts';
import { countOf, isWantedBy, markOf, placeKey } from './place-marks.ts';
import { findRevision, type ReadDeliveriesDeps, readDeliveries } from './read-deliveries.ts';

/**
 * The progress that sends all events from a number on again, parked ones included. Deliveries that wait before this number
 * keep their place in their chat, and are tried at once. Events for other webhooks are left out.
 * @throws {StoreUnavailableError}
 */
export async function rewind(
  deps: ReadDeliveriesDeps,
  sessionId: string,
  progress: OutboxProgress,
  from: number,
): Promise<OutboxProgress> {
  const first = Math.ceil(from);
  const upTo = await placeBefore(deps, sessionId, progress, first);
  const earlier = Object.entries(progress.chats).filter(([, chat]) => chat.from <= upTo.revision);
  return {
    ...progress,
    upTo,
    chats: await counted(deps, sessionId, placeKey(progress.since), new Map(earlier), upTo.revision + 1),
    parked: cutParked(progress.parked, 0, first),
  };
}

/** The place before this webhook's first delivery that has at least this number and is not removed. */
async function placeBefore(
  deps: ReadDeliveriesDeps,
  sessionId: string,
  { since, upTo }: OutboxProgress,
  from: number,
): Promise<StreamPlace> {
  const key = placeKey(since);
  const isDue = (event: Pick<RecordedDelivery, 'type' | 'metadata'>): boolean =>
    event.metadata.seq >= from && markOf(event, key) !== undefined;
  const revision = await findRevision(deps, sessionId, upTo.revision, isDue);
  for await (const recorded of deps.store.read(deliveryStream(sessionId), { from: revision, limit: 1 })) {
    // Stryker disable next-line ConditionalExpression: the event behind the place leads to the same place
    if (recorded.revision > upTo.revision) break;
    const event = deliveryCodec.decode(recorded);
    if (isUnreadable(event)) return placeBeforeUnreadable(deps, sessionId, recorded.revision, from, key);
    const { type, metadata } = event;
    return {
      seq: isDelivered(type) ? metadata.seq - 1 : metadata.seq,
      revision: event.revision - 1,
      count: countOf(event, key) - (isWantedBy(event, key) ? 1 : 0),
    };
  }
  return upTo;
}

/** Unreadable events before the first pending one are read, and parked, once more. */
async function placeBeforeUnreadable(
  deps: ReadDeliveriesDeps,
  sessionId: string,
  revision: number,
  from: number,
  key: string,
): Promise<StreamPlace> {
  const place = { seq: Math.max(0, from - 1), revision: revision - 1, count: 0 };
  if (revision === 0) return place;
  const before = readDeliveries(deps, sessionId, { direction: 'backwards', from: revision - 1, limit: 1 });
  for await (const event of before) return { ...place, seq: event.metadata.seq, count: countOf(event, key) };
  return place;
}

/** The number of pending deliveries of each chat before a revision. */
async function counted(
  deps: ReadDeliveriesDeps,
  sessionId: string,
  webhook: string,
  chats: ReadonlyMap<string, ChatBehind>,
  before: number,
): Promise<Record<string, ChatBehind>> {
  const counts = new Map<string, number>();
  const first = Math.min(...Array.from(chats.values(), ({ from }) => from));
  if (chats.size > 0) {
    const limit = before - first;
    for await (const event of readDeliveries(deps, sessionId, { from: first, limit })) {
      if (event.revision >= before) break;
      const { chat: key = '' } = event.metadata;
      const isDue = isWantedBy(event, webhook) && event.revision >= (chats.get(key)?.from ?? Infinity);
      if (isDue) counts.set(key, (counts.get(key) ?? 0) + 1);
    }
  }
  return Object.fromEntries(
    Array.from(chats, ([key, { from }]) => [key, { from, count: counts.get(key) ?? 0 }] as const).filter(
      ([, { count }]) => count > 0,
    ),
  );
}
