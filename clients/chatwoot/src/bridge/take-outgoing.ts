import type { ChatwootConversation, ChatwootMessage } from '../chatwoot/payloads.ts';
import { chatIdOf } from './chat-contacts.ts';
import type { BridgeDeps } from './deliver-incoming.ts';

/** 1 and 3 in the API. A template is what Chatwoot itself writes to the customer, such as a greeting. */
const sentTypes = new Set<number | string>(['outgoing', 'template', 1, 3]);

/** Whether the customer is to get it: notes stay here, and what the bridge has written comes from Telegram. */
export function isForTelegram({
  message_type,
  private: isPrivate,
  source_id,
  content_attributes,
}: ChatwootMessage): boolean {
  return (
    sentTypes.has(message_type) &&
    !isPrivate &&
    source_id?.startsWith('telegram:') !== true &&
    content_attributes?.deleted !== true
  );
}

/** The chat of a conversation; undefined if its contact is not one of Telegram's. */
export function chatOf({ store }: Pick<BridgeDeps, 'store'>, conversation: ChatwootConversation): string | undefined {
  return store.conversation(conversation.id)?.chatId ?? chatIdOf(conversation.meta?.sender?.identifier);
}

/** Records a message of an agent, if the customer is to get it. @returns whether it is new */
export function takeOutgoing(
  { store }: Pick<BridgeDeps, 'store'>,
  conversation: { id: number; chatId: string },
  message: ChatwootMessage,
): boolean {
  return isForTelegram(message) && store.recordOutgoing(conversation.chatId, conversation.id, message, Date.now());
}
