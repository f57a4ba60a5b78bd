import { Api } from 'telegram/tl/index.js';
import type { SeenButton, SeenMessage, SeenReaction } from '../../port/reading.ts';
import { generalTopic } from '../../port/topics.ts';
import type { ChatUser } from '../../port/updates.ts';
import { chatUserOf } from '../peers/chat-users.ts';
import { peerId } from '../peers/peers-in-updates.ts';
import { chatMessage } from './chat-message.ts';
import { usernameOf } from './joined-chat.ts';

/** The users and chats that an answer brings along, by ID. */
export class Entities {
  readonly #users = new Map<string, Api.User>();
  readonly #chats = new Map<string, Api.Chat | Api.Channel>();

  constructor({ users, chats }: { users: readonly Api.TypeUser[]; chats: readonly Api.TypeChat[] }) {
    for (const user of users) if (user instanceof Api.User) this.#users.set(user.id.toString(), user);
    for (const chat of chats) {
      if (chat instanceof Api.Chat) this.#chats.set(`-${chat.id.toString()}`, chat);
      if (chat instanceof Api.Channel) this.#chats.set(`-100${chat.id.toString()}`, chat);
    }
  }

  user(id: string): Api.User | undefined {
    return this.#users.get(id);
  }

  chat(id: string): Api.Chat | Api.Channel | undefined {
    return this.#chats.get(id);
  }

  /** A person, bot, group or channel that wrote; one that the answer does not name has only its ID. */
  author(id: string): ChatUser {
    const user = this.#users.get(id);
    if (user !== undefined) return chatUserOf(user);
    const chat = this.#chats.get(id);
    if (chat === undefined) return { id, name: '', username: '', phone: '' };
    const { photo } = chat;
    return {
      id,
      name: chat.title,
      username: chat instanceof Api.Channel ? usernameOf(chat) : '',
      phone: '',
      ...(photo instanceof Api.ChatPhoto && { photoId: photo.photoId.toString() }),
    };
  }
}

/** @param ownId the account's own user ID */
export function seenMessage(message: Api.Message, entities: Entities, ownId: string): SeenMessage {
  const chatId = peerId(message.peerId);
  const chat = entities.chat(chatId);
  const topic = chat instanceof Api.Channel && chat.forum ? topicOf(message) : undefined;
  return {
    message: chatMessage(message),
    author: entities.author(authorId(message, chatId, ownId)),
    ...(topic !== undefined && { topic }),
    reactions: reactionsOf(message.reactions),
    buttons: buttonsOf(message.replyMarkup),
  };
}

/** Who wrote a message; in a private chat the other side. */
export function authorId({ fromId, peerId: chat, out }: Api.Message, chatId: string, ownId: string): string {
  if (chat instanceof Api.PeerUser) return chatId;
  if (fromId) return peerId(fromId);
  // A post of a channel, and what an anonymous administrator writes, is the chat's own.
  return out && !(chat instanceof Api.PeerChannel) ? ownId : chatId;
}

/** In a forum a reply names its topic, or the message that it replies to is the topic's first one. */
export function topicOf({ replyTo }: Api.Message): number {
  if (!(replyTo instanceof Api.MessageReplyHeader) || !replyTo.forumTopic) return generalTopic;
  return replyTo.replyToTopId ?? replyTo.replyToMsgId ?? generalTopic;
}

function reactionsOf(reactions: Api.TypeMessageReactions | undefined): SeenReaction[] {
  return (reactions?.results ?? []).map(({ reaction, count, chosenOrder }) => ({
    emoji: reaction instanceof Api.ReactionEmoji ? reaction.emoticon : '',
    count,
    fromMe: chosenOrder !== undefined && chosenOrder !== null,
  }));
}

function buttonsOf(markup: Api.TypeReplyMarkup | undefined): SeenButton[][] {
  if (!(markup instanceof Api.ReplyInlineMarkup)) return [];
  return markup.rows.map(({ buttons }) =>
    buttons.map((button) => ({
      text: 'text' in button ? button.text : '',
      url: button instanceof Api.KeyboardButtonUrl ? button.url : '',
    })),
  );
}
