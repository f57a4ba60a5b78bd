import type { OwnedPartitions, Partitions } from '../ports/ownership.ts';
import type { CodeOutcome, LoginRequest, StringFormat, TelegramSession } from '../ports/telegram-session.ts';
import type { SealedWebhook, SessionState } from '../session/events.ts';
import type { CreationSettings, Pace, SessionNames, SessionSettings, Webhook } from '../session/session-settings.ts';

/** The result of a command: the position of its event. A reader waits for it to read its own write. */
export interface Recorded {
  position: bigint;
}

/** Who sends a command, and with which request. */
export interface CommandOrigin {
  /** Recorded with the event (KY4). Default: `gateway`. */
  author?: string | undefined;
  /** ID of the request, for the log. */
  reqId?: string | undefined;
}

/**
 * The commands that HTTP calls. Each session has exactly one actor. Commands on one session run one after the other, in
 * the order of the calls.
 * Every command but `create` throws {@link SessionNotFoundError} or {@link SessionNotActiveError}. Every command throws
 * `StoreUnavailableError` if nothing could be recorded; then nothing has changed.
 */
export interface Sessions {
  /** Restores every live session from the store, a limited number at a time. Resolves when the last one is active. */
  start(): Promise<void>;
  /**
   * Instead of {@link start} among several nodes: restores the sessions of these partitions. Resolves when all are active; one that
   * takes longer than 5 seconds no longer delays the others.
   */
  take(partitions: OwnedPartitions): Promise<void>;
  /**
   * To be called before {@link release}: the next owner knows what is recorded, and nothing of what is under way.
   * @returns resolves when commands that give external IDs of these partitions are recorded, and shown; undefined: there are none
   */
  finish(partitions: Partitions): Promise<void> | undefined;
  /**
   * Ends the actors and connections of these sessions, so that another node can act for them. Resolves then; records nothing.
   * @param isLost its sessions may be connected already: connections end at once. Default: false
   */
  release(partitions: OwnedPartitions, isLost?: boolean): Promise<void>;
  /** Whether no stored session of this process waits to connect: the keys of all its logins are known, or being read. */
  haveAllStarted(): boolean;
  /**
   * The committed state; `'loading'` while the session is stored but not yet active here (or before every stored session
   * was seen); `'held'` if an event of it cannot be read (FA7), or it cannot be resumed; undefined if it is unknown, or deleted and erased.
   */
  state(id: string): SessionState | 'loading' | 'held' | undefined;
  /** How many live sessions this process acts for, those that are being restored among them. */
  liveCount(): number;
  /** Whether the session has reached a final state and is not erased yet. */
  isDeleted(id: string): boolean;
  /** Holds a session (FA7), because its vault or something sealed for it cannot be read. Repeatable. */
  hold(id: string): void;
  /**
   * The stream of a session has an event of this revision. If this process did not record it, the session starts again from
   * the end of its stream: as it is recorded, or held (FA7).
   */
  foundRecorded(id: string, revision: number): void;
  /**
   * `sessionId` is the caller's secret; only its hash is kept.
   * @param login tried first: if it fails, there is no session, and nothing is recorded
   * @param proxy URL of the session's proxy, which is tried first, and which the login goes through
   * @param beside a text that has a partition: a session without an external ID is created in it. Default: in any of this process's
   * @throws {LoginImpossibleError} {@link ProxyUnusableError} {@link SessionsStartingError} {@link ExternalIdUsedError} Errors of
   * Telegram are passed on.
   */
  create(
    settings: CreationSettings,
    origin?: CommandOrigin,
    login?: LoginRequest,
    proxy?: string,
    beside?: string,
  ): Promise<Recorded & { id: string; sessionId: string }>;
  reset(id: string, settings: SessionSettings, origin?: CommandOrigin): Promise<Recorded>;
  delete(id: string, origin?: CommandOrigin): Promise<Recorded>;
  /**
   * Changes the caller's own names for the session (OS1). Those that are left out stay.
   * @param names with the session's own tenant, in which an ID is unique
   * @throws {ExternalIdUsedError}
   */
  rename(id: string, names: SessionNames & { tenant?: string | undefined }, origin?: CommandOrigin): Promise<Recorded>;
  /**
   * Another process is giving its session an `externalId`: none of this process gets it until its index has what was recorded.
   * @param key of `externalKey`
   * @returns to be called once: with the position of what was recorded, or 0 if nothing was
   * @throws {ExternalIdUsedError}
   */
  holdExternalId(key: string, sessionId: string): (position: bigint) => void;
  /** @param pace null: none (OS7) */
  setPace(id: string, pace: Pace | null, origin?: CommandOrigin): Promise<Recorded>;
  /** Gives the session another secret. Only its hash is kept, and the one before opens nothing any more (OS2). */
  rotateSecret(id: string, origin?: CommandOrigin): Promise<Recorded & { sessionId: string }>;
  /**
   * @param webhook null turns it off
   * @param options `slot`: which of the session's webhooks, 1 to 5; default: the first
   */
  setWebhook(id: string, webhook: Webhook | null, options?: CommandOrigin & { slot?: number }): Promise<Recorded>;
  /**
   * Has all connections of the session go through a proxy (LG3). It is tried before anything changes.
   * @param url of the proxy; null: they are direct
   * @throws {ProxyUnusableError}
   */
  setProxy(id: string, url: string | null, origin?: CommandOrigin): Promise<Recorded>;
  /**
   * Turns off exactly this webhook, as it was recorded. Does nothing if it was turned off or set again meanwhile, even
   * to the same URL and token.
   * @param reason why no caller asked for it: `receiver-gone`
   * @returns whether it was turned off
   */
  dropWebhook(id: string, webhook: SealedWebhook, reason: string, slot?: number): Promise<boolean>;
  /**
   * Records that a caller with the scope `raw` calls a method of Telegram (RM1), without its parameters.
   * @param method `messages.getHistory`
   * @returns `recorded` is false if the session is not connected: then the method must not be called
   */
  noteMethodCall(id: string, method: string, origin?: CommandOrigin): Promise<Recorded & { recorded: boolean }>;
  /**
   * Has Telegram send a login code, if the session waits for a QR scan or a code.
   * @param phone digits
   * @returns `used-up`: no more codes may be asked for; `not-possible`: the session is in another state
   * @throws {LoginImpossibleError} Errors of Telegram are passed on.
   */
  sendCode(
    id: string,
    phone: string,
  ): Promise<Recorded & { outcome: Awaited<ReturnType<TelegramSession['sendCode']>> | 'not-possible' }>;
  /**
   * @returns `not-required`: the session does not wait for a code
   * @throws {LoginImpossibleError} Errors of Telegram are passed on.
   */
  submitCode(
    id: string,
    code: string,
    origin?: CommandOrigin,
  ): Promise<Recorded & { outcome: CodeOutcome | 'not-required' }>;
  /** `not-required`: the session does not need a password. Errors of Telegram are passed on. */
  submitPassword(
    id: string,
    password: string,
    origin?: CommandOrigin,
  ): Promise<Recorded & { outcome: 'accepted' | 'rejected' | 'not-required' }>;
  /**
   * Gives the login away as a session string: once this resolves it is recorded, and nothing here has its key.
   * @returns `text` is undefined if the session is not connected; then nothing has changed
   * @throws {NotConnectedError} the same
   */
  exportLogin(
    id: string,
    format: StringFormat,
    origin?: CommandOrigin,
  ): Promise<Recorded & { text: string | undefined }>;
  /** Refuses new commands, waits for running ones, and closes every Telegram session. Records nothing. */
  stop(): Promise<void>;
}

/** Unknown or deleted. */
export class SessionNotFoundError extends Error {
  override name = 'SessionNotFoundError';
}

/** Another live session has this `externalId` (OS1). */
export class ExternalIdUsedError extends Error {
  override name = 'ExternalIdUsedError';
}

/** Right after a start a session string is not taken: sessions that have not begun to connect may have its login. */
export class SessionsStartingError extends Error {
  override name = 'SessionsStartingError';
  readonly retryable = true;
}

/** Stored, but its actor is not active here yet. A retry helps. */
export class SessionNotActiveError extends Error {
  override name = 'SessionNotActiveError';
  readonly retryable = true;
}
