import type { EventStore } from '../../../actors/ports/event-store.ts';
import { type DeliveryMetadata, deliveryStream, isDelivered, placed } from './delivery-events.ts';
import { eventFrom, firstRevision } from './find-revision.ts';
import type { ChatBehind, OutboxProgress } from './outbox-progress.ts';
import { cutParked } from './parked.ts';

/**
 * The state that sends everything from a number on again, what was given up included; what waits longer than that goes on
 * waiting in its order, and is tried at once. What was for an earlier webhook is passed by.
 * @throws {StoreUnavailableError}
 */
export async function rewind(
  store: Pick<EventStore, 'read'>,
  sessionId: string,
  state: OutboxProgress,
  from: number,
): Promise<OutboxProgress> {
  const upTo = await placeBefore(store, sessionId, state, from);
  const earlier = Object.entries(state.chats).filter(([, chat]) => chat.from <= upTo.revision);
  return {
    ...state,
    upTo,
    chats: await counted(store, sessionId, new Map(earlier), upTo.revision + 1),
    parked: cutParked(state.parked, 0, from),
  };
}

/** The place before the first delivery of this webhook that has the number, or a higher one, and is still there. */
async function placeBefore(
  store: Pick<EventStore, 'read'>,
  sessionId: string,
  { since, upTo }: OutboxProgress,
  from: number,
): Promise<OutboxProgress['upTo']> {
  const isDue = (metadata: DeliveryMetadata): boolean => metadata.seq >= from && metadata.since >= since;
  const revision = await firstRevision(store, sessionId, upTo.revision, isDue);
  const first = revision > upTo.revision ? undefined : await eventFrom(store, sessionId, revision);
  if (first === undefined || first.revision > upTo.revision) return upTo;
  const { type, metadata } = first;
  return { seq: isDelivered(type) ? metadata.seq - 1 : metadata.seq, revision: first.revision - 1 };
}

/** How much of each chat is due before a revision. */
async function counted(
  store: Pick<EventStore, 'read'>,
  sessionId: string,
  chats: ReadonlyMap<string, ChatBehind>,
  before: number,
): Promise<Record<string, ChatBehind>> {
  const counts = new Map<string, number>();
  const first = Math.min(...Array.from(chats.values(), ({ from }) => from));
  if (chats.size > 0) {
    const limit = before - first;
    for await (const event of store.read(deliveryStream(sessionId), { from: first, limit })) {
      const { type, metadata, revision } = placed(event);
      if (revision >= before) break;
      const { chat: key = '' } = metadata;
      const isDue = isDelivered(type) && revision >= (chats.get(key)?.from ?? Infinity);
      if (isDue) counts.set(key, (counts.get(key) ?? 0) + 1);
    }
  }
  return Object.fromEntries(
    Array.from(chats, ([key, { from }]) => [key, { from, count: counts.get(key) ?? 0 }] as const).filter(
      ([, { count }]) => count > 0,
    ),
  );
}
