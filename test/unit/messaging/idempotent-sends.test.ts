import { beforeEach, describe, expect, it } from 'vitest';
import { type EventStore, type RecordedEvent, StoreUnavailableError } from '../../../actors/ports/event-store.ts';
import { IdempotentSends } from '../../../src/messaging/idempotent-sends.ts';
import { openVault, type Vault } from '../../../src/store/vault/vault.ts';
import type { BeginSend } from '../../../src/telegram/port/outgoing.ts';
import { createDrivenClock, createSeededRandomness, type DrivenClock } from '../../support/kit/clock.ts';
import { failureOf } from '../../support/kit/failure-of.ts';
import { createGate } from '../../support/kit/gate.ts';
import { allReadable } from '../../support/store/all-readable.ts';
import { createFaultyStore, type Fault } from '../../support/store/faulty-store.ts';
import { createMemoryStore, MemoryDisk } from '../../support/store/memory-store.ts';

const session = 's1';
const hour = 60 * 60_000;

let clock: DrivenClock;
let disk: MemoryDisk;
let store: EventStore;
let vault: Vault;
let sends: IdempotentSends;
let warnings: string[];
/** The numbers that Telegram was called with. */
let called: bigint[];

const start = (onStore: EventStore = store): IdempotentSends =>
  new IdempotentSends({
    store: onStore,
    clock,
    randomness,
    fingerprint: (sessionId, text) => vault.fingerprint(sessionId, text),
    log: { warn: (_fields, message) => void warnings.push(message) },
    reportUnreadable: allReadable,
  });
let randomness: ReturnType<typeof createSeededRandomness>;

beforeEach(async () => {
  clock = createDrivenClock();
  randomness = createSeededRandomness(1, clock);
  disk = new MemoryDisk();
  store = createMemoryStore(clock, disk);
  vault = openVault({ store, masterKeys: [randomness.bytes(32)], clock, randomness, reportUnreadable: allReadable });
  await vault.createKey(session);
  warnings = [];
  called = [];
  sends = start();
});

/** A send that succeeds, under the next message ID. */
const send = async (begin: BeginSend): Promise<{ messageId: string }> => {
  called.push((await begin()).randomId);
  return { messageId: String(called.length) };
};
const failing = async (begin: BeginSend): Promise<never> => {
  called.push((await begin()).randomId);
  throw new Error('refused');
};
const recorded = async (): Promise<RecordedEvent[]> => {
  const events: RecordedEvent[] = [];
  for await (const event of store.read(`send-${session}`)) events.push(event);
  return events;
};
const types = async (): Promise<string[]> => (await recorded()).map(({ type }) => type);

describe('a key', () => {
  it('[MS7.1] used again with the same body: the same answer, without a second message', async () => {
    const first = await sends.once({ sessionId: session }, 'a', 'hello', send);
    expect(await sends.once({ sessionId: session }, 'a', 'hello', send)).toEqual(first);
    expect(called).toHaveLength(1);
    expect(await types()).toEqual(['SendBegun', 'SendAnswered']);
  });

  it('[MS7.1] used again after a restart: the same answer', async () => {
    const first = await sends.once({ sessionId: session }, 'a', 'hello', send);
    expect(await start().once({ sessionId: session }, 'a', 'hello', send)).toEqual(first);
    expect(called).toHaveLength(1);
  });

  it('[MS7.2] used with another body is refused, also after a restart', async () => {
    await sends.once({ sessionId: session }, 'a', 'hello', send);
    for (const next of [sends, start()]) {
      await expect(next.once({ sessionId: session }, 'a', 'hullo', send)).rejects.toMatchObject({
        statusCode: 400,
        message: 'idempotency key was used with another body',
      });
    }
    expect(called).toHaveLength(1);
  });

  it('[MS7.1] is one of its session: other keys and other sessions send messages of their own', async () => {
    await vault.createKey('s2');
    await sends.once({ sessionId: session }, 'a', 'hello', send);
    await sends.once({ sessionId: session }, 'b', 'hello', send);
    await sends.once({ sessionId: 's2' }, 'a', 'hello', send);
    expect(new Set(called).size).toBe(3);
  });

  it('[MS7.1] is one of several in flight: each has its own answer', async () => {
    const keys = ['a', 'b', 'c'];
    const answers = await Promise.all(keys.map((key) => sends.once({ sessionId: session }, key, key, send)));
    expect(new Set(answers.map(({ messageId }) => messageId)).size).toBe(3);
  });

  it('[MS7.2] while the first request is in flight: waits for its answer; with another body it is refused', async () => {
    const gate = createGate();
    const slow = async (begin: BeginSend): Promise<{ messageId: string }> => {
      const answer = await send(begin);
      await gate.passed;
      return answer;
    };
    const first = sends.once({ sessionId: session }, 'a', 'hello', slow);
    await clock.settle();
    const second = sends.once({ sessionId: session }, 'a', 'hello', send);
    await expect(sends.once({ sessionId: session }, 'a', 'other', send)).rejects.toThrow('another body');
    gate.open();
    expect(await Promise.all([first, second])).toEqual([{ messageId: '1' }, { messageId: '1' }]);
    expect(called).toHaveLength(1);
  });

  it('[MS7.5] is forgotten after 24 hours, not before: then it is another message, with another number', async () => {
    await sends.once({ sessionId: session }, 'a', 'hello', send);
    await clock.advance(24 * hour - 1);
    await sends.once({ sessionId: session }, 'a', 'hello', send);
    expect(called).toHaveLength(1);
    await clock.advance(1);
    await sends.once({ sessionId: session }, 'a', 'another body', send);
    expect(new Set(called).size).toBe(2);
    await expect(start().once({ sessionId: session }, 'a', 'hello', send)).rejects.toThrow('another body');
  });
});

