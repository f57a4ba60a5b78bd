import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { type EventStore, type NewEvent, StoreUnavailableError } from '../../../actors/event-store.ts';
import { type KurrentStore, openKurrentStore } from '../../../src/store/kurrent.ts';
import { collect, Follower, idsOf, newEvent, newEvents } from '../../contract/event-store/given.ts';
import { createDrivenClock, createSeededRandomness, type DrivenClock } from '../../support/clock.ts';
import { KurrentDbDouble } from '../../support/kurrentdb-double/server.ts';
import { passTime, settleNetwork, whileTimePasses } from '../../support/passing-time.ts';

let clock: DrivenClock;
let server: KurrentDbDouble;

beforeEach(async () => {
  clock = createDrivenClock();
  server = new KurrentDbDouble();
  await server.start();
});

interface Said {
  level: 'info' | 'warn';
  message: string;
}

function openStore(url = server.url): { store: KurrentStore; said: Said[] } {
  const said: Said[] = [];
  const log = {
    info: (_: object, message: string) => said.push({ level: 'info', message }),
    warn: (_: object, message: string) => said.push({ level: 'warn', message }),
    error: () => {},
  };
  const store = openKurrentStore({ url, clock, randomness: createSeededRandomness(1, clock), log });
  onTestFinished(async () => {
    await whileTimePasses(clock, store.close());
    await server.stop();
  });
  return { store, said };
}

/** As the owner of a stream does it: the same events again, for as long as the store is away. */
async function appendInTheEnd(store: EventStore, stream: string, events: readonly NewEvent[]): Promise<void> {
  for (const [index, event] of events.entries()) {
    for (let isRecorded = false; !isRecorded; ) {
      try {
        await store.append(stream, index === 0 ? 'no-stream' : index - 1, [event]);
        isRecorded = true;
      } catch (error) {
        if (!(error instanceof StoreUnavailableError)) throw error;
        await new Promise<void>((resolve) => {
          clock.setTimeout(resolve, 30_000);
        });
      }
    }
  }
}

const longestAppendMs = 4000;
const minuteMs = 60_000;

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

  it('while many appends are under way loses none, doubles none, and takes nobody down', async () => {
    const { store } = openStore();
    const events = Array.from({ length: 100 }, () => newEvent({ text: 'x'.repeat(100_000) }));
    const writing = Promise.all(events.map((event, index) => appendInTheEnd(store, `session-${index}`, [event])));
    await settleNetwork();
    await server.stop();
    await passTime(clock, 5000);
    await server.start();
    await whileTimePasses(clock, writing);
    const all = await collect(store.readAll({ prefixes: ['session-'] }));
    expect(idsOf(all).toSorted()).toEqual(idsOf(events).toSorted());
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

describe('an answer', () => {
  it('that is lost after the commit leaves one event', async () => {
    const { store } = openStore();
    const first = await store.append('session-1', 'no-stream', newEvents(1));
    server.faults.lostAnswers = 2;
    const events = newEvents(3);
    const appended = await whileTimePasses(clock, store.append('session-1', first.revision, events));
    expect(appended.revision).toBe(3);
    const read = await collect(store.read('session-1', { from: 1 }));
    expect(idsOf(read)).toEqual(idsOf(events));
    expect(appended.position).toBe(read.at(-1)?.position);
  });

  it('that never comes is asked for again, on a new connection', async () => {
    const { store } = openStore();
    await store.append('session-1', 'no-stream', newEvents(1));
    server.faults.swallowedAppends = 1;
    const appended = store.append('session-1', 0, newEvents(1));
    await passTime(clock, 1999);
    expect((await store.last('session-1'))?.revision).toBe(0);
    expect(await whileTimePasses(clock, appended)).toMatchObject({ revision: 1 });
    expect(await collect(store.read('session-1'))).toHaveLength(2);
  });

  it('that does not come at all ends the append in time', async () => {
    const { store } = openStore();
    server.faults.swallowedAppends = 100;
    const from = clock.now();
    const appends = ['session-1', 'session-1', 'session-2'].map((stream) => store.append(stream, 'any', newEvents(1)));
    const outcomes = await whileTimePasses(clock, Promise.allSettled(appends));
    for (const outcome of outcomes) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: { name: 'StoreUnavailableError' } });
    }
    expect(clock.now() - from).toBeLessThanOrEqual(longestAppendMs);
    server.faults.swallowedAppends = 0;
    expect(await whileTimePasses(clock, store.append('session-1', 'no-stream', newEvents(1)))).toMatchObject({
      revision: 0,
    });
  });

  it('of what the server can do, which the client keeps for ever, may never come', async () => {
    server.faults.silentFeatures = true;
    const { store } = openStore();
    await expect(whileTimePasses(clock, store.append('session-1', 'any', newEvents(1)))).rejects.toThrow(
      StoreUnavailableError,
    );
    server.faults.silentFeatures = false;
    expect(await store.append('session-1', 'no-stream', newEvents(1))).toMatchObject({ revision: 0 });
  });

  it('of a server that is not ready is no answer', async () => {
    const { store } = openStore();
    server.faults.notReady = true;
    const appended = store.append('session-1', 'no-stream', newEvents(1));
    await passTime(clock, 500);
    server.faults.notReady = false;
    expect(await whileTimePasses(clock, appended)).toMatchObject({ revision: 0 });
  });

  it('that somebody else was first is given at once', async () => {
    const { store } = openStore();
    const other = openStore().store;
    await store.append('session-1', 'no-stream', newEvents(1));
    await other.append('session-1', 0, newEvents(1));
    const calls = server.calls['batchAppend'] ?? 0;
    await expect(store.append('session-1', 0, newEvents(1))).rejects.toMatchObject({
      name: 'WrongExpectedRevisionError',
      stream: 'session-1',
      expected: 0,
      actual: 1,
    });
    expect(server.calls['batchAppend']).toBe(calls + 1);
    expect(store.outage).toBeUndefined();
  });

  it('that an event is too large is given at once', async () => {
    const { store } = openStore();
    const large = newEvent({ text: 'x'.repeat(1_100_000) });
    await expect(store.append('session-1', 'any', [large])).rejects.toThrow(/1048576 bytes/);
    expect(server.calls).toMatchObject({ batchAppend: 1 });
  });
});

