import type { LightAbortSignal } from '../../../actors/kit/light-abort.ts';
import type { AccountChats } from './chats.ts';
import type { AccountFiles } from './files.ts';
import type { BeginSend, ChatAction, OutgoingMedia, OutgoingStory, PostedStory, SendMark } from './outgoing.ts';

/**
 * What the features (messaging, directory, media, webhook) know of Telegram. Behind it stands GramJS
 * (`gramjs/`), but nothing here says so.
 */

/** A chat that can be written to: resolved, with whatever the library needs kept inside `src/telegram/`. */
export interface Peer {
  kind: 'user' | 'group' | 'channel';
  /** As the interface spells it: `1001`, `-2001` (basic group), `-1003001` (supergroup, channel). */
  id: string;
}

export interface FormattedText {
  text: string;
  entities: readonly TextEntity[];
}

/** Offsets and lengths in UTF-16 code units, as Telegram counts them. */
export type TextEntity = { offset: number; length: number } & (
  | {
      type: 'bold' | 'italic' | 'underline' | 'strikethrough' | 'spoiler' | 'code' | 'blockquote';
    }
  | { type: 'pre'; language: string }
  | { type: 'link'; url: string }
  | { type: 'mention'; userId: string }
);

export interface OutgoingMessage extends FormattedText {
  /** Message ID in the same chat. */
  replyTo?: number | undefined;
  silent?: boolean | undefined;
}

export type OutgoingText = OutgoingMessage & SendMark;

/** The connected account of one session. Every call takes a signal: aborted, it stops and rejects with its reason. */
export interface TelegramAccount {
  readonly chats: AccountChats;
  readonly files: AccountFiles;
  /** The user with this ID, if the account has met them. @throws {PeerNotFoundError} */
  userById(id: string, signal: LightAbortSignal): Promise<Peer>;
  /** Whoever has this public username (no @). @throws {InvalidUsernameError} @throws {PeerNotFoundError} */
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
  /** The message that a former send with this number became, as far as Telegram says. @throws {NotConnectedError} */
  sentBefore(peer: Peer, randomId: bigint, signal: LightAbortSignal): Promise<number | undefined>;
  /** Shows it for some seconds, or no longer. @throws {TelegramError} @throws {NotConnectedError} */
  showTyping(peer: Peer, action: ChatAction, signal: LightAbortSignal): Promise<void>;
  /** The story that a former posting became, as far as Telegram says. @throws {NotConnectedError} */
  postedBefore(mark: SendMark, signal: LightAbortSignal): Promise<PostedStory | undefined>;
  /**
   * On the account's own page.
   * @param mayBeOut it was begun before: whether there is room for one more says nothing then
   * @throws {TelegramError} @throws {NotConnectedError}
   */
  postStory(story: OutgoingStory, begin: BeginSend, mayBeOut: boolean, signal: LightAbortSignal): Promise<PostedStory>;
}

/** The accounts that are connected now. */
export interface TelegramAccounts {
  get(sessionId: string): TelegramAccount | undefined;
}

/** Telegram refused: its code and name, and the request that caused it. */
export class TelegramError extends Error {
  override name = 'TelegramError';
  /** 303, 400, 401, 403, 406, 420, 500, … */
  readonly code: number;
  /** `CHAT_WRITE_FORBIDDEN`; numbers that Telegram appends stay in it: `FLOOD_WAIT_120`. */
  readonly errorName: string;
  /** `messages.SendMessage` */
  readonly request: string;
  /** What Telegram asks to wait, where it does. */
  readonly waitSeconds: number | undefined;

  /** The message is worded as the interface has it (ER3). */
  constructor(code: number, errorName: string, request: string) {
    const wait = /^(FLOOD|FLOOD_PREMIUM|SLOWMODE)_WAIT_(\d+)$/.exec(errorName);
    const isFlood = wait !== null && wait[1] !== 'SLOWMODE';
    super(
      isFlood
        ? `A wait of ${wait[2]} seconds is required (caused by ${request})`
        : `${code}: ${errorName} (caused by ${request})`,
    );
    this.code = code;
    this.errorName = errorName;
    this.request = request;
    this.waitSeconds = wait === null ? undefined : Number(wait[2]);
  }

  /** A wait passes, and so does a fault of Telegram's own (https://core.telegram.org/api/errors#500-internal). */
  get retryable(): boolean {
    return this.waitSeconds !== undefined || this.code >= 500;
  }

  get retryAfterMs(): number | undefined {
    return this.waitSeconds === undefined ? undefined : this.waitSeconds * 1000;
  }
}

/** The account is not connected to Telegram now; a retry may help. */
export class NotConnectedError extends Error {
  override name = 'NotConnectedError';
  readonly retryable = true;
}

/** No such user, group or channel, or the account has never met it. */
export class PeerNotFoundError extends Error {
  override name = 'PeerNotFoundError';
}

/** The account knows of this group or channel, and is not in it. */
export class NotJoinedError extends PeerNotFoundError {
  override name = 'NotJoinedError';
}

/** Not a username at all. */
export class InvalidUsernameError extends Error {
  override name = 'InvalidUsernameError';
}

/** The number is not on Telegram, or hidden by its privacy settings. */
export class PhoneNotFoundError extends Error {
  override name = 'PhoneNotFoundError';
}
