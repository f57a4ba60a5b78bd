import type { Json } from '../../actors/ports/event-store.ts';
import type { RecordedSend } from './send-codec.ts';

/**
 * `send-{sessionId}`: what was sent under an `Idempotency-Key` (MS7), and what was answered. Neither keys nor messages
 * stand in it, only fingerprints of them that the session's own key makes: with that, they say nothing.
 */
export const sendStream = (sessionId: string): string => `send-${sessionId}`;

/** How long a key is remembered (MS7). */
export const keptMs = 24 * 60 * 60_000;

/** Recorded before Telegram is called. */
export interface SendBegun {
  /** Fingerprints, base64url. */
  key: string;
  body: string;
  /** Telegram's `random_id`, decimal. */
  randomId: string;
  /** Milliseconds since 1970, by the gateway's clock. */
  at: number;
}

/** Recorded before the caller is answered. */
export interface SendAnswered {
  key: string;
  answer: Json;
}

/** What a key stands for. */
export interface KeyedSend extends SendBegun {
  /** Of its `SendBegun`. */
  revision: number;
  /** Undefined: nobody knows yet whether it has arrived. */
  answer?: Json;
}

/** Takes one event into what is known of a session's keys, the oldest first. */
export function addSendEvent(sends: Map<string, KeyedSend>, { type, data, revision }: RecordedSend): void {
  if (type === 'SendBegun') {
    sends.delete(data.key);
    sends.set(data.key, { ...data, revision });
    return;
  }
  const send = sends.get(data.key);
  if (send !== undefined) send.answer = data.answer;
}
