import type { Sealed } from '../actors/ports/sealer.ts';
import type { SealedWebhook, SessionState } from '../actors/session/events.ts';

/**
 * One session as a reader sees it: the fold of its events. Personal texts stay sealed here; who answers a request
 * opens them.
 */
export interface SessionView {
  id: string;
  /** SHA-256 of the `sessionId`, hex; empty once the session is deleted. */
  secretHash: string;
  state: SessionState;
  /** Whether the state is final: the session is deleted. */
  ended: boolean;
  /** Number of the current login attempt, from 1. */
  login: number;
  /** Milliseconds since 1970, as all times here. */
  since: number;
  reason: string;
  created: number;
  /** When the state ends by itself. */
  deadline?: number;
  name?: Sealed;
  metadata?: Sealed;
  webhook?: SealedWebhook;
  /**
   * Since when there has been one: another URL or token in its place changes nothing about that. Later than that of any
   * earlier one, were they set within the same millisecond: it tells them apart.
   */
  webhookSince?: number;
  /** That of the last one that was turned off. */
  webhookBefore?: number;
  /** Only while `qrPending`, and only once a QR has been issued. */
  qrLink?: Sealed;
  /** Only while `passwordRequired`. */
  passwordHint?: Sealed;
  /** The last account seen; stays when the login is lost. */
  account?: Sealed;
  picture?: Sealed;
  /** Of the last event folded in. */
  revision: number;
  position: bigint;
}

export interface ListOptions {
  /** An ID: only those behind it. */
  after?: string;
  limit: number;
  /** Default: every state that is not final. */
  state?: SessionState | 'any' | 'ended';
}

/** The read side: kept by the projection runner, asked by HTTP. */
export interface SessionViews {
  get(id: string): SessionView | undefined;
  /** In order of ID (which is the order of creation), deleted ones left out unless asked for. */
  list(options: ListOptions): SessionView[];
  /** How many sessions there are in each state that has any. */
  countByState(): Partial<Record<SessionState, number>>;
  /** Position of the last event in the views; 0 before the first. */
  readonly position: bigint;
  /** Resolves when everything up to the position is in the view. @throws the signal's reason when aborted. */
  waitFor(position: bigint, signal?: AbortSignal): Promise<void>;
  /** Calls the listener after each event of one session. @returns what ends it */
  onChange(id: string, listener: () => void): () => void;
}
