import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { StoreUnavailableError } from '../../../../../actors/ports/event-store.ts';
import type { KurrentStore } from '../../../../../src/store/events/kurrent/kurrent-store.ts';
import { passTime, whileTimePasses } from '../../../../support/kit/passing-time.ts';
import { KurrentDbDouble } from '../../../../support/kurrentdb-double/server.ts';
import { collect, Follower, idsOf, newEvent, newEvents } from '../../../../support/store/contract/given.ts';
import { type KurrentScene, openKurrentScene } from '../../../../support/store/kurrent-scene.ts';

let clock: KurrentScene['clock'];
let server: KurrentScene['server'];
let openStore: KurrentScene['openStore'];
beforeEach(async () => {
  ({ clock, server, openStore } = await openKurrentScene());
});

const longestAppendMs = 4000;

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

  it.each(['no-stream', 'any'] as const)('without a position is read back (%s)', async (expected) => {
    const { store } = openStore();
    await store.append('other', 'any', newEvents(2));
    server.faults.answersWithoutPosition = 1;
    const appended = await store.append('session-1', expected, newEvents(3));
    expect(server.faults.answersWithoutPosition).toBe(0);
    const last = await store.last('session-1');
    expect(appended).toEqual({ revision: 2, position: last?.position });
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
    expect(server.calls['batchCall']).toBe(2);
  });

  it('that never comes while others do is asked for again on the same connection', async () => {
    const { store } = openStore();
    server.faults.swallowedAppends = 1;
    const appended = store.append('session-1', 'no-stream', newEvents(1));
    await passTime(clock, 1500);
    await store.append('session-2', 'no-stream', newEvents(1));
    expect(await whileTimePasses(clock, appended)).toMatchObject({ revision: 0 });
    expect(server.calls['batchCall']).toBe(1);
  });

  it('that came long before another is missing proves nothing: the connection is replaced', async () => {
    const { store } = openStore();
    server.faults.swallowedAppends = 1;
    const appended = store.append('session-1', 'no-stream', newEvents(1));
    await passTime(clock, 500);
    await store.append('session-2', 'no-stream', newEvents(1));
    expect(await whileTimePasses(clock, appended)).toMatchObject({ revision: 0 });
    expect(server.calls['batchCall']).toBe(2);
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

  it('that the server ran out of time is asked for again, on the same call, and leaves one event', async () => {
    const { store, said } = openStore();
    await store.append('session-1', 'no-stream', newEvents(1));
    server.faults.timedOutAppends = 2;
    const [late, beside] = [
      store.append('session-1', 0, newEvents(1)),
      store.append('session-2', 'no-stream', newEvents(1)),
    ];
    expect(await whileTimePasses(clock, Promise.all([late, beside]))).toMatchObject([{ revision: 1 }, { revision: 0 }]);
    expect(server.faults.timedOutAppends).toBe(0);
    expect(await collect(store.read('session-1'))).toHaveLength(2);
    expect(server.calls['batchCall']).toBe(1);
    expect(said.map(({ message }) => message)).toEqual(['the event store is away', 'the event store is back']);
  });

  it('does not depend on what time it is at the server', async () => {
    const { store } = openStore();
    server.faults.clockAheadMs = 3_600_000;
    expect(await store.append('session-1', 'no-stream', newEvents(1))).toMatchObject({ revision: 0 });
  });

  it('that the request is bad is given at once, with the reason', async () => {
    const { store } = openStore();
    const [bad, good] = await Promise.allSettled([
      store.append('', 'no-stream', newEvents(1)),
      store.append('session-1', 'no-stream', newEvents(1)),
    ]);
    expect(bad).toMatchObject({
      status: 'rejected',
      reason: { name: 'RangeError', message: expect.stringContaining('StreamIdentifier') },
    });
    expect(good.status).toBe('fulfilled');
    expect(server.calls['batchCall']).toBe(1);
    expect(store.outage).toBeUndefined();
  });

  it('that is unknown to this version is asked for again, on the same call', async () => {
    const { store } = openStore();
    server.faults.oddRefusals = 1;
    expect(await whileTimePasses(clock, store.append('session-1', 'no-stream', newEvents(1)))).toMatchObject({
      revision: 0,
    });
    expect(server.calls['batchCall']).toBe(1);
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

  it('of a server that takes each append in a call of its own is as good', async () => {
    const older = await new KurrentDbDouble({ batchAppend: false }).start();
    onTestFinished(() => older.stop());
    const { store } = openStore(older.url);
    const events = [...newEvents(2), { ...newEvent({ third: true }), metadata: null }];
    const first = await store.append('session-1', 'no-stream', events);
    const read = await collect(store.read('session-1'));
    expect(read.map(({ id, type, data, metadata }) => ({ id, type, data, metadata }))).toEqual(events);
    expect(first).toEqual({ revision: 2, position: read.at(-1)?.position });
    await expect(store.append('session-1', 0, newEvents(1))).rejects.toMatchObject({ actual: 2 });
    expect(older.calls).toMatchObject({ append: 2 });
    expect(older.calls['batchAppend']).toBeUndefined();
  });

  it('comes in the order of the calls, whatever the streams', async () => {
    const { store } = openStore();
    const events = newEvents(200);
    const appended = await Promise.all(events.map((event, index) => store.append(`s-${index}`, 'any', [event])));
    const positions = appended.map(({ position }) => position);
    expect(positions).toEqual(positions.toSorted((one, other) => Number(one - other)));
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
