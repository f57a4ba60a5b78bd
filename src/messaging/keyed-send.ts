import type { Json } from '../../actors/ports/event-store.ts';
import type { RecordedSend } from './send-codec.ts';
import type { SendBegun, SendOrigin } from './send-events.ts';

/** The send that a key was used for. */
export interface KeyedSend extends Omit<SendBegun, keyof SendOrigin> {
  /** Of its `SendBegun`. */
  revision: number;
  /** Undefined: unknown whether the message has arrived. */
  answer?: Json;
}

/** Adds an event to the sends of a session, by key, the oldest first. */
export function addSendEvent(sends: Map<string, KeyedSend>, { type, data, revision }: RecordedSend): void {
  if (type === 'SendBegun') {
    const { key, body, randomId, at } = data;
    sends.delete(key);
    sends.set(key, { key, body, randomId, at, revision });
    return;
  }
  if (type !== 'SendAnswered') return;
  const send = sends.get(data.key);
  if (send !== undefined) send.answer = data.answer;
}
