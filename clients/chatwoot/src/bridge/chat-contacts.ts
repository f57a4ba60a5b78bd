import type { ChatwootClient } from '../chatwoot/chatwoot-client.ts';
import type { ChatwootContact } from '../chatwoot/payloads.ts';
import type { Config } from '../config.ts';
import type { MessageData } from '../gateway/envelope.ts';
import { Problem } from '../problem.ts';
import type { ChatRow, Store } from '../store/store.ts';

const prefix = 'telegram-';

/** The contact's `identifier` in Chatwoot: one person is one contact, whichever account they write to. */
const identifierOf = (chatId: string): string => `${prefix}${chatId}`;

/** The chat of a contact; undefined if the contact is not one of Telegram's. */
export function chatIdOf(identifier: string | null | undefined): string | undefined {
  return identifier?.startsWith(prefix) === true ? identifier.slice(prefix.length) : undefined;
}

/**
 * Contact and conversation of a chat: those that are known, else those that Chatwoot has, else new ones. Chatwoot is asked
 * before anything is created, since a crash may have come between its creation and the record of it.
 */
export async function openChat(
  { config, store, chatwoot }: { config: Config; store: Store; chatwoot: ChatwootClient },
  { chatId, user }: MessageData,
): Promise<ChatRow> {
  const known = store.chat(chatId);
  if (known !== undefined) return known;
  const identifier = identifierOf(chatId);
  const contact = (await chatwoot.findContact(identifier)) ?? (await createContact(chatwoot, identifier, user));
  const place = contact.contact_inboxes?.find(({ inbox }) => inbox.id === config.inboxId);
  const sourceId = place?.source_id ?? (await chatwoot.addToInbox(contact.id));
  const conversations = await chatwoot.conversationsOf(contact.id);
  const newest = conversations
    .filter(({ inbox_id }) => inbox_id === config.inboxId)
    .toSorted((one, other) => other.id - one.id)[0];
  const conversation = newest ?? (await chatwoot.createConversation(contact.id, sourceId));
  const row = { contactId: contact.id, sourceId, conversationId: conversation.id };
  store.setChat(chatId, row);
  return row;
}

async function createContact(
  chatwoot: ChatwootClient,
  identifier: string,
  user: MessageData['user'],
): Promise<ChatwootContact> {
  const { name, username, phone, picture } = user;
  const contact = {
    identifier,
    name: name || username || identifier,
    ...(picture === '' ? {} : { avatar_url: picture }),
  };
  if (phone === '') return chatwoot.createContact(contact);
  try {
    return await chatwoot.createContact({ ...contact, phone_number: `+${phone.replace(/^\+/, '')}` });
  } catch (error) {
    // Another contact has this phone already, or Chatwoot does not take it for one: the chat does not depend on it.
    if (error instanceof Problem && error.status === 422) return chatwoot.createContact(contact);
    throw error;
  }
}
