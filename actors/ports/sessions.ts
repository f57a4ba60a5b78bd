import type { SealedWebhook, SessionState } from '../session/events.ts';

export interface Webhook {
  url: string;
  token: string;
}

/** What a caller may give a session, in the clear. On a reset, what is left out stays as it is. */
export interface SessionSettings {
  name?: string;
  metadata?: Record<string, string>;
  /** null turns it off. */
  webhook?: Webhook | null;
}

/** A command is answered with the store's position of what it recorded: a reader waits for it and reads its own write. */
export interface Recorded {
  position: bigint;
}

/**
 * The commands: what HTTP calls. One actor a session stands behind it, never two.
 * Commands on one session run one after the other, in the order of the calls. `reqId` is for the log.
 * Every command but `create` throws {@link SessionNotFoundError} or {@link SessionNotActiveError}, and every one throws
 * `StoreUnavailableError` when nothing could be recorded; then nothing has changed.
 */
export interface Sessions {
  /** Restores every live session from the store, a bounded number at a time. Resolves when the last one is active. */
  start(): Promise<void>;
  /**
   * The committed state; `'loading'` while the session is stored but not yet active here (or before every stored session
   * was seen); `'held'` if an event of it cannot be read (FA7); undefined if it is unknown, or deleted and erased.
   */
  state(id: string): SessionState | 'loading' | 'held' | undefined;
  /** Whether the session has reached a final state and is not erased yet. */
  isDeleted(id: string): boolean;
  /** Holds a session (FA7), because its vault or something sealed for it cannot be read. Repeatable. */
  hold(id: string): void;
  /** An event of a session's stream cannot be read: if no later one was recorded here, the session is held (FA7). */
  foundUnreadable(id: string, revision: number): void;
  /** `sessionId` is the caller's secret; only its hash is kept. */
  create(settings: SessionSettings, reqId?: string): Promise<Recorded & { id: string; sessionId: string }>;
  reset(id: string, settings: SessionSettings, reqId?: string): Promise<Recorded>;
  delete(id: string, reqId?: string): Promise<Recorded>;
  setWebhook(id: string, webhook: Webhook | null): Promise<Recorded>;
  /**
   * Turns off this very webhook, as it was recorded. Where it has been turned off or set anew by then, be it to the same
   * URL and token, nothing happens.
   * @param reason since nobody asked for it: `receiver-gone`
   * @returns whether it was
   */
  dropWebhook(id: string, webhook: SealedWebhook, reason: string): Promise<boolean>;
  /** `not-required`: the session is not waiting for a password. What Telegram throws is passed on. */
  submitPassword(
    id: string,
    password: string,
  ): Promise<Recorded & { outcome: 'accepted' | 'rejected' | 'not-required' }>;
  /** Takes no more commands, lets running ones end, closes every link. Nothing is recorded by it. */
  stop(): Promise<void>;
}

/** Unknown or deleted. */
export class SessionNotFoundError extends Error {
  override name = 'SessionNotFoundError';
}

/** Stored, but its actor is not running here yet; a retry helps. */
export class SessionNotActiveError extends Error {
  override name = 'SessionNotActiveError';
  readonly retryable = true;
}
