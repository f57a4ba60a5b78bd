import type { LightAbortSignal } from '../../../actors/kit/light-abort.ts';
import type { ChatAdministration } from './administration.ts';
import type { ChatActions } from './chat-actions.ts';
import type { AccountChats } from './chats.ts';
import type { AccountFiles } from './files.ts';
import type { Interactions } from './interactions.ts';
import type { MessageActions } from './message-actions.ts';
import type {
  BeginSend,
  ChatAction,
  Forward,
  OutgoingMedia,
  OutgoingStory,
  PostedStory,
  QueuedSend,
  ScheduledMessage,
  SendMark,
} from './outgoing.ts';
import type { Peer } from './peer.ts';
import type { OwnAccount, People } from './people.ts';
import type { RawMethods } from './raw.ts';
import type { ChatReading } from './reading.ts';
import type { OutgoingMessage } from './text.ts';
import type { ForumTopics } from './topics.ts';

/** What features (messaging, chats, media, webhook) know of Telegram. `gramjs/` implements it. */

export type OutgoingText = OutgoingMessage & SendMark;

/** The connected account of one session. Every call takes a signal; when it is aborted, the call rejects with its reason. */
export interface TelegramAccount {
  /** The user ID of the account. */
  readonly id: string;
  /** Aborted with a {@link NotConnectedError} when the login has ended: nothing under way for it can succeed. */
  readonly ended: LightAbortSignal;
  readonly chats: AccountChats;
  readonly files: AccountFiles;
  /** Its chats, private ones too, as a reader sees them. */
  readonly reading: ChatReading;
  readonly messageActions: MessageActions;
  /** The people that it knows. */
  readonly people: People;
  /** What it says about itself, and its logins. */
  readonly own: OwnAccount;
  /** Groups and channels that it makes, changes, joins and leaves. */
  readonly administration: ChatAdministration;
  /** What no other member of this interface wraps. */
  readonly raw: RawMethods;
  readonly chatActions: ChatActions;
  readonly forumTopics: ForumTopics;
  readonly interactions: Interactions;
  /** The largest file that the account may send, in bytes. */
  readonly maxUploadBytes: number;
  /** The user with this ID, if the account has met them. @throws {PeerNotFoundError} */
  userById(id: string, signal: LightAbortSignal): Promise<Peer>;
  /** The chat with this public username (no @). @throws {InvalidUsernameError} @throws {PeerNotFoundError} */
  byUsername(username: string, signal: LightAbortSignal): Promise<Peer>;
  /** The user with this number (digits). @throws {PhoneNotFoundError} not on Telegram, or hidden by privacy. */
  byPhone(phone: string, signal: LightAbortSignal): Promise<Peer>;
  /** The joined basic group, supergroup or channel with this ID (`-…`). @throws {PeerNotFoundError} {@link NotJoinedError} */
  chatById(id: string, signal: LightAbortSignal): Promise<Peer>;
  /** Sends a text and returns its message ID. @throws {TelegramError} @throws {NotConnectedError} */
  sendText(peer: Peer, message: OutgoingText, signal: LightAbortSignal): Promise<number>;
  /** Sends media with a caption and returns the message ID. @throws {TelegramError} @throws {NotConnectedError} */
  sendMedia(
    peer: Peer,
    media: OutgoingMedia,
    caption: OutgoingMessage,
    begin: BeginSend,
    signal: LightAbortSignal,
  ): Promise<number>;
  /**
   * Sends 2 to 10 media as one album, whose first message has the caption: all or none. Returns the message IDs in the
   * order of the media. @throws {TelegramError} @throws {NotConnectedError}
   */
  sendAlbum(
    peer: Peer,
    album: readonly OutgoingMedia[],
    caption: OutgoingMessage,
    begin: BeginSend,
    signal: LightAbortSignal,
  ): Promise<number[]>;
  /**
   * Has Telegram send a message later: a text without media, one media with a caption, or an album.
   * @throws {TelegramError} @throws {NotConnectedError}
   */
  schedule(
    peer: Peer,
    media: readonly OutgoingMedia[],
    message: ScheduledMessage,
    begin: BeginSend,
    signal: LightAbortSignal,
  ): Promise<QueuedSend>;
  /**
   * Forwards up to 100 messages, all or none. Returns their IDs in the order of the messages.
   * @throws {MessageNotFoundError} @throws {TelegramError} @throws {NotConnectedError}
   */
  forward(peer: Peer, messages: Forward, begin: BeginSend, signal: LightAbortSignal): Promise<number[]>;
  /** The message of an earlier send with this number, if Telegram knows it. @throws {NotConnectedError} */
  sentBefore(peer: Peer, randomId: bigint, signal: LightAbortSignal): Promise<number | undefined>;
  /** The same for an earlier send of several messages: all of them, in their order. @throws {NotConnectedError} */
  batchSentBefore(peer: Peer, randomId: bigint, count: number, signal: LightAbortSignal): Promise<number[] | undefined>;
  /** Shows the typing indicator for some seconds, or ends it. @throws {TelegramError} @throws {NotConnectedError} */
  showTyping(peer: Peer, action: ChatAction, topic: number | undefined, signal: LightAbortSignal): Promise<void>;
  /** The story of an earlier posting, if Telegram knows it. @throws {NotConnectedError} */
  postedBefore(mark: SendMark, signal: LightAbortSignal): Promise<PostedStory | undefined>;
  /**
   * Posts to the account's own page.
   * @param mayBeOut an earlier request may have posted it; then the limit of stories is not checked
   * @throws {TelegramError} @throws {NotConnectedError}
   */
  postStory(story: OutgoingStory, begin: BeginSend, mayBeOut: boolean, signal: LightAbortSignal): Promise<PostedStory>;
}

/** The accounts that are connected now. */
export interface TelegramAccounts {
  get(sessionId: string): TelegramAccount | undefined;
}

/** A session without a connection to Telegram, between two attempts to get one or during an attempt. */
export interface Reconnecting {
  /** Failed attempts since it was connected last. */
  attempts: number;
  /** Why the last attempt failed, or the connection ended: `unreachable`, `no-answer`, `proxy-refused`. */
  reason: string;
  /** When the next attempt begins, milliseconds since 1970; undefined while one is under way. */
  nextAt: number | undefined;
}

/** How sessions stand with Telegram. */
export interface TelegramConnections {
  /** Undefined while the session is connected, or does not try. */
  reconnecting(sessionId: string): Reconnecting | undefined;
  /** The session's next attempt begins at once; no sooner than a second after the last one ended. No-op if none waits. */
  reconnect(sessionId: string): void;
}
