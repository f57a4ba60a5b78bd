import { beforeEach, describe, expect, it } from 'vitest';
import { StoreUnavailableError } from '../../../../../actors/ports/event-store.ts';
import type { KurrentStore } from '../../../../../src/store/events/kurrent/kurrent-store.ts';
import { passTime, settleNetwork, whileTimePasses } from '../../../../support/kit/passing-time.ts';
import { collect, Follower, idsOf, newEvents } from '../../../../support/store/contract/given.ts';
import { type KurrentScene, openKurrentScene } from '../../../../support/store/kurrent-scene.ts';

let clock: KurrentScene['clock'];
let server: KurrentScene['server'];
let openStore: KurrentScene['openStore'];
let appendInTheEnd: KurrentScene['appendInTheEnd'];
beforeEach(async () => {
  ({ clock, server, openStore, appendInTheEnd } = await openKurrentScene());
});

const longestAppendMs = 4000;
const minuteMs = 60_000;

describe('a read', () => {
  // nghttp2 allows a burst of 1,000 resets, and 33 a second after it; then it closes the connection.
  it.each([
    ['the last event', 'session-1'],
    ['a stream that is not there', 'session-2'],
  ])('of %s ends its call: two thousand of them leave the connection as it is', async (_, stream) => {
    const { store } = openStore();
    await store.append('session-1', 'no-stream', newEvents(2));
    for (let round = 0; round < 20; round += 1) {
      await Promise.all(Array.from({ length: 100 }, () => store.last(stream)));
      expect(store.outage).toBeUndefined();
    }
  });

  it('that stalls is tried again with a new client', async () => {
    const { store } = openStore();
    await store.append('session-1', 'no-stream', newEvents(3));
    const goOn = server.faults.holdReads();
    const reading = collect(store.read('session-1'));
    await settleNetwork();
    await clock.advance(2000);
    expect(store.outage?.reason).toMatch(/no answer/);
    goOn();
    await clock.advance(50);
    expect(await reading).toHaveLength(3);
    expect(store.outage).toBeUndefined();
  });

  it('that goes on stalling ends in time', async () => {
    const { store } = openStore();
    await store.append('session-1', 'no-stream', newEvents(3));
    const goOn = server.faults.holdReads();
    const from = clock.now();
    await expect(whileTimePasses(clock, collect(store.read('session-1')))).rejects.toThrow(StoreUnavailableError);
    expect(clock.now() - from).toBeLessThanOrEqual(2 * longestAppendMs);
    goOn();
    expect(await store.last('session-1')).toMatchObject({ revision: 2 });
  });

  it('that breaks goes on behind the last event, in both directions', async () => {
    const { store } = openStore();
    await store.append('session-1', 'no-stream', newEvents(300));
    const revisions = Array.from({ length: 300 }, (_, index) => index);
    for (const [direction, wanted] of [
      ['forwards', revisions],
      ['backwards', revisions.toReversed()],
    ] as const) {
      [server.faults.brokenReads, server.faults.readsBreakAfter] = [1, 130];
      const read: number[] = [];
      const reading = (async () => {
        for await (const { revision } of store.read('session-1', { direction })) read.push(revision);
      })();
      await whileTimePasses(clock, reading);
      expect(read).toEqual(wanted);
    }
  });

  it('that breaks brings no more than was asked for', async () => {
    const { store } = openStore();
    await store.append('session-1', 'no-stream', newEvents(300));
    [server.faults.brokenReads, server.faults.readsBreakAfter] = [1, 130];
    const read = await whileTimePasses(clock, collect(store.read('session-1', { from: 20, limit: 200 })));
    expect([read.length, read[0]?.revision, read.at(-1)?.revision]).toEqual([200, 20, 219]);
  });
});

