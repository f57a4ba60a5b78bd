import type { EventStore } from '../../../actors/ports/event-store.ts';
import { createGate, type Gate } from '../kit/gate.ts';

/** The next answer about the end of a stream is under way until the gate opens. */
export function holdNextRead(store: Pick<EventStore, 'last'>): Gate {
  const answer = createGate();
  const last = store.last.bind(store);
  store.last = async (stream) => {
    store.last = last;
    const event = await last(stream);
    await answer.passed;
    return event;
  };
  return answer;
}
