import type { LightAbortSignal } from '../../../actors/kit/light-abort.ts';
import type { ChatMessage, MessageMedia } from './chat-message.ts';
import type { TextEntity } from './text.ts';

/** Telegram's counters of an account's updates (https://core.telegram.org/api/updates). */
export interface UpdatePosition {
  pts: number;
  qts: number;
  /** Seconds since 1970, Telegram's clock. */
  date: number;
}

/** The number of a supergroup's or channel's own box of updates. */
export interface ChannelPosition {
  /** `-1003001` */
  id: string;
  pts: number;
}

/** The other side of a private chat, a person or a bot; or who wrote in another chat, which may be the chat itself. Texts
 * that Telegram does not give are empty. */
export interface ChatUser {
  id: string;
  /** First and last name. */
  name: string;
  /** Without @. */
  username: string;
  /** Digits. */
  phone: string;
  /** Telegram's ID of the profile photo; a new photo has a new ID. Undefined if there is none, or it is unknown. */
  photoId?: string;
}

/** The chat in which something happened. */
export interface UpdateChat {
  id: string;
  kind: 'user' | 'bot' | 'group' | 'channel';
  name: string;
}

/** How a member of a group or channel has changed. */
export type MemberAction =
  | 'joined'
  | 'added'
  | 'left'
  | 'removed'
  | 'promoted'
  | 'demoted'
  | 'restricted'
  | 'unrestricted';

/** How many have chosen an option of a poll. */
export interface PollResult {
  /** Its text; empty if Telegram does not say. */
  text: string;
  /** Telegram's bytes for it, base64. */
  option: string;
  voters: number;
}

/** An update that is not recorded: it is for those who look on. */
export type LiveUpdate =
  | { type: 'chat.typing'; chat: UpdateChat; user: ChatUser; action: string }
  /** `lastSeen`: milliseconds since 1970, if Telegram says. */
  | { type: 'user.status'; user: ChatUser; online: boolean; lastSeen: number | undefined };

/**
 * What happened in an account's chats. `account`: the account's own user ID. `at`: when, milliseconds since 1970
 * on the gateway's clock, to the second; undefined if Telegram does not say. `missed`: it was fetched, not pushed.
 */
export type AccountUpdate = {
  account?: string | undefined;
  at: number | undefined;
  missed: boolean;
} /** `chat` of what is not in a private chat: then `user` is the sender. `topic`: of a forum. */ & (
  | { type: 'message' | 'message.edited'; chat?: UpdateChat; topic?: number; user: ChatUser; message: ChatMessage }
  /** The gateway sent it, through this login or another one of the account. It is not delivered, but its edits, reads and deletions are. */
  | { type: 'message.sent'; chat?: UpdateChat; user: ChatUser; messageId: number }
  /** Without a chat, in private chats or basic groups: Telegram numbers them together and does not say which. */
  | { type: 'message.deleted'; chat?: UpdateChat; messageIds: number[] }
  /** All messages up to this ID were read: by the owner on another device (`fromMe`), or by the other side. */
  | { type: 'message.read'; user: ChatUser; upTo: number; fromMe: boolean }
  /** The same in a group or channel. */
  | { type: 'chat.read'; chat: UpdateChat; upTo: number; fromMe: boolean }
  /** The reactions to a message as they are now; `user`, and their reactions, if Telegram says whose changed. */
  | {
      type: 'message.reaction';
      chat: UpdateChat;
      messageId: number;
      /** By emoji; custom ones are counted under an empty text. */
      counts: Record<string, number>;
      user?: ChatUser;
      emojis: string[];
    }
  | { type: 'message.pinned'; chat: UpdateChat; messageIds: number[]; pinned: boolean }
  /** The votes of a poll as they are now; a bot gets each vote: the options (base64) of a person. */
  | { type: 'message.vote'; pollId: string; results: PollResult[]; user?: ChatUser; options?: string[] }
  /** For bots: a button was pressed. `data` is base64. */
  | { type: 'message.button'; chat: UpdateChat; messageId: number; user: ChatUser; data: string; queryId: string }
  /** The account itself. `by`: who did it, if Telegram says. */
  | { type: 'chat.joined' | 'chat.left'; chat: UpdateChat; by?: ChatUser }
  | { type: 'chat.member'; chat: UpdateChat; user: ChatUser; action: MemberAction; by?: ChatUser }
  /** A person has posted a story, or a channel (`chat`, which is the user then). `expires`: milliseconds since 1970. */
  | ({ type: 'story'; chat?: UpdateChat; user: ChatUser } & Story)
);

