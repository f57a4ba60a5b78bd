import type { ChatMessage } from './chat-message.ts';

/** Telegram's counters of an account's updates (https://core.telegram.org/api/updates). */
export interface UpdatePosition {
  pts: number;
  qts: number;
  /** Seconds since 1970, Telegram's clock. */
  date: number;
}

/** The other side of a private chat, a person or a bot. Texts that Telegram does not give are empty. */
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

/**
 * What happened in an account's private chats. `account`: the account's own user ID. `at`: when, milliseconds since 1970
 * on the gateway's clock, to the second; undefined if Telegram does not say. `missed`: it was fetched, not pushed.
 */
export type AccountUpdate = { account?: string | undefined; at: number | undefined; missed: boolean } & (
  | { type: 'message' | 'message.edited'; user: ChatUser; message: ChatMessage }
  /** The gateway sent it, through this login or another one of the account. It is not delivered, but its edits, reads and deletions are. */
  | { type: 'message.sent'; user: ChatUser; messageId: number }
  /** In private chats or basic groups: Telegram numbers them together and does not say which. */
  | { type: 'message.deleted'; messageIds: number[] }
  /** All messages up to this ID were read: by the owner on another device (`fromMe`), or by the other side. */
  | { type: 'message.read'; user: ChatUser; upTo: number; fromMe: boolean }
);

/** What is recorded of an account's messages: Telegram numbers those of private chats and basic groups together. */
export interface KnownMessages {
  /** The highest ID of a recorded message that the gateway did not send; 0 if there is none. */
  upTo: number;
  /** IDs of messages above it that the gateway sent. */
  sent: ReadonlySet<number>;
  /** When the webhook was set, milliseconds since 1970: older messages are not wanted. */
  since: number;
}

/** The record of a session's updates. A session has at most one open at a time. */
export interface UpdateRecord {
  /** Whether updates are wanted now. If not, they need not be read. */
  readonly isWanted: boolean;
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
   * @throws {RecordSupersededError} {@link RecordClosedError}
   */
  record(updates: readonly AccountUpdate[], from: UpdatePosition, to: UpdatePosition, account?: string): Promise<void>;
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