describe('a cluster', () => {
  async function openCluster(): Promise<{ store: KurrentStore; other: KurrentDbDouble }> {
    const other = await new KurrentDbDouble({ log: server.log }).start();
    lead(server, other);
    const hosts = [server, other].map(({ port }) => `127.0.0.1:${port}`).join(',');
    const { store } = openStore(`kurrentdb://${hosts}?tls=false`);
    onTestFinished(() => other.stop());
    return { store, other };
  }

  function lead(leader: KurrentDbDouble, follower: KurrentDbDouble, role: 'follower' | 'gone' = 'follower'): void {
    const members = [
      { host: '127.0.0.1', port: leader.port, role: 'leader' as const },
      { host: '127.0.0.1', port: follower.port, role },
    ];
    for (const node of [leader, follower]) node.members = members;
    leader.leader = undefined;
    follower.leader = { host: '127.0.0.1', port: leader.port };
  }

  it('is written and read at its leader', async () => {
    const { store, other } = await openCluster();
    await store.append('session-1', 'no-stream', newEvents(1));
    await store.last('session-1');
    expect([
      server.calls['batchAppend'],
      server.calls['read'],
      other.calls['batchAppend'],
      other.calls['read'],
    ]).toEqual([1, 1, undefined, undefined]);
  });

  it('that has another leader is followed there', async () => {
    const { store, other } = await openCluster();
    const follower = new Follower(store, { prefixes: ['session-'] });
    await store.append('session-1', 'no-stream', newEvents(1));
    await store.last('session-1');
    lead(other, server);
    expect(await whileTimePasses(clock, store.append('session-1', 0, newEvents(1)))).toMatchObject({ revision: 1 });
    await whileTimePasses(clock, follower.has(2));
    expect(other.calls['batchAppend']).toBe(1);
  });

  it('that loses its leader is written, read and followed at the next one', async () => {
    const { store, other } = await openCluster();
    const follower = new Follower(store, { prefixes: ['session-'] });
    const [first, second] = newEvents(2);
    await store.append('session-1', 'no-stream', [first ?? newEvent()]);
    await store.last('session-1');
    await follower.has(1);
    await server.stop();
    lead(other, server, 'gone');
    await whileTimePasses(clock, store.append('session-1', 0, [second ?? newEvent()]));
    await whileTimePasses(clock, follower.has(2));
    const ids = [first?.id, second?.id];
    expect(idsOf(follower.seen)).toEqual(ids);
    expect(idsOf(await whileTimePasses(clock, collect(store.read('session-1'))))).toEqual(ids);
  });
});

describe('a read', () => {
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
