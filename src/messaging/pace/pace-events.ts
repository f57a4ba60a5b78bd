/**
 * `send-pace-{sessionId}`: the messages of the last minutes (OS7), while the account has a pace. Recorded before Telegram
 * is called.
 */
export const paceStream = (sessionId: string): string => `send-pace-${sessionId}`;

/** `send-chats-{sessionId}`: the chats that the account was first to write to in the last day, as fingerprints. */
export const newChatsStream = (sessionId: string): string => `send-chats-${sessionId}`;

/** A send had its turn. */
export interface TurnTaken {
  /** Milliseconds since 1970, by the gateway's clock. */
  at: number;
  messages: number;
  /** Telegram's `random_id`, decimal: a repeated send has the same. */
  send: string;
  /** `at` of the oldest turn that had not ended then: those before it had, by `endedBy` (milliseconds since 1970). */
  openSince: number;
  endedBy: number;
}

/** The account writes to a chat that has no messages. */
export interface ChatBegun {
  at: number;
  /** Fingerprint, base64url. */
  chat: string;
}
