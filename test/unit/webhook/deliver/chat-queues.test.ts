import { describe, expect, it } from 'vitest';
import type { Sealed } from '../../../../actors/ports/sealer.ts';
import { ChatQueues, type Due } from '../../../../src/webhook/deliver/chat-queues.ts';
import { createDrivenClock } from '../../../support/kit/clock.ts';

const clock = createDrivenClock();
const due = (revision: number, chat = 'c'): Due => ({
  revision,
  seq: revision + 1,
  at: revision * 1000,
  event: {
    id: String(revision),
    revision,
    type: 'MessageReceived',
    data: { content: 'sealed' as Sealed },
    metadata: { at: 0, seq: revision + 1, chat, login: 1, since: 0, position: { pts: 1, qts: 0, date: 0 } },
  },
});
const failing = (attempts: number, since = 0) => ({ attempts, since, nextAt: 0 });

describe('the pending deliveries of a session', () => {
  it('[WH4.7] are 64 in memory at most, 32 of a chat; the rest stays in the stream', () => {
    const queues = new ChatQueues({}, clock);
    expect(queues.room).toBe(64);
    for (let revision = 0; revision < 40; revision += 1) queues.add('a', due(revision));
    const chat = queues.add('b', due(40));
    expect([queues.room, chat.due.length, chat.restFrom]).toEqual([31, 1, undefined]);
    expect(queues.behind()).toEqual({ a: { from: 0, count: 40 }, b: { from: 40, count: 1 } });
    const first = queues.chats.get('a');
    expect([first?.due.length, first?.restFrom, queues.count]).toEqual([32, 32, 41]);
  });

  it('[WH4.7] of a chat that fails are one in memory, and its event is not held', () => {
    const queues = new ChatQueues({ a: { from: 3, count: 5, failing: failing(2) } }, clock);
    const chat = queues.chats.get('a');
    if (chat === undefined) throw new Error('the chat is there');
    expect(queues.addRest(chat, due(3))).toBe(true);
    expect([chat.due[0]?.event, chat.restFrom, queues.room]).toEqual([undefined, 4, 64]);
    expect(queues.addRest(chat, due(4))).toBe(false);
    expect([chat.due.length, chat.restFrom]).toEqual([1, 4]);
  });

  it('[WH4.1] are counted by what is left once the stream has none of a chat', () => {
    const queues = new ChatQueues({ a: { from: 0, count: 9 }, b: { from: 1, count: 1 } }, clock);
    const [a, b] = ['a', 'b'].map((key) => queues.chats.get(key));
    if (a === undefined || b === undefined) throw new Error('the chats are there');
    queues.addRest(a, due(0));
    queues.endRest(a);
    expect([queues.count, queues.behind()]).toEqual([2, { a: { from: 0, count: 1 }, b: { from: 1, count: 1 } }]);
    queues.endRest(b);
    expect([queues.count, [...queues.chats.keys()]]).toEqual([1, ['a']]);
    queues.shift(a, undefined);
    expect([queues.count, queues.room, queues.chats.size]).toEqual([0, 64, 0]);
  });

  it('[WH4.8] are tried as soon as ever if the wall clock was set back by a day while the gateway was down', () => {
    const dayMs = 86_400_000;
    const hourMs = 3_600_000;
    const minuteAway = { attempts: 1, since: clock.now(), nextAt: clock.now() + 60_000 };
    const late = { ...minuteAway, nextAt: minuteAway.nextAt + dayMs };
    const untilDue = (one: typeof late): number | undefined => {
      const queues = new ChatQueues({ a: { from: 0, count: 1, failing: one } }, clock);
      expect(queues.nextAttemptAt).toBe(clock.now() + queues.nextDueAt - clock.elapsed());
      return queues.nextDueAt - clock.elapsed();
    };
    expect([untilDue(minuteAway), untilDue(late)]).toEqual([60_000, 1.2 * hourMs]);
  });

  it('[WH4.8] say when the first failed one is tried next', () => {
    const nextAt = (seconds: number) => ({ attempts: 1, since: 0, nextAt: clock.now() + seconds * 1000 });
    const queues = new ChatQueues(
      { a: { from: 0, count: 1, failing: nextAt(30) }, b: { from: 1, count: 1, failing: nextAt(5) } },
      clock,
    );
    expect(queues.nextAttemptAt).toBe(clock.now() + 5_000);
    queues.wakeAll();
    expect([...queues.awake()]).toHaveLength(2);
    expect(queues.nextAttemptAt).toBeUndefined();
  });

  it('[WH4.3] of a new chat count as failing since the first failure, if every other chat fails', () => {
    const queues = new ChatQueues(
      { a: { from: 0, count: 1, failing: failing(3, 500) }, b: { from: 1, count: 1, failing: failing(1, 200) } },
      clock,
    );
    expect(queues.add('c', due(2)).failing).toMatchObject({ attempts: 0, since: 200 });
    expect(new ChatQueues({}, clock).add('c', due(2)).failing).toBeUndefined();
    const some = new ChatQueues({ a: { from: 0, count: 1, failing: failing(3) }, b: { from: 1, count: 1 } }, clock);
    expect(some.add('c', due(2)).failing).toBeUndefined();
  });

  it('[WH4.1] know when the oldest of them was recorded', () => {
    const queues = new ChatQueues({}, clock);
    expect(queues.oldestAt).toBeUndefined();
    for (const [revision, chat] of [
      [7, 'a'],
      [3, 'b'],
      [5, 'c'],
    ] as const) {
      queues.add(chat, due(revision, chat));
    }
    expect(queues.oldestAt).toBe(3000);
  });
});
