import type { Static, TObject } from 'typebox';
import { extensionOf } from '../media/links/extension.ts';
import type { ChatMessage } from '../telegram/port/chat-message.ts';
import type { ChatUser } from '../telegram/port/updates.ts';
import { entityObject } from './entity-object.ts';
import { type LinkTo, messageContent } from './message-content.ts';
import type { contentFields, userFields } from './message-schema.ts';
import { pollObject } from './poll-object.ts';

type ContentFields = Static<TObject<typeof contentFields>>;
type ContentObject = Omit<ContentFields, 'entities'>;
type UserObject = { id: string } & Static<TObject<typeof userFields>>;

/** A message of any chat as webhooks and answers have it (WH3). */
export type MessageObject = ContentFields & {
  id: string;
  chatId: string;
  fromMe: boolean;
  user: UserObject;
  /** Empty if it is no reply. */
  replyTo: string;
  created: string;
};

/** A message, and who wrote it or is the other side of its private chat. */
export function messageObject(user: ChatUser, message: ChatMessage, linkTo: LinkTo): MessageObject {
  const { id, chatId, fromMe, replyTo, created } = message;
  return {
    id: String(id),
    chatId,
    fromMe,
    user: userObject(user, linkTo),
    ...contentOf(message, linkTo),
    entities: (message.entities ?? []).map(entityObject),
    replyTo: replyTo === undefined ? '' : String(replyTo),
    created: iso(created),
  };
}

/** As in a channel's message, except for the kinds that have a type of their own here. */
function contentOf(message: ChatMessage, linkTo: LinkTo): ContentObject {
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
    case 'poll':
      return { ...messageContent(message, linkTo), ...(media.state && { poll: pollObject(media, media.state) }) };
    default:
      return messageContent(message, linkTo);
  }
}

export function userObject({ id, name, username, phone, photoId }: ChatUser, linkTo: LinkTo): UserObject {
  const ref = photoId && ({ chatId: id, messageId: photoId, variant: 'profile' } as const);
  return { id, name, username, phone, picture: ref ? linkTo(ref, 'jpg') : '' };
}

const iso = (time: number): string => new Date(time).toISOString();
