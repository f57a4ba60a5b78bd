import type { Sealed } from '../ports/sealer.ts';

export const sessionStates = ['qrPending', 'passwordRequired', 'connected', 'disconnected', 'deleted'] as const;
export type SessionState = (typeof sessionStates)[number];

/** A webhook as it is kept: both texts may carry secrets. */
export interface SealedWebhook {
  url: Sealed;
  token: Sealed;
}

/**
 * The facts of a session's life: what the chart reacts to and, word for word, what is recorded in `session-{id}`.
 * `login` numbers the login attempts of a session from 1; a fact of an older login changes nothing.
 */
export type SessionFact =
  | {
      type: 'SessionCreated';
      /** SHA-256 of the `sessionId`, hex. */
      secretHash: string;
      /** Name given by the caller. */
      name?: Sealed;
      /** JSON of the caller's string map. */
      metadata?: Sealed;
      webhook?: SealedWebhook;
    }
  | { type: 'QrIssued'; login: number; link: Sealed; expires: number }
  | { type: 'PasswordRequested'; login: number; hint: Sealed }
  | { type: 'PasswordRejected'; login: number }
  /** `account` seals the JSON of an `Account`, `picture` a data URI. */
  | { type: 'LoggedIn'; login: number; account: Sealed; picture: Sealed }
  | { type: 'AccountChanged'; login: number; account: Sealed; picture: Sealed }
  | { type: 'ConnectionLost'; login: number; reason: string }
  | { type: 'ConnectionRestored'; login: number }
  | { type: 'LoginLost'; login: number; reason: string }
  /** Telegram no longer keeps what happened in the account after what was last seen of it. */
  | { type: 'UpdatesLost'; login: number; reason: string }
  /** The service came up and found the session connected or disconnected (SE7). */
  | { type: 'GatewayRestarted' }
  /** `reason` where nobody asked for it: `receiver-gone`. */
  | { type: 'WebhookSet'; webhook: SealedWebhook | null; reason?: string }
  | { type: 'SessionReset'; name?: Sealed; metadata?: Sealed; webhook?: SealedWebhook | null }
  | { type: 'SessionDeleted' }
  /** The chart's deadlines, when they pass. */
  | { type: 'QrTimedOut' }
  | { type: 'PasswordTimedOut' }
  | { type: 'DisconnectedTimedOut' };

export type SessionFactType = SessionFact['type'];

/**
 * What the chart itself remembers. Small, since every event carries it: what only a reader needs (QR link, picture)
 * stays in the fact, and in the projections.
 */
export interface SessionContext {
  /** The current login attempt, from 1. */
  login: number;
}

/** The facts that the chart's own deadlines record when they pass. */
export type TimedFact = 'QrTimedOut' | 'PasswordTimedOut' | 'DisconnectedTimedOut';

/** A timed transition that is armed: data, so that it outlives the process. */
export interface Deadline {
  /** What is recorded when it fires. */
  fact: TimedFact;
  /** Absolute, milliseconds since 1970. */
  dueAt: number;
}

export interface Effect {
  type: 'startQrLogin' | 'awaitPassword' | 'connect' | 'logOut' | 'erase';
  login: number;
}

/** The metadata of every event of a session's stream: enough to restore the actor from the last one alone. */
export interface TransitionMetadata {
  /** When, milliseconds since 1970. */
  at: number;
  /** Which node recorded it. */
  by: string;
  from: SessionState | null;
  to: SessionState;
  /** Since when the session has been in `to`, milliseconds since 1970. */
  since: number;
  /** Why it is in `to`: `created`, `qr-timeout`, `gateway-restart`, `SESSION_REVOKED`, … */
  reason: string;
  context: SessionContext;
  deadlines: Deadline[];
  /** What is to be done because of this transition; done again if the process died meanwhile. */
  effects: Effect[];
  /** How late a timed transition fired, milliseconds. */
  lateMs?: number;
}

/** What the names of the sessions' streams begin with. */
export const sessionPrefix = 'session-';
export const sessionStream = (sessionId: string): string => `${sessionPrefix}${sessionId}`;
/** Whose stream it is: `stream` begins with {@link sessionPrefix}. */
export const sessionIdOf = (stream: string): string => stream.slice(sessionPrefix.length);
