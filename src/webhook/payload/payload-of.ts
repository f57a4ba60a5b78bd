import { type LinkTo, messageContent } from '../../chats/message-content.ts';
import { extensionOf } from '../../media/links/extension.ts';
import type { ChatMessage } from '../../telegram/port/chat-message.ts';
import type { MediaRef } from '../../telegram/port/files.ts';
import type { ChatUser } from '../../telegram/port/updates.ts';
import { type DeliveredContent, type DeliveryEvent, deliveredTypes } from '../stream/delivery-events.ts';
import type { MessageData, Payload, PayloadData } from './payloads.ts';

export interface PayloadSession {
  id: string;
  /** The logged-in account, for an event that does not name its account. */
  generatedId: string;
}

/** The payload of a delivery event (WH2). */
export function payloadOf(
  session: PayloadSession,
  { id, metadata: { seq, at } }: Pick<DeliveryEvent, 'id' | 'metadata'>,
  delivered: DeliveredContent,
  link: (account: string, ref: MediaRef, ext: string) => string,
): Payload {
  const { account: generatedId = session.generatedId } = delivered.content;
  return {
    id,
    seq,
    type: deliveredTypes[delivered.type],
    created: iso(at),
    session: { ...session, generatedId },
    data: dataOf(delivered, (ref, ext) => link(generatedId, ref, ext)),
  } as Payload;
}

/** The payload of `POST /session/webhook/test`. */
export const testPayload = (session: PayloadSession, id: string, at: number): Payload => ({
  id,
  seq: 0,
  type: 'test',
  created: iso(at),
  session,
  data: {},
});

function dataOf({ type, content }: DeliveredContent, linkTo: LinkTo): PayloadData {
  const { user } = content;
  switch (type) {
    case 'MessageReceived':
      return messageData(user, content.message, linkTo);
    case 'MessageEdited': {
      const message = messageData(user, content.message, linkTo);
      return { ...message, edited: iso(content.message.edited ?? message.created) };
    }
    case 'MessagesRead':
      return { chatId: user.id, upTo: String(content.upTo), fromMe: content.fromMe, user: userOf(user) };
    case 'MessagesDeleted':
      return { chatId: user.id, messageIds: content.messageIds.map(String), user: userOf(user) };
  }
}

function messageData(user: ChatUser, message: ChatMessage, linkTo: LinkTo): MessageData {
  const { id, chatId, fromMe, replyTo, created } = message;
  return {
    id: String(id),
    chatId,
    fromMe,
    user: userOf(user),
    ...contentOf(message, linkTo),
    replyTo: replyTo === undefined ? '' : String(replyTo),
    created: iso(created),
  };
}

type Content = Pick<MessageData, 'type' | 'text' | 'audio' | 'voice' | 'location' | 'contact'>;

/** As in a channel's message, except for the kinds that have a type of their own here. */
function contentOf(message: ChatMessage, linkTo: LinkTo): Content {
  const { id, chatId, text, media } = message;
  const fileLink = (mimetype: string, name: string): string =>
    linkTo({ chatId, messageId: String(id), variant: 'file' }, extensionOf(mimetype, name));
  switch (media?.kind) {
    case 'audio': {
      const { name, duration, size, mimetype } = media;
      return { type: 'audio', text, audio: { url: fileLink(mimetype, name), name, duration, size, mimetype } };
    }
    case 'voice': {
      const { name, duration, size, mimetype } = media;
      return { type: 'voice', text, voice: { url: fileLink(mimetype, name), duration, size, mimetype } };
    }
    case 'location': {
      const { latitude, longitude } = media;
      return { type: 'location', text, location: { latitude, longitude, name: '', address: '' } };
    }
    case 'venue': {
      const { latitude, longitude, title, address } = media;
      return { type: 'location', text, location: { latitude, longitude, name: title, address } };
    }
    case 'contact': {
      const { name, phone, userId } = media;
      return { type: 'contact', text, contact: { name, phone, userId } };
    }
    default:
      return messageContent(message, linkTo);
  }
}

const userOf = ({ id, name, username, phone }: ChatUser): MessageData['user'] => ({ id, name, username, phone });

const iso = (time: number | string): string => new Date(time).toISOString();
