import type { Delivery } from '../deliveries.ts';

/** The messages of private chats, folded from what the webhook was told: by chat and message ID, the text. */
export function privateHistory(deliveries: readonly Delivery[]): Map<string, Map<string, string>> {
  const chats = new Map<string, Map<string, string>>();
  for (const { type, content } of deliveries) {
    if (type === 'MessageReceived' || type === 'MessageEdited') {
      const { chatId, id, text } = content.message;
      const chat = chats.get(chatId) ?? new Map<string, string>();
      if (type === 'MessageReceived' || chat.has(String(id))) chats.set(chatId, chat.set(String(id), text));
    } else if (type === 'MessagesDeleted') {
      // Telegram numbers private chats together, and does not say which of them.
      for (const id of content.messageIds) for (const chat of chats.values()) chat.delete(String(id));
    }
  }
  return chats;
}
