import type { BridgeDeps } from './deliver-incoming.ts';
import { chatOf, takeOutgoing } from './take-outgoing.ts';

/** Activity of so long before the last look is looked at again: a message may become visible after a later one. */
const overlapS = 120;
const maxPages = 200;

/**
 * Takes the messages whose webhook did not arrive: Chatwoot sends it once, and not again if the bridge was away.
 * @param wake called for each conversation that has something new
 * @throws {Problem}
 */
export async function catchUp(deps: BridgeDeps, wake: (conversationId: number) => void): Promise<void> {
  const { store, chatwoot } = deps;
  const floor = Number(store.meta('activity') ?? store.meta('since') ?? 0) - overlapS;
  let newest = 0;
  for (let page = 1; page <= maxPages; page += 1) {
    const conversations = await chatwoot.recentConversations(page);
    newest = Math.max(newest, ...conversations.map((conversation) => conversation.last_activity_at ?? 0));
    const recent = conversations.filter(({ last_activity_at = 0 }) => last_activity_at >= floor);
    for (const conversation of recent) {
      const chatId = chatOf(deps, conversation);
      if (chatId !== undefined && (await catchUpConversation(deps, { id: conversation.id, chatId })))
        wake(conversation.id);
    }
    if (conversations.length === 0 || recent.length < conversations.length) break;
  }
  if (newest > 0) store.setMeta('activity', String(newest));
}

/**
 * Records all messages of a conversation that were not looked at yet. @returns whether the customer is to get one of them
 * @throws {Problem}
 */
export async function catchUpConversation(
  deps: BridgeDeps,
  conversation: { id: number; chatId: string },
): Promise<boolean> {
  const { store, chatwoot } = deps;
  const { id, chatId } = conversation;
  // What was written before the bridge first ran is not sent now.
  const since = Number(store.meta('since') ?? 0);
  let cursor = store.conversation(id)?.cursor ?? 0;
  let hasNew = false;
  for (let page = 0; page < maxPages; page += 1) {
    const messages = await chatwoot.messages(id, { after: cursor });
    const later = messages.filter((message) => message.id > cursor);
    for (const message of later) {
      if (Number(message.created_at) >= since && takeOutgoing(deps, conversation, message)) hasNew = true;
    }
    cursor = later.at(-1)?.id ?? cursor;
    store.setCursor(id, chatId, cursor);
    if (later.length === 0) break;
  }
  return hasNew;
}
