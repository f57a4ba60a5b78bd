import type { ChatMessage } from '../../../../src/telegram/port/chat-message.ts';
import type { DeliveryContent } from '../../../../src/webhook/stream/delivery-events.ts';
import type { Delivery } from '../deliveries.ts';

/** The messages of private chats, folded from what the webhook was told: by chat and message ID. */
export function privateHistory(deliveries: readonly Delivery[]): Map<string, Map<string, ChatMessage>> {
  const chats = new Map<string, Map<string, ChatMessage>>();
  for (const { type, content } of deliveries) {
    if (type === 'MessageReceived' || type === 'MessageEdited') {
      const { chatId, id } = content.message;
      const chat = chats.get(chatId) ?? new Map<string, ChatMessage>();
      if (type === 'MessageReceived' || chat.has(String(id))) chats.set(chatId, chat.set(String(id), content.message));
    } else if (type === 'MessagesDeleted') {
      // A channel or supergroup has numbers of its own.
      if ('chat' in content) continue;
      // Telegram numbers private chats together, and does not say which of them.
      for (const id of content.messageIds) for (const chat of chats.values()) chat.delete(String(id));
    }
  }
  return chats;
}

/** How far a private chat has been read: by the account (`own`), and by the other side (`other`). */
export interface ReadUpTo {
  own: number;
  other: number;
}

/** How far each private chat has been read, folded from what the webhook was told. 0: nothing was told. */
export function privateReads(deliveries: readonly Delivery[]): Map<string, ReadUpTo> {
  const chats = new Map<string, ReadUpTo>();
  for (const { type, content } of deliveries) {
    if (type !== 'MessagesRead') continue;
    const { own, other } = chats.get(content.user.id) ?? { own: 0, other: 0 };
    const { upTo, fromMe } = content;
    chats.set(content.user.id, fromMe ? { own: Math.max(own, upTo), other } : { own, other: Math.max(other, upTo) });
  }
  return chats;
}

/** The reactions to each message of a chat, by message ID and emoji, folded from what the webhook was told. */
export function reactionsTold(deliveries: readonly Delivery[], chatId: string): Map<string, Record<string, number>> {
  const messages = new Map<string, Record<string, number>>();
  for (const { type, content } of deliveries) {
    if (type !== 'ReactionsChanged') continue;
    const { chat, messageId, counts } = content as unknown as DeliveryContent['ReactionsChanged'];
    if (chat.id === chatId) messages.set(String(messageId), counts);
  }
  return messages;
}

/** The pinned messages of a chat, folded from what the webhook was told. */
export function pinsTold(deliveries: readonly Delivery[], chatId: string): Set<string> {
  const pinned = new Set<string>();
  for (const { type, content } of deliveries) {
    if (type !== 'MessagesPinned') continue;
    const told = content as unknown as DeliveryContent['MessagesPinned'];
    if (told.chat.id !== chatId) continue;
    for (const id of told.messageIds) {
      if (told.pinned) pinned.add(String(id));
      else pinned.delete(String(id));
    }
  }
  return pinned;
}
