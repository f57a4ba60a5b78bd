import type { Sealed } from '../ports/sealer.ts';
import type { CodeChannel, StringFormat } from '../ports/telegram-session.ts';
import type { Pace } from './session-settings.ts';

export const sessionStates = [
  'qrPending',
  'codeRequired',
  'passwordRequired',
  'connected',
  'disconnected',
  'deleted',
] as const;
export type SessionState = (typeof sessionStates)[number];

/** The slot of `/session/webhook`. */
export const firstWebhook = 1;

/** The first webhook's facts name no slot. */
export const ofSlot = (slot: number): { slot?: number } => (slot === firstWebhook ? {} : { slot });
/** EV2: a session has up to five webhooks. */
export const webhookSlots = [firstWebhook, 2, 3, 4, 5] as const;

/** A webhook as it is stored; URL and token may contain secrets, and chats are personal. */
export interface SealedWebhook {
  url: Sealed;
  token: Sealed;
  /** Types of the events that it wants; absent if none were given. */
  events?: string[];
  /** A word for the kinds of chats that it wants; absent if it was not given. */
  chats?: string;
  /** JSON of the IDs of the chats that it wants, instead of a word. */
  chatIds?: Sealed;
}

/**
 * The facts of a session: the chart reacts to them, and `session-{id}` records them word for word. `login` numbers the
 * login attempts of a session from 1; a fact of an older login changes nothing.
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
      /** The caller's own names for the session (OS1), in the clear; left out if there is none. */
      externalId?: string;
      label?: string;
      /** The tenant of the key that created it (KY2); undefined if the key has none. */
      tenant?: string;
      /** ID of the key that created it (KY3); undefined if the owner did. */
      key?: string;
    }
  /** The caller changed its own names for the session (OS1). One that is left out stays; an empty one is taken away. */
  | { type: 'SessionRenamed'; externalId?: string; label?: string }
  /** null: the account has no pace (OS7). */
  | { type: 'PaceSet'; pace: Pace | null }
  | { type: 'QrIssued'; login: number; link: Sealed; expires: number }
  /** Telegram issues no QR code to this application. `reason` is Telegram's name for it: `API_ID_INVALID`. */
  | { type: 'LoginRefused'; login: number; reason: string }
  /** Telegram has sent a login code, the `number`th of this login attempt, to the account of this phone. */
  | { type: 'CodeSent'; login: number; to: CodeChannel; number: number; phone: Sealed }
  | { type: 'CodeRejected'; login: number }
  /** The last code that this login attempt may ask for has expired at Telegram. */
  | { type: 'CodesUsedUp'; login: number }
  | { type: 'PasswordRequested'; login: number; hint: Sealed }
  | { type: 'PasswordRejected'; login: number }
  /** `account` seals the JSON of an `Account`, `picture` a data URI. */
  | { type: 'LoggedIn'; login: number; account: Sealed; picture: Sealed }
  /** Logged in by a session string of this library, which the caller gave (LG2). */
  | { type: 'LoginImported'; login: number; format: StringFormat; account: Sealed; picture: Sealed }
  | { type: 'AccountChanged'; login: number; account: Sealed; picture: Sealed }
  /** The login was given away as a session string of this library: nothing here has its key any more (LG2). */
  | { type: 'LoginExported'; login: number; format: StringFormat }
  | { type: 'ConnectionLost'; login: number; reason: string }
  | { type: 'ConnectionRestored'; login: number }
  | { type: 'LoginLost'; login: number; reason: string }
  /** The login of a bot is lost: no QR code can give it back. */
  | { type: 'BotLoginLost'; login: number; reason: string }
  /** Telegram has frozen the account: it can read, and not write. */
  | { type: 'AccountFrozen'; login: number; reason: string }
  /** Telegram no longer has the updates after the last known position. */
  | { type: 'UpdatesLost'; login: number; reason: string }
  /** The owner of the service called a method of Telegram that no endpoint wraps (RM1). `by` says who. */
  | { type: 'MethodCalled'; method: string; by: string }
  /** The gateway started and found the session connected or disconnected (SE7). */
  | { type: 'GatewayRestarted' }
  /**
   * The node that recorded it (`by`) acts for the session from now on, and no node before it can record anything any more
   * (CL2). `epoch` grows with each owner.
   */
  | { type: 'OwnerChanged'; epoch: number }
  /** `slot`: 2 to 5; without it, the first webhook. `reason` if no caller asked for it: `receiver-gone`. */
  | { type: 'WebhookSet'; webhook: SealedWebhook | null; slot?: number; reason?: string }
  /** The proxy of all connections to Telegram from now on (LG3); its URL has secrets. null: they are direct. */
  | { type: 'ProxySet'; url: Sealed | null }
  /** The proxy carries no connection. `reason` says why: `proxy-refused`. */
  | { type: 'ProxyFailed'; login: number; reason: string }
  | { type: 'SessionReset'; name?: Sealed; metadata?: Sealed; webhook?: SealedWebhook | null }
  /** The session has another secret, and the one before opens nothing any more (OS2). SHA-256, hex. */
  | { type: 'SecretRotated'; secretHash: string }
  | { type: 'SessionDeleted' }
  /** After the deletion: Telegram knows that the login is over. */
  | { type: 'LoggedOut' }
  /** After the deletion: Telegram could not be told for 24 hours that the login is over. */
  | { type: 'LogOutGivenUp' }
  /** The chart's deadlines, when they pass. */
  | { type: 'QrTimedOut' }
  | { type: 'CodeTimedOut' }
  | { type: 'PasswordTimedOut' }
  | { type: 'DisconnectedTimedOut' };

