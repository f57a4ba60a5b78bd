import type { EventStore } from '../../actors/event-store.ts';
import { deliveryStream, isDelivered, placed } from './delivery-events.ts';
import { firstRevision } from './find-revision.ts';
import type { ChatBehind, OutboxState } from './outbox-state.ts';
import { cutParked } from './parked.ts';

/**
 * The state that sends everything from a number on again, what was given up included; what waits longer than that goes on
 * waiting in its order, and is tried at once.
 * @throws {StoreUnavailableError}
 */
export async function rewind(
  store: Pick<EventStore, 'read'>,
  sessionId: string,
  state: OutboxState,
  from: number,
): Promise<OutboxState> {
  const { upTo } = state;
  const isSent = from <= upTo.seq;
  const revision = isSent
    ? await firstRevision(store, sessionId, upTo.revision, ({ seq }) => seq >= from)
    : upTo.revision + 1;
  const earlier = Object.entries(state.chats).filter(([, chat]) => chat.from < revision);
  return {
    ...state,
    upTo: isSent ? { seq: from - 1, revision: revision - 1 } : upTo,
    chats: await counted(store, sessionId, new Map(earlier), revision),
    parked: cutParked(state.parked, 0, from),
  };
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