describe('a send that fails', () => {
  it('[MS7.3] is tried again with the same number, in this process and the next', async () => {
    await expect(sends.once({ sessionId: session }, 'a', 'hello', failing)).rejects.toThrow('refused');
    await expect(sends.once({ sessionId: session }, 'a', 'hello', failing)).rejects.toThrow('refused');
    expect(await start().once({ sessionId: session }, 'a', 'hello', send)).toEqual({ messageId: '3' });
    expect(new Set(called).size).toBe(1);
    await expect(sends.once({ sessionId: session }, 'a', 'other', send)).rejects.toThrow('another body');
  });

  it('[MS7.4] before it has begun leaves nothing: the key is free', async () => {
    await expect(
      sends.once({ sessionId: session }, 'a', 'hello', () => Promise.reject(new Error('chat not found'))),
    ).rejects.toThrow('chat not found');
    expect(await recorded()).toEqual([]);
    expect(await sends.once({ sessionId: session }, 'a', 'other', send)).toEqual({ messageId: '1' });
  });

  it('[MS7.3] the number is recorded before Telegram is called', async () => {
    await sends.once({ sessionId: session }, 'a', 'hello', async (begin) => {
      const mark = await begin();
      const { randomId, begunAt } = mark;
      expect((await recorded()).map(({ data }) => data)).toMatchObject([
        { randomId: randomId.toString(), at: begunAt },
      ]);
      expect(await begin()).toEqual(mark);
      return null;
    });
    expect(await types()).toEqual(['SendBegun', 'SendAnswered']);
  });
});

