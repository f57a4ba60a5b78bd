import { expect, it } from 'vitest';
import type { SessionEvent } from '../../../actors/record.ts';
import { replay } from '../../../actors/replay.ts';
import { type SessionState, sessionStream, type TransitionMetadata } from '../../../actors/session-events.ts';
import { readAudit, viewAtMoment } from '../../../src/audit/read-audit.ts';
import { createDrivenClock, createSeededRandomness } from '../../support/clock.ts';
import { createMemoryStore } from '../../support/memory-store.ts';
import { createHistory } from '../../support/session-histories.ts';

const lives = 500;
const longestLife = 60;
const pointsInEach = 3;

it('[AD2] [AD6] any of 500 random lives, looked at again at any point, is as it was recorded then', async () => {
  const clock = createDrivenClock();
  const seen = new Set<SessionState>();
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
    for (let point = 0; point < pointsInEach; point++) {
      const seq = 1 + Math.floor(randomness.fraction() * events.length);
      const recorded = events[seq - 1]?.metadata as TransitionMetadata;
      const bySeq = await viewAtMoment({ store }, id, { seq });
      const { state, since, reason, deadline, revision } = bySeq?.view ?? {};
      expect({ state, since, reason, deadline, revision }).toEqual({
        state: recorded.to,
        since: recorded.since,
        reason: recorded.reason,
        deadline: recorded.to === 'deleted' ? undefined : recorded.deadlines[0]?.dueAt,
        revision: seq - 1,
      });
      // Several events may have the same time: the last of them is how it was then.
      const byTime = await viewAtMoment({ store }, id, { at: recorded.at });
      expect(byTime?.event.metadata).toMatchObject({ at: recorded.at });
      // The chart of today leads to the same place.
      const again = await replay(readAudit({ store }, id, 0, seq));
      expect(again).toMatchObject({ drift: [], last: { to: recorded.to, deadlines: recorded.deadlines } });
      seen.add(recorded.to);
    }
  }
  expect([...seen].toSorted()).toEqual(['connected', 'deleted', 'disconnected', 'passwordRequired', 'qrPending']);
});
