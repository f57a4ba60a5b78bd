import { expect, it } from 'vitest';
import type { EventStore, RecordedEvent } from '../../../actors/ports/event-store.ts';
import type { ReadSessionDeps } from '../../../actors/runtime/read-session.ts';
import {
  type SessionState,
  sessionStates,
  sessionStream,
  type TransitionMetadata,
} from '../../../actors/session/events.ts';
import { replay } from '../../../actors/session/replay.ts';
import type { SessionEvent } from '../../../actors/session/transition-event.ts';
import { viewAtMoment } from '../../../src/audit/read-audit.ts';
import { createHistory } from '../../support/actors/session-histories.ts';
import { createDrivenClock, createSeededRandomness } from '../../support/kit/clock.ts';
import { allReadable } from '../../support/store/all-readable.ts';
import { createMemoryStore } from '../../support/store/memory-store.ts';

const lives = 500;
const longestLife = 40;

it('[AD2.1] [AD6.1] any of 500 random lives, looked at again at any point, is as it was recorded then', async () => {
  const clock = createDrivenClock();
  const seen = new Set<SessionState>();
  let points = 0;
  for (let life = 0; life < lives; life++) {
    const randomness = createSeededRandomness(life, clock);
    const store = createMemoryStore(clock);
    const id = randomness.uuid();
    const history = createHistory(randomness, clock.now());
    const events: SessionEvent[] = [];
    for (let event = history.next(); event !== undefined && events.length < longestLife; event = history.next()) {
      events.push(event);
    }
    await store.append(sessionStream(id), 'no-stream', events);
    const part = await readOnce(store, sessionStream(id));
    for (const [index, event] of events.entries()) {
      const seq = index + 1;
      const recorded = event.metadata as TransitionMetadata;
      const bySeq = await viewAtMoment(part, id, { seq });
      const { state, since, reason, deadline, revision } = bySeq?.view ?? {};
      expect({ state, since, reason, deadline, revision }).toEqual({
        state: recorded.to,
        since: recorded.since,
        reason: recorded.reason,
        deadline: recorded.to === 'deleted' ? undefined : recorded.deadlines[0]?.dueAt,
        revision: index,
      });
      // Several events may have the same time: the last of them is how it was then.
      const byTime = await viewAtMoment(part, id, { at: recorded.at });
      const last = events.findLast(({ metadata }) => metadata.at === recorded.at);
      expect(byTime?.event.id).toBe(last?.id);
      seen.add(recorded.to);
    }
    // The chart of today leads to the same places: each event's is compared with what was recorded.
    const again = await replay(part.store.read(sessionStream(id)));
    const { to, deadlines } = (events.at(-1) as SessionEvent).metadata;
    expect(again).toMatchObject({ events: events.length, drift: [], last: { to, deadlines } });
    points += events.length;
  }
  expect(points).toBeGreaterThan(lives * 10);
  expect([...seen].toSorted()).toEqual([...sessionStates].toSorted());
});

/** What a store has of a stream, to be read many thousand times without being copied each time. */
async function readOnce(store: EventStore, stream: string): Promise<ReadSessionDeps> {
  const events: RecordedEvent[] = [];
  for await (const event of store.read(stream)) events.push(event);
  return {
    store: {
      async *read(_stream, { from = 0 } = {}) {
        yield* events.slice(from);
      },
    },
    reportUnreadable: allReadable,
  };
}
