import type { LightAbortSignal } from '../../../actors/kit/light-abort.ts';
import type { ChatMessage } from './chat-message.ts';
import type { Peer } from './peer.ts';
import type { ChatUser } from './updates.ts';

/** A message with what a reader of the chat sees beside it. */
export interface SeenMessage {
  message: ChatMessage;
  /** The other side of a private chat, whichever side wrote; in other chats who wrote, which may be the chat itself. */
  author: ChatUser;
  /** The forum's topic, by the ID of its first message; 1 is General. Undefined outside of forums. */
  topic?: number;
  reactions: readonly SeenReaction[];
  /** Rows of inline buttons. */
  buttons: readonly (readonly SeenButton[])[];
}

/** `emoji` is empty for a custom emoji. */
export interface SeenReaction {
  emoji: string;
  count: number;
  /** The account is one of those who reacted so. */
  fromMe: boolean;
}

/** `url` is empty unless the button opens one. */
export interface SeenButton {
  text: string;
  url: string;
}

/** A private chat, group or channel of the account's list. */
export interface ListedChat {
  id: string;
  kind: 'user' | 'bot' | 'group' | 'channel';
  name: string;
  /** Without @; empty if none. */
  username: string;
  /** Telegram's ID of the small photo; undefined if there is none. */
  photoId?: string;
  unread: number;
  muted: boolean;
  pinned: boolean;
  archived: boolean;
  /** The newest message; undefined if there is none, or it is a service message. */
  last?: SeenMessage;
}

/** Where a page of the list ended. */
export interface ListPlace {
  /** Of the last chat's newest message: seconds since 1970, and its ID. 0 for both: only pinned chats came so far. */
  date: number;
  messageId: number;
  /** The last chat. */
  chatId: string;
  /** Chats on the pages so far. */
  seen: number;
}

export interface ListPage {
  /** Newest first; the pinned ones come before all others of the first page, in addition to its limit. */
  chats: ListedChat[];
  /** Undefined if it is the last page. */
  next?: ListPlace;
}

export interface MessagePage {
  /** Newest first; service messages are left out. */
  messages: SeenMessage[];
  /** The lowest ID of the page, service messages included; 0 if there is nothing older. */
  before: number;
}

/** Which messages of a chat are asked for: up to `limit` (100) older than `before` (0: the newest), of a forum's topic or all. */
export interface MessagesOptions {
  before: number;
  limit: number;
  topic?: number | undefined;
}

/** Where a page of a search in all chats ended. */
export interface SearchPlace {
  /** Telegram's, for the next page. */
  rate: number;
  /** Of the last message found. */
  chatId: string;
  messageId: number;
}

export interface SearchPage {
  /** Newest first. */
  messages: SeenMessage[];
  /** Undefined if it is the last page. */
  next?: SearchPlace;
}

/**
 * The chats of the connected account, as a reader sees them. Every call throws {@link TelegramError} and
 * {@link NotConnectedError}; those that name a chat throw {@link PeerNotFoundError} or {@link NotJoinedError}.
 */
export interface ChatReading {
  list(
    options: { archived: boolean; after: ListPlace | undefined; limit: number },
    signal: LightAbortSignal,
  ): Promise<ListPage>;
  /** One chat, listed or not. */
  chat(peer: Peer, signal: LightAbortSignal): Promise<ListedChat>;
  messages(peer: Peer, page: MessagesOptions, signal: LightAbortSignal): Promise<MessagePage>;
  /** Undefined if the chat has no such message, or it is a service message. */
  message(peer: Peer, id: number, signal: LightAbortSignal): Promise<SeenMessage | undefined>;
  /** The account's queue of the chat: at most 100 messages that Telegram sends later, the first to leave first. */
  scheduled(peer: Peer, signal: LightAbortSignal): Promise<SeenMessage[]>;
  /** As {@link messages}, those that have the words. */
  search(peer: Peer, words: string, page: MessagesOptions, signal: LightAbortSignal): Promise<MessagePage>;
  /** The messages of all chats that have the words; those of Telegram's own accounts are left out. */
  searchAll(
    words: string,
    page: { after: SearchPlace | undefined; limit: number },
    signal: LightAbortSignal,
  ): Promise<SearchPage>;
}
