import type { Json } from '../../actors/ports/event-store.ts';

/**
 * `send-{sessionId}`: sends with an `Idempotency-Key` (MS7), and their responses. It holds no keys and no messages, only
 * fingerprints made with the session's own key: without that key they say nothing.
 */
export const sendStream = (sessionId: string): string => `send-${sessionId}`;

/** How long a key is remembered (MS7). */
export const keptMs = 24 * 60 * 60_000;

/** Where a send comes from, for the audit (AD7). Older events lack it. */
export interface SendOrigin {
  /** Who sends (KY4): `owner`, the name of a key, or `session`. */
  by?: string;
  /** The request: `POST /message`. */
  operation?: string;
}

/** Recorded before Telegram is called. */
export interface SendBegun extends SendOrigin {
  /** Fingerprints, base64url. */
  key: string;
  body: string;
  /** Telegram's `random_id`, decimal. */
  randomId: string;
  /** Milliseconds since 1970, by the gateway's clock. */
  at: number;
}

/** Recorded before the response. */
export interface SendAnswered {
  key: string;
  answer: Json;
}
