import { beforeEach, describe, expect, it } from 'vitest';
import { StoreUnavailableError } from '../../../../../actors/ports/event-store.ts';
import { passTime, whileTimePasses } from '../../../../support/kit/passing-time.ts';
import { collect, Follower, idsOf, newEvent, newEvents } from '../../../../support/store/contract/given.ts';
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
const hourMs = 60 * minuteMs;

describe('a server that is down', () => {
  it('may be so when the store is opened', async () => {
    await server.stop();
    const { store, said } = openStore();
    const follower = new Follower(store, { prefixes: ['session-'] });
    const from = clock.now();
    await expect(whileTimePasses(clock, store.append('session-1', 'no-stream', newEvents(1)))).rejects.toThrow(
      StoreUnavailableError,
    );
    expect(clock.now() - from).toBeLessThanOrEqual(longestAppendMs);
    await expect(whileTimePasses(clock, store.last('session-1'))).rejects.toThrow(StoreUnavailableError);
    await expect(whileTimePasses(clock, collect(store.lastOfEach('session-')))).rejects.toThrow(StoreUnavailableError);
    expect(store.outage?.since).toBeGreaterThanOrEqual(from);
    expect(store.outage?.reason).toMatch(/connect|ECONNREFUSED|answer/i);
    expect(follower.caughtUpAt).toEqual([]);

    await server.start();
    await whileTimePasses(clock, follower.caughtUp);
    const [event] = newEvents(1);
    await store.append('session-1', 'no-stream', [event ?? newEvent()]);
    await follower.has(1);
    expect((await store.last('session-1'))?.id).toBe(event?.id);
    expect(store.outage).toBeUndefined();
    const outages = said.filter(({ level }) => level === 'warn').map(({ message }) => message);
    expect(outages).toEqual(Array.from({ length: 3 }, () => 'the event store is away'));
    await follower.stop();
  });

  it('for less than an append waits is not noticed by who appends', async () => {
    const { store } = openStore();
    await store.append('session-1', 'no-stream', newEvents(1));
    await server.stop();
    const event = newEvent();
    const appended = store.append('session-1', 0, [event]);
    await passTime(clock, 1000);
    expect(store.outage).toBeDefined();
    await server.start();
    expect(await whileTimePasses(clock, appended)).toMatchObject({ revision: 1 });
    expect((await store.last('session-1'))?.id).toBe(event.id);
    expect(store.outage).toBeUndefined();
  });

  it.each([
    ['a second', 1000],
    ['a minute', minuteMs],
    ['ten minutes', 10 * minuteMs],
  ])('for %s leaves no gap and no double behind', async (_, downMs) => {
    const { store } = openStore();
    const follower = new Follower(store, { prefixes: ['session-'] });
    const streams = ['session-1', 'session-2', 'session-3'];
    const events = streams.map(() => newEvents(6));
    const writing = Promise.all(streams.map((stream, index) => appendInTheEnd(store, stream, events[index] ?? [])));
    await follower.has(2);
    await server.stop();
    await passTime(clock, downMs);
    await server.start();
    await whileTimePasses(clock, writing);
    await whileTimePasses(clock, follower.has(18));
    await follower.stop();
    for (const [index, stream] of streams.entries()) {
      const ids = idsOf(events[index] ?? []);
      expect(idsOf(await collect(store.read(stream)))).toEqual(ids);
      expect(idsOf(follower.seen.filter((event) => event.stream === stream))).toEqual(ids);
    }
    expect(follower.caughtUpAt).toHaveLength(1);
  });

  it('for long is not waited for by everybody anew', async () => {
    const { store } = openStore();
    await server.stop();
    await expect(whileTimePasses(clock, store.append('session-1', 'any', newEvents(1)))).rejects.toThrow(
      StoreUnavailableError,
    );
    const from = clock.now();
    await expect(whileTimePasses(clock, store.append('session-2', 'any', newEvents(1)))).rejects.toThrow(
      StoreUnavailableError,
    );
    expect(clock.now() - from).toBeLessThanOrEqual(100);
    await server.start();
    expect(await store.append('session-2', 'no-stream', newEvents(1))).toMatchObject({ revision: 0 });
  });

  it.each([-hourMs, hourMs])('[OP8.1] is given up after 4 s also if the wall clock is set by %i ms', async (byMs) => {
    const { store, said } = openStore();
    await store.append('session-1', 'no-stream', newEvents(1));
    await server.stop();
    const from = clock.elapsed();
    const calls = [store.append('session-1', 0, newEvents(1)), store.last('session-1')];
    const over = Promise.allSettled(calls);
    await passTime(clock, 500);
    clock.setWallClockBy(byMs);
    const outcomes = await whileTimePasses(clock, over);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(clock.elapsed() - from).toBeGreaterThan(2000);
    expect(clock.elapsed() - from).toBeLessThanOrEqual(longestAppendMs);
    expect(store.outage).toBeDefined();
    await expect(whileTimePasses(clock, collect(store.readAll()))).rejects.toThrow(StoreUnavailableError);
    expect(clock.elapsed() - from).toBeLessThanOrEqual(20_000);
    // Known to be away: the next append makes one attempt only.
    const again = clock.elapsed();
    await expect(whileTimePasses(clock, store.append('session-2', 'any', newEvents(1)))).rejects.toThrow(
      StoreUnavailableError,
    );
    expect(clock.elapsed() - again).toBeLessThanOrEqual(100);
    expect(said.filter(({ level }) => level === 'info')).toEqual([]);
  });

  it('changes nothing that was not answered', async () => {
    const { store } = openStore();
    await store.append('session-1', 'no-stream', newEvents(1));
    await server.stop();
    const [one, two] = newEvents(2);
    const both = [one ?? newEvent(), two ?? newEvent()];
    await expect(whileTimePasses(clock, store.append('session-1', 0, both))).rejects.toThrow(StoreUnavailableError);
    await server.start();
    expect((await store.last('session-1'))?.revision).toBe(0);
    expect(await store.append('session-1', 0, both)).toMatchObject({ revision: 2 });
  });

  it('for good does not keep the store from closing', async () => {
    const { store } = openStore();
    const follower = new Follower(store, { prefixes: ['session-'] });
    await server.stop();
    const [refused] = await whileTimePasses(
      clock,
      Promise.allSettled([store.append('session-1', 'no-stream', newEvents(1)), store.close()]),
    );
    expect(refused).toMatchObject({ status: 'rejected', reason: { name: 'StoreUnavailableError' } });
    expect(follower.errors).toEqual([]);
    expect(clock.armed()).toBe(0);
  });
});
