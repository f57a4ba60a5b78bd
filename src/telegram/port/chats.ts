import type { LightAbortSignal } from '../../../actors/kit/light-abort.ts';
import type { Peer } from './account.ts';
import type { ChatMessage } from './chat-message.ts';

/** A joined group or channel. */
export interface Chat extends Peer {
  kind: 'group' | 'channel';
  name: string;
  /** Public username without @; empty if none. */
  username: string;
  photo?: ChatPhoto;
  /** When the account joined, milliseconds since 1970; of a basic group maybe when the group was made. */
  joined: number;
  /** The account created or administers it. */
  isAdmin: boolean;
}

/** The small photo of a chat, as it is now: another photo has another ID. */
export interface ChatPhoto {
  id: string;
  /** The data centre that it lies in. */
  dc: number;
}

/** What Telegram tells of one chat at a time alone, and not often. */
export interface ChatDetails {
  /** The chat's own words about itself; empty if none. */
  description: string;
  /** When the account joined a basic group, milliseconds since 1970: the chat itself does not say. */
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
 * {@link NotConnectedError}; those that name one chat throw {@link NotJoinedError} where the account is not in it.
 */
export interface AccountChats {
  /**
   * All that the account is in, archived ones and those in folders too; a migrated group is its supergroup. May be some
   * seconds old, unless Telegram has told of a change.
   */
  joined(signal: LightAbortSignal): Promise<readonly Chat[]>;
  /** One of them, as it is now. @throws {PeerNotFoundError} */
  get(peer: Peer, signal: LightAbortSignal): Promise<Chat>;
  details(peer: Peer, signal: LightAbortSignal): Promise<ChatDetails>;
  /** JPEG; undefined where there is none any more. */
  photo(peer: Peer, photo: ChatPhoto, signal: LightAbortSignal): Promise<Buffer | undefined>;
  /** At most `limit` of them, each once. */
  members(peer: Peer, limit: number, signal: LightAbortSignal): Promise<ChatMember[]>;
  /** Up to 100 messages older than `before`; 0 asks for the newest. */
  history(peer: Peer, before: number, signal: LightAbortSignal): Promise<HistoryPage>;
}
