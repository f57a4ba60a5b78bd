import type { StopSignal } from '../../stop-signal.ts';
import type { Peer } from '../port.ts';
import type { ChatMessage } from './chat-message.ts';

/** A joined group or channel. */
export interface Chat extends Peer {
  kind: 'group' | 'channel';
  name: string;
  /** Public username without @; empty if none. */
  username: string;
  /** Telegram's ID of the small photo; empty if none. A new photo has a new one. */
  photoId: string;
  /** When the account joined, milliseconds since 1970. */
  joined: number;
  /** The account created or administers it. */
  isAdmin: boolean;
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
  /** Newest first; service messages are left out. */
  messages: ChatMessage[];
  /** The lowest message ID of the page, service messages included; 0 when it reached the beginning. */
  before: number;
}

/** Groups and channels as the connected account sees them. Every call throws {@link TelegramError} and {@link NotConnectedError}. */
export interface AccountChats {
  /** All that the account is in, archived ones and those in folders too; a migrated group is its supergroup. */
  joined(signal: StopSignal): Promise<Chat[]>;
  /** One of them. @throws {PeerNotFoundError} {@link NotJoinedError} */
  get(peer: Peer, signal: StopSignal): Promise<Chat>;
  /** The chat's own words about itself; empty if none. */
  description(peer: Peer, signal: StopSignal): Promise<string>;
  /** The small photo as JPEG; undefined if there is none. */
  photo(peer: Peer, signal: StopSignal): Promise<Buffer | undefined>;
  /** At most `limit` of them. */
  members(peer: Peer, limit: number, signal: StopSignal): Promise<ChatMember[]>;
  /** Up to 100 messages older than `before`; 0 asks for the newest. */
  history(peer: Peer, before: number, signal: StopSignal): Promise<HistoryPage>;
}