export type SessionFactType = SessionFact['type'];

/**
 * The context of the chart. It is small because every event carries it: values that only readers need (QR link,
 * picture) stay in the fact and in the projections.
 */
export interface SessionContext {
  /** The current login attempt, from 1. */
  login: number;
}

/** The facts that the chart's own deadlines record when they pass. */
export type TimedFact = 'QrTimedOut' | 'CodeTimedOut' | 'PasswordTimedOut' | 'DisconnectedTimedOut';

/** A timed transition that is armed: data, so that it outlives the process. */
export interface Deadline {
  /** The fact that it records when it fires. */
  fact: TimedFact;
  /** Absolute, milliseconds since 1970. */
  dueAt: number;
}

export interface Effect {
  type: 'startQrLogin' | 'awaitCode' | 'awaitPassword' | 'connect' | 'keepLogin' | 'dropLogin' | 'logOut' | 'erase';
  login: number;
}

/** The metadata of every event of a session's stream: enough to restore the actor from the last one alone. */
export interface TransitionMetadata {
  /** When, milliseconds since 1970. */
  at: number;
  /** Which node recorded it. */
  by: string;
  /**
   * Who caused it: `owner`, the name of a key, or one of {@link authors}. Undefined in events from before this field.
   */
  author?: string;
  from: SessionState | null;
  to: SessionState;
  /** Since when the session has been in `to`, milliseconds since 1970. */
  since: number;
  /** Why it is in `to`: `created`, `qr-timeout`, `gateway-restart`, `SESSION_REVOKED`, … */
  reason: string;
  context: SessionContext;
  /** The URL of its proxy; absent: it has none. */
  proxy?: Sealed;
  /** Of the last `OwnerChanged`; absent: there was none. */
  epoch?: number;
  deadlines: Deadline[];
  /** The effects of this transition; they run again if the process died before it ran them. */
  effects: Effect[];
  /** How late a timed transition fired, milliseconds. */
  lateMs?: number;
}

/**
 * Those who cause events besides the holders of keys: the owner of the service, the holder of a session's secret, Telegram, and
 * the gateway itself. No key has one of these names.
 */
export const authors = ['owner', 'session', 'telegram', 'gateway'] as const;

/** The prefix of sessions' streams. */
export const sessionPrefix = 'session-';
export const sessionStream = (sessionId: string): string => `${sessionPrefix}${sessionId}`;
/** The session's ID, from the name of its stream, which begins with {@link sessionPrefix}. */
export const sessionIdOf = (stream: string): string => stream.slice(sessionPrefix.length);
