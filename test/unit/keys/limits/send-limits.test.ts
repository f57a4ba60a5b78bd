import { beforeEach, describe, expect, it } from 'vitest';
import { type EventStore, StoreUnavailableError } from '../../../../actors/ports/event-store.ts';
import type { IssuedKey } from '../../../../src/keys/issued-key.ts';
import { KeySendLimits } from '../../../../src/keys/limits/send-limits.ts';
import { createDrivenClock, createSeededRandomness, type DrivenClock } from '../../../support/kit/clock.ts';
import { allReadable } from '../../../support/store/all-readable.ts';
import { createMemoryStore } from '../../../support/store/memory-store.ts';

const dayMs = 24 * 60 * 60_000;
const noon = Date.UTC(2026, 0, 1, 12);
const desk = { id: 'desk', limits: { sendsPerDay: 100 } } as IssuedKey;
const worker = { id: 'worker', issuer: 'desk', limits: { sendsPerDay: 60 } } as IssuedKey;
const free = { id: 'free' } as IssuedKey;
const lines: Record<string, IssuedKey[]> = { desk: [desk], worker: [worker, desk], free: [free] };

let clock: DrivenClock;
let store: EventStore;
let isAway: boolean;

beforeEach(() => {
  clock = createDrivenClock({ startAt: noon });
  store = createMemoryStore(clock);
  isAway = false;
});

/** One node's. */
const node = (seed = 1): KeySendLimits =>
  new KeySendLimits({
    store: {
      append: async (...of) => {
        if (isAway) throw new StoreUnavailableError('is away');
        return store.append(...of);
      },
      last: (stream) => store.last(stream),
      truncate: (stream, before) => store.truncate(stream, before),
    },
    clock,
    random: createSeededRandomness(seed, clock),
    reportUnreadable: allReadable,
    keys: { lineOf: (id) => lines[id] ?? [] },
  });

/** How many of the requests were admitted. */
async function admitted(requests: readonly Promise<unknown>[]): Promise<number> {
  const outcomes = await Promise.allSettled(requests);
  return outcomes.filter(({ status }) => status === 'fulfilled').length;
}
const times = <T>(count: number, make: () => T): T[] => Array.from({ length: count }, make);

describe('a limit of messages in a day', () => {
  it('[KY3.3] is exact for requests at once, which need few appends', async () => {
    const limits = node();
    expect(await admitted(times(250, () => limits.take('desk', 1)))).toBe(100);
    expect((await store.last('limit-desk'))?.data).toEqual({ day: '2026-01-01', total: 100 });
    expect((await store.last('limit-desk'))?.revision).toBeLessThan(5);
    await expect(limits.take('desk', 1)).rejects.toMatchObject({
      statusCode: 429,
      message: 'limit of 100 sends per day reached',
      retryAfterSeconds: 12 * 60 * 60,
    });
  });

  it('[KY3.3] is exact for several nodes on one store', async () => {
    const nodes = [1, 2, 3].map((seed) => node(seed));
    const requests = times(60, () => nodes.map((limits) => limits.take('desk', 1))).flat();
    expect(await admitted(requests)).toBe(100);
  });

  it('[KY3.3] counts every message of an album, and lets through what still fits', async () => {
    const limits = node();
    expect(await admitted([limits.take('desk', 95), limits.take('desk', 10), limits.take('desk', 5)])).toBe(2);
    expect((await store.last('limit-desk'))?.data).toMatchObject({ total: 100 });
  });

  it('[KY3.6] says what is left, of several limits of that with the least, and when the next day begins', async () => {
    const limits = node();
    const resetSeconds = 12 * 60 * 60;
    expect(await limits.take('desk', 30)).toEqual({ limit: 100, left: 70, resetSeconds });
    expect(await limits.take('worker', 20)).toEqual({ limit: 60, left: 40, resetSeconds });
    expect(await limits.take('desk', 45)).toEqual({ limit: 100, left: 5, resetSeconds });
    expect(await limits.take('worker', 1)).toEqual({ limit: 100, left: 4, resetSeconds });
    await expect(limits.take('desk', 5)).rejects.toMatchObject({ allowance: { limit: 100, left: 4, resetSeconds } });
    expect(await limits.take('free', 1)).toBeUndefined();
    await clock.advance(12 * 60 * 60_000);
    expect(await limits.take('desk', 1)).toEqual({ limit: 100, left: 99, resetSeconds: 24 * 60 * 60 });
  });

  it('[KY3.3] counts for the key that issued the key too', async () => {
    const limits = node();
    expect(await admitted(times(80, () => limits.take('worker', 1)))).toBe(60);
    expect(await admitted(times(80, () => limits.take('desk', 1)))).toBe(40);
    expect([limits.isLimited('worker'), limits.isLimited('free')]).toEqual([true, false]);
    await limits.take('free', 1_000_000);
  });

  it('[KY3.3] holds across a restart, and begins anew with the day', async () => {
    await node().take('desk', 99);
    const [second, third, fourth] = [node(2), node(3), node(4)];
    expect(await admitted(times(5, () => second.take('desk', 1)))).toBe(1);
    await clock.advance(dayMs / 2);
    expect(await admitted(times(5, () => third.take('desk', 30)))).toBe(3);
    // A clock that is set back begins no day again.
    clock.setWallClockBy(-dayMs);
    expect(await admitted(times(5, () => fourth.take('desk', 5)))).toBe(2);
  });

  it('[KY3.3] refuses while nothing can be counted, and goes on afterwards', async () => {
    const limits = node();
    isAway = true;
    const refused = admitted([limits.take('desk', 1)]);
    await clock.advance(5_000);
    expect(await refused).toBe(0);
    isAway = false;
    await limits.take('desk', 100);
    expect(await admitted([limits.take('desk', 1)])).toBe(0);
  });

  it('keeps its stream short', async () => {
    const limits = node();
    for (let count = 0; count < 90; count += 1) await limits.take('desk', 1);
    const kept: number[] = [];
    for await (const { revision } of store.read('limit-desk')) kept.push(revision);
    expect([kept[0], kept.at(-1)]).toEqual([63, 89]);
  });
});
