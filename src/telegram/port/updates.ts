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
}

/**
 * What happened in an account's private chats. `account`: the account's own user ID. `at`: when, milliseconds since 1970
 * on the gateway's clock, to the second; undefined if Telegram does not say. `missed`: it was fetched, not pushed.
 */
export type AccountUpdate = { account?: string | undefined; at: number | undefined; missed: boolean } & (
  | { type: 'message' | 'message.edited'; user: ChatUser; message: ChatMessage }
  /** This login sent it. It is not delivered, but its edits, reads and deletions are. */
  | { type: 'message.sent'; user: ChatUser; messageId: number }
  /** In private chats or basic groups: Telegram numbers them together and does not say which. */
  | { type: 'message.deleted'; messageIds: number[] }
  /** All messages up to this ID were read: by the owner on another device (`fromMe`), or by the other side. */
  | { type: 'message.read'; user: ChatUser; upTo: number; fromMe: boolean }
);

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
   * Records the updates between two positions together with the second one, all or none. Resolves when they are durable,
   * however long the store is away. Without updates it records that the account is up to date at that position. Calls
   * must not overlap.
   * @throws {RecordSupersededError} {@link RecordClosedError}
   */
  record(updates: readonly AccountUpdate[], from: UpdatePosition, to: UpdatePosition): Promise<void>;
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