describe('a store that fails', () => {
  it('[MS7.1] before a send: nothing is sent; what may have been recorded counts', async () => {
    for (const kind of ['fails-before', 'fails-after'] as const) {
      const faulty = createFaultyStore(store, () => ({ kind }));
      const failure = failureOf(start(faulty).once({ sessionId: session }, kind, 'hello', send));
      await clock.advance(1_600);
      expect(await failure).toBeInstanceOf(StoreUnavailableError);
    }
    expect(called).toEqual([]);
    expect(await types()).toEqual(['SendBegun']);
    await sends.once({ sessionId: session }, 'fails-before', 'hello', send);
    await sends.once({ sessionId: session }, 'fails-after', 'hello', send);
    expect(await types()).toEqual(['SendBegun', 'SendBegun', 'SendAnswered', 'SendAnswered']);
  });

  it('[MS7.3] after a send: it is answered, and asked again the same number is sent', async () => {
    let isAway = false;
    const faulty = createFaultyStore(store, () => (isAway ? { kind: 'fails-before' } : undefined));
    const own = start(faulty);
    const answer = own.once({ sessionId: session }, 'a', 'hello', async (begin) => {
      const sent = await send(begin);
      isAway = true;
      return sent;
    });
    await clock.advance(1_600);
    expect(await answer).toEqual({ messageId: '1' });
    expect(warnings).toEqual(['the answer to a send could not be recorded']);
    isAway = false;
    await own.once({ sessionId: session }, 'a', 'hello', send);
    expect(new Set(called).size).toBe(1);
  });

  it('[MS7.1] for a moment: the send waits, and is recorded once', async () => {
    const faults: Fault[] = [{ kind: 'fails-after' }, { kind: 'fails-before' }];
    const sent = start(createFaultyStore(store, () => faults.shift())).once({ sessionId: session }, 'a', 'hello', send);
    await clock.advance(200);
    expect(await sent).toEqual({ messageId: '1' });
    expect([await types(), called.length]).toEqual([['SendBegun', 'SendAnswered'], 1]);
  });

  it('[ER1.1] all sends that wait meanwhile fail together, within 1.6 s', async () => {
    let isAway = true;
    const own = start(createFaultyStore(store, () => (isAway ? { kind: 'fails-before' } : undefined)));
    const failures = Array.from({ length: 10 }, (_, n) =>
      failureOf(own.once({ sessionId: session }, `key ${n}`, 'hello', send)),
    );
    await clock.advance(1_600);
    for (const failure of await Promise.all(failures)) expect(failure).toBeInstanceOf(StoreUnavailableError);
    isAway = false;
    expect(await own.once({ sessionId: session }, 'key 1', 'hello', send)).toEqual({ messageId: '1' });
  });

  it('[MS7.3] two that write the same stream agree on one number', async () => {
    const other = start();
    await Promise.all([
      sends.once({ sessionId: session }, 'x', 'hello', send),
      other.once({ sessionId: session }, 'y', 'hello', send),
    ]);
    called = [];
    await Promise.all([sends, other].map((one) => one.once({ sessionId: session }, 'a', 'hello', send)));
    expect(new Set(called).size).toBe(1);
    expect(await types()).toHaveLength(7);
  });

  it('[MS7.2] of two that write the same stream with other bodies under one key, one is refused', async () => {
    const other = start();
    for (const one of [sends, other]) await one.once({ sessionId: session }, 'x', 'hello', send);
    called = [];
    const outcomes = await Promise.allSettled([
      sends.once({ sessionId: session }, 'a', 'hello', send),
      other.once({ sessionId: session }, 'a', 'good day', send),
    ]);
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    const refused = outcomes.find(({ status }) => status === 'rejected');
    expect(refused).toMatchObject({ reason: { message: 'idempotency key was used with another body' } });
    expect(called).toHaveLength(1);
  });
});

describe('what is kept', () => {
  it('[MS7.5] is read once, as long as there is room for it', async () => {
    const reads: string[] = [];
    const read = store.read.bind(store);
    store.read = (stream, options) => {
      if (stream.startsWith('send-')) reads.push(stream);
      return read(stream, options);
    };
    await vault.createKey('idle');
    await sends.once({ sessionId: 'idle' }, 'a', 'hello', send);
    await clock.advance(hour);
    for (let n = 0; n < 400; n++) await sends.once({ sessionId: session }, `key ${n}`, 'hello', send);
    await sends.once({ sessionId: 'idle' }, 'a', 'hello', send);
    expect(reads).toEqual(['send-idle', `send-${session}`]);
  });

  it('[MS7.5] is truncated once an hour at most', async () => {
    let truncations = 0;
    const truncate = store.truncate.bind(store);
    store.truncate = (stream, before) => {
      truncations += 1;
      return truncate(stream, before);
    };
    for (let n = 0; n < 49 * 6; n++) {
      await sends.once({ sessionId: session }, `key ${n}`, 'hello', send);
      await clock.advance(hour / 6);
    }
    expect(truncations).toBeGreaterThan(19);
    expect(truncations).toBeLessThan(25);
  });

  it('[SE11.1] says nothing of keys and messages', async () => {
    await sends.once({ sessionId: session }, 'order-4711', 'a secret text', send);
    const kept = JSON.stringify((await recorded()).map(({ type, data, metadata }) => ({ type, data, metadata })));
    for (const word of ['order', 'secret', Buffer.from('order-4711').toString('base64url')]) {
      expect(kept).not.toContain(word);
    }
  });

  it('[MS7.5] goes after 24 hours: the stream and the memory stay as long as a day is', async () => {
    for (let n = 0; n < 30 * 24; n++) {
      await sends.once({ sessionId: session }, `key ${n}`, 'hello', send);
      await clock.advance(hour);
    }
    const left = await recorded();
    expect(left.length).toBeGreaterThanOrEqual(2 * 24);
    expect(left.length).toBeLessThanOrEqual(2 * 27);
    await start().once({ sessionId: session }, 'key 719', 'hello', send);
    expect(called).toHaveLength(720);
  });
});
