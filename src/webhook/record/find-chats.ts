import type { EventStore } from '../../../actors/ports/event-store.ts';
import type { Sealer } from '../../../actors/ports/sealer.ts';
import type { ChatUser } from '../../telegram/port/updates.ts';
import {
  type DeliveryData,
  type DeliveryFact,
  type DeliveryMetadata,
  deliveryStream,
} from '../stream/delivery-events.ts';

/** How far back is looked at most: further back than anybody deletes but once in a while. */
const mostEvents = 20_000;

const beginsMessage = new Set<string>(['MessageReceived', 'MessageSent'] satisfies DeliveryFact[]);

/**
 * Finds the private chats of messages in the session's own delivery stream, from its newest event back. Telegram numbers
 * the messages of an account's private chats in the order in which they come: what begins before the earliest one looked
 * for ends the search, and so does another login.
 */
export async function findChats(
  { store, sealer }: { store: Pick<EventStore, 'read'>; sealer: Pick<Sealer, 'open'> },
  sessionId: string,
  login: number,
  messageIds: readonly number[],
): Promise<Map<number, ChatUser>> {
  const found = new Map<number, ChatUser>();
  const wanted = new Set(messageIds);
  const earliest = Math.min(...messageIds);
  const newestFirst = store.read(deliveryStream(sessionId), { direction: 'backwards', limit: mostEvents });
  for await (const { type, data, metadata } of newestFirst) {
    const { messageIds: ids = [], login: toldTo } = metadata as unknown as DeliveryMetadata;
    if (toldTo !== login) break;
    const hits = ids.filter((id) => wanted.has(id));
    if (hits.length > 0) {
      const { content } = data as DeliveryData;
      const text = content && (await sealer.open(sessionId, content));
      if (text !== undefined) {
        const { user } = JSON.parse(text) as { user: ChatUser };
        for (const id of hits) {
          wanted.delete(id);
          found.set(id, user);
        }
      }
    }
    if (wanted.size === 0 || (beginsMessage.has(type) && ids.every((id) => id < earliest))) break;
  }
  return found;
}
