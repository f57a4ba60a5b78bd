import type { LightAbortSignal } from '../../../actors/kit/light-abort.ts';
import type { ChatMessage } from './chat-message.ts';
import type { Peer } from './peer.ts';

/** A joined group or channel. */
export interface Chat extends Peer {
  kind: 'group' | 'channel';
  name: string;
  /** Public username without @; empty if none. */
  username: string;
  photo?: ChatPhoto;
  /** When the account joined, milliseconds since 1970; for a basic group it may be when the group was created. */
  joined: number;
  /** The account created or administers it. */
  isAdmin: boolean;
}

/** The current small photo of a chat. A new photo has a new ID. */
export interface ChatPhoto {
  id: string;
  /** The data centre that stores it. */
  dc: number;
}

/** Details that Telegram gives for one chat at a time, and limits in rate. */
export interface ChatDetails {
  /** The description; empty if none. */
  description: string;
  /** When the account joined a basic group, milliseconds since 1970; the chat object does not have it. */
  joined?: number;
}

export interface ChatMember {
  /** User ID. */
  id: string;
  /** First and last name; empty if none. */
  name: string;
  /** Without @; empty if none. */
  username: string;
  /** Digits; empty unless shared with the account. */
  phone: string;
}

export interface HistoryPage {
  chat: Chat;
  /** Newest first; service messages are left out. */
  messages: ChatMessage[];
  /** The lowest message ID of the page, service messages included; 0 when it reached the beginning. */
  before: number;
}

/**
 * Groups and channels as the connected account sees them. Every call throws {@link TelegramError} and
 * {@link NotConnectedError}; those that name one chat throw {@link NotJoinedError} if the account is not in it.
 */
export interface AccountChats {
  /**
   * All chats that the account is in, archived ones and those in folders included; a migrated group is its supergroup. The
   * list may be some seconds old, unless Telegram pushed a change.
   */
  joined(signal: LightAbortSignal): Promise<readonly Chat[]>;
  /** One of them, fetched now. @throws {PeerNotFoundError} */
  get(peer: Peer, signal: LightAbortSignal): Promise<Chat>;
  details(peer: Peer, signal: LightAbortSignal): Promise<ChatDetails>;
  /** JPEG; undefined if it no longer exists. */
  photo(peer: Peer, photo: ChatPhoto, signal: LightAbortSignal): Promise<Buffer | undefined>;
  /** Up to `limit` members, each once. */
  members(peer: Peer, limit: number, signal: LightAbortSignal): Promise<ChatMember[]>;
  /** Up to 100 messages older than `before`; 0 asks for the newest. */
  history(peer: Peer, before: number, signal: LightAbortSignal): Promise<HistoryPage>;
}