describe('a read of all', () => {
  const fill = async (): Promise<{ store: KurrentStore; ids: string[] }> => {
    const { store } = openStore();
    const events = newEvents(40);
    for (const [index, event] of events.entries()) await store.append(`session-${index % 7}`, 'any', [event]);
    return { store, ids: idsOf(events) };
  };
  const readIds = async (store: KurrentStore): Promise<string[]> =>
    idsOf(await whileTimePasses(clock, collect(store.readAll({ prefixes: ['session-'] }))));

  it('is one call', async () => {
    const { store, ids } = await fill();
    expect(await readIds(store)).toEqual(ids);
    expect([server.streamsRead, server.calls['subscribe']]).toEqual([[''], undefined]);
  });

  it('that breaks goes on where it was', async () => {
    const { store, ids } = await fill();
    [server.faults.brokenReads, server.faults.readsBreakAfter] = [1, 13];
    expect(await readIds(store)).toEqual(ids);
    expect(server.faults.brokenReads).toBe(0);
    expect(server.looked).toBeLessThan(ids.length + 10);
  });

  it('that is silent, as where few events match, goes on as a subscription', async () => {
    const { store, ids } = await fill();
    const goOn = server.faults.holdReads();
    expect(await readIds(store)).toEqual(ids);
    expect(server.calls['subscribe']).toBe(1);
    goOn();
  });
});

describe('a subscription', () => {
  it('that is cut goes on where it was', async () => {
    const { store } = openStore();
    const follower = new Follower(store, { prefixes: ['session-'] });
    await follower.caughtUp;
    const events = newEvents(60);
    for (const [index, event] of events.entries()) {
      await store.append(`session-${index % 7}`, 'any', [event]);
      await store.append('other-1', 'any', newEvents(1));
      if (index % 10 !== 5) continue;
      await settleNetwork();
      server.cutSubscriptions();
      await passTime(clock, 100 * (index % 20));
    }
    await whileTimePasses(clock, follower.has(60));
    await follower.stop();
    expect(idsOf(follower.seen)).toEqual(idsOf(events));
    expect(follower.caughtUpAt).toHaveLength(1);
    expect(server.calls['subscribe']).toBe(7);
  });

  it('that was cut begins behind what it has looked at without finding anything', async () => {
    const { store } = openStore();
    const follower = new Follower(store, { prefixes: ['session-'] });
    await follower.caughtUp;
    await store.append('other-1', 'any', newEvents(3000));
    await settleNetwork();
    server.cutSubscriptions();
    const before = server.log.all.length;
    await store.append('session-1', 'any', newEvents(1));
    await whileTimePasses(clock, follower.has(1));
    expect(server.log.all.length).toBe(before + 1);
    expect(server.looked).toBeLessThan(2 * 3000);
    await follower.stop();
  });

  it('that is slow holds up nobody, and says in its place that it has caught up', async () => {
    const { store } = openStore();
    const events = newEvents(40);
    await appendInTheEnd(store, 'session-1', events.slice(0, 20));
    const goOn = server.faults.holdSubscriptions();
    const follower = new Follower(store, { prefixes: ['session-'] });
    await settleNetwork();
    for (const event of events.slice(20)) await store.append('session-1', 'any', [event]);
    expect(await store.last('session-1')).toMatchObject({ revision: 39 });
    await passTime(clock, 30_000);
    expect([follower.seen, follower.caughtUpAt]).toEqual([[], []]);
    expect(store.outage?.reason).toMatch(/no answer/);
    goOn();
    await whileTimePasses(clock, follower.has(40));
    await whileTimePasses(clock, follower.caughtUp);
    expect(idsOf(follower.seen)).toEqual(idsOf(events));
    expect(store.outage).toBeUndefined();
    await follower.stop();
  });

  it('that is up to date may be silent for ever', async () => {
    const { store } = openStore();
    const follower = new Follower(store, { prefixes: ['session-'] });
    await follower.caughtUp;
    await passTime(clock, 24 * 60 * minuteMs);
    expect(server.calls).toMatchObject({ subscribe: 1 });
    await store.append('session-1', 'any', newEvents(1));
    await follower.has(1);
    await follower.stop();
  });

  it('waits, with everything behind it, for a handler that has not ended while it is cut', async () => {
    const { store } = openStore();
    const gates: (() => void)[] = [];
    const follower = new Follower(
      store,
      { prefixes: ['session-'] },
      () =>
        new Promise((resolve) => {
          gates.push(resolve);
        }),
    );
    await appendInTheEnd(store, 'session-1', newEvents(3));
    await follower.has(1);
    server.cutSubscriptions();
    await passTime(clock, 1000);
    expect(follower.seen).toHaveLength(1);
    for (let open = 0; open < 3; open += 1) {
      await whileTimePasses(clock, follower.has(open + 1));
      gates[open]?.();
    }
    expect(follower.seen.map(({ revision }) => revision)).toEqual([0, 1, 2]);
    await follower.stop();
  });
});
