import type { ChatMessage } from './chat-message.ts';

/** Telegram's counters of what an account has been told (https://core.telegram.org/api/updates). */
export interface UpdatePosition {
  pts: number;
  qts: number;
  /** Seconds since 1970, Telegram's clock. */
  date: number;
}

/** The other side of a private chat, a person or a bot. Texts are empty where Telegram does not tell them. */
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
 * on the gateway's clock, to the second; undefined where Telegram does not say. `missed`: it was not pushed but asked for.
 */
export type AccountUpdate = { account?: string | undefined; at: number | undefined; missed: boolean } & (
  | { type: 'message' | 'message.edited'; user: ChatUser; message: ChatMessage }
  /** This login wrote it: nobody is told, but it can be edited, read and deleted like any other. */
  | { type: 'message.sent'; user: ChatUser; messageId: number }
  /** Of private chats or of basic groups: Telegram numbers them together and does not say which. */
  | { type: 'message.deleted'; messageIds: number[] }
  /** All up to this ID have been read: by the account's owner elsewhere (`fromMe`), or by the other side. */
  | { type: 'message.read'; user: ChatUser; upTo: number; fromMe: boolean }
);

/** What a session's updates are recorded in. One at a time for each session. */
export interface UpdateRecord {
  /** Whether anybody wants updates now: else they need not even be looked at. */
  readonly isWanted: boolean;
  /**
   * Where the record of this login ends; undefined where there is none. Asked first, before anything is recorded.
   * @throws {StoreUnavailableError}
   */
  resume(): Promise<UpdatePosition | undefined>;
  /**
   * Records the updates that lead from one position to another, together with the latter, all or none; resolves when they
   * are durable, however long the store is away. Without any it says that the account has come so far and is up to date.
   * One call after the other.
   * @throws {RecordSupersededError} {@link RecordClosedError}
   */
  record(updates: readonly AccountUpdate[], from: UpdatePosition, to: UpdatePosition): Promise<void>;
  /** Gives up waiting for a store that is away. */
  close(): void;
}

export interface UpdateRecording {
  /**
   * @param login the number of the login: another one counts anew
   * @param onWanted called when a webhook has been set: what has been seen by now is of the time before
   */
  open(sessionId: string, login: number, onWanted: () => void): UpdateRecord;
}

/** Somebody else has recorded: go on from where {@link UpdateRecord.resume} says. */
export class RecordSupersededError extends Error {
  override name = 'RecordSupersededError';
}

/** What was to be recorded is dropped: a later run asks Telegram for it again. */
export class RecordClosedError extends Error {
  override name = 'RecordClosedError';
}