/** What a story shows. */
export interface Story {
  storyId: number;
  /** Milliseconds since 1970. */
  expires: number;
  /** Its caption. */
  text: string;
  entities?: TextEntity[];
  media?: MessageMedia;
}

/** What is recorded of an account's messages: Telegram numbers those of private chats and basic groups together. */
export interface KnownMessages {
  /** The highest ID of a recorded message that the gateway did not send; 0 if there is none. */
  upTo: number;
  /** IDs of messages above it that the gateway sent. */
  sent: ReadonlySet<number>;
  /** When the webhook was set, milliseconds since 1970: older messages are not wanted. */
  since: number;
}

export type UpdateType = Exclude<AccountUpdate['type'], 'message.sent'> | LiveUpdate['type'];

/** An update as far as its selection looks at it. */
export interface SelectedUpdate {
  type: UpdateType;
  chatId?: string | undefined;
  kind?: UpdateChat['kind'] | undefined;
}

/** The record of a session's updates. A session has at most one open at a time. */
export interface UpdateRecord {
  /** Whether updates are wanted now. If not, they need not be read. */
  readonly isWanted: boolean;
  /** Whether an update of these types, in some chat of this kind, may be wanted. */
  mayWant(types: readonly UpdateType[], kind?: UpdateChat['kind']): boolean;
  /**
   * Which updates are wanted now. A deletion without a chat is, if any may be.
   * @throws {RecordClosedError}
   */
  selection(): Promise<(update: SelectedUpdate) => boolean>;
  /**
   * Where the record of each supergroup and channel ends in this login, as far as it has recorded something of it lately.
   * @throws {StoreUnavailableError}
   */
  channels(): Promise<ReadonlyMap<string, number>>;
  /** Hands an update that is not recorded to those who look on. */
  live(update: LiveUpdate): void;
  /**
   * The position at which the record of this login ends; undefined if there is none. Called before the first `record`.
   * @throws {StoreUnavailableError}
   */
  resume(): Promise<UpdatePosition | undefined>;
  /**
   * The position at which an earlier login of the same account ended, from which this one continues; undefined if there is
   * none. Called before the first `record`.
   * @param account user ID
   * @throws {StoreUnavailableError}
   */
  continueFrom(account: string): Promise<UpdatePosition | undefined>;
  /** The messages that are recorded, if updates are wanted. @throws {StoreUnavailableError} */
  known(): Promise<KnownMessages | undefined>;
  /**
   * Records the updates between two positions together with the second one, all or none. Resolves when they are durable,
   * however long the store is away. Without updates it records that the account (its user ID) is up to date at that
   * position. Calls must not overlap.
   * @param channel the updates, up to 100, are of this supergroup's or channel's own box, which has come so far; `from` and
   * `to` are the same then
   * @throws {RecordSupersededError} {@link RecordClosedError}
   */
  record(
    updates: readonly AccountUpdate[],
    from: UpdatePosition,
    to: UpdatePosition,
    account?: string,
    channel?: ChannelPosition,
  ): Promise<void>;
  /** Stops waiting for a store that is away. */
  close(): void;
}

export interface UpdateRecording {
  /**
   * @param login number of the login attempt; another one starts a new record
   * @param onWanted called when a webhook was set: updates seen before that call are from before the webhook
   */
  open(sessionId: string, login: number, onWanted: () => void): UpdateRecord;
}

/** Another writer has recorded. Continue from the position of {@link UpdateRecord.resume}. */
export class RecordSupersededError extends Error {
  override name = 'RecordSupersededError';
}

/** The updates are dropped; a later run fetches them again. */
export class RecordClosedError extends Error {
  override name = 'RecordClosedError';
}

/** Where a message stands, for all logins of its account. */
export interface AccountMessage {
  /** User ID of the account. */
  account: string;
  chatId: string;
  messageId: number;
}

/**
 * What a process knows of a message:
 * - `sent`: it has sent it
 * - `in flight`: it may be one of those that are being sent; `ended` resolves when they are not any more
 * - `unknown`: it has not, or does not know of it any more
 */
export type SentStanding = { kind: 'sent' } | { kind: 'in flight'; ended: Promise<unknown> } | { kind: 'unknown' };

/** What the logins of this process have sent, for the other processes. */
export interface AccountSends {
  standingOf(message: AccountMessage): SentStanding;
  /** @param ask whether another process has sent a message */
  asksElsewhere(ask: (message: AccountMessage, signal: LightAbortSignal) => Promise<boolean>): void;
}
