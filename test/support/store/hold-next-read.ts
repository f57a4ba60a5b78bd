import type { EventStore } from '../../../actors/ports/event-store.ts';
import { createGate, type Gate } from '../kit/gate.ts';

/**
 * The next answer about the end of a stream is under way until the gate opens.
 * @param before how many answers are given before the one that waits
 */
export function holdNextRead(store: Pick<EventStore, 'last'>, before = 0): Gate {
  const answer = createGate();
  const last = store.last.bind(store);
  let left = before;
  store.last = async (stream) => {
    left -= 1;
    if (left >= 0) return last(stream);
    store.last = last;
    const event = await last(stream);
    await answer.passed;
    return event;
  };
  return answer;
}
