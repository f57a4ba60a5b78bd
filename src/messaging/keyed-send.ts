import type { Json } from '../../actors/ports/event-store.ts';
import type { RecordedSend } from './send-codec.ts';
import type { SendBegun } from './send-events.ts';

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
