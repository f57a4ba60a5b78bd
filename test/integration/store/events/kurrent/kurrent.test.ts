import { binaryEvent, jsonEvent, KurrentDBClient } from '@kurrent/kurrentdb-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { StoreUnavailableError } from '../../../../../actors/ports/event-store.ts';
import { systemClock, systemRandomness } from '../../../../../src/config/clock.ts';
import { StoreUrlError } from '../../../../../src/config/store-url.ts';
import { connectionString } from '../../../../../src/store/events/kurrent/connection-string.ts';
import { type KurrentStore, openKurrentStore } from '../../../../../src/store/events/kurrent/kurrent-store.ts';
import { KurrentDbDouble } from '../../../../support/kurrentdb-double/server.ts';
import { collect, Follower, idsOf, newEvent, newEvents } from '../../../../support/store/contract/given.ts';

const server = new KurrentDbDouble();
let store: KurrentStore;
let neighbour: KurrentDBClient;
beforeAll(async () => {
  await server.start();
  store = openKurrentStore({ url: server.url, clock: systemClock, randomness: systemRandomness });
  neighbour = KurrentDBClient.connectionString(server.url);
});
afterAll(async () => {
  await store.close();
  await neighbour.dispose();
  await server.stop();
});

/** Everything that the server has kept of what was written, as text. */
const memory = (): string =>
  server.log.all.map(({ stream, data, metadata }) => [stream, ...[data, metadata].map(text)].join(' ')).join('\n');
const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString();

describe('a server that others use too', () => {
  it('[FA7.1] does not show its own events, and says of bytes that they are not JSON', async () => {
    await neighbour.appendToStream('neighbour-1', binaryEvent({ type: 'Bytes', data: Buffer.from([0, 255]) }));
    await neighbour.appendToStream('neighbour-1', jsonEvent({ type: 'Said', data: { to: 'nobody' } }));
    const events = newEvents(3);
    for (const event of events) await store.append('mine-1', 'any', [event]);
    const follower = new Follower(store, {});
    await follower.caughtUp;
    await follower.stop();
    const all = await collect(store.readAll());
    expect(follower.seen).toEqual(all);
    expect(all.map(({ stream, damage }) => [stream, damage])).toEqual([
      ['neighbour-1', 'not-json'],
      ['neighbour-1', undefined],
      ...events.map(() => ['mine-1', undefined]),
    ]);
    expect(all[0]).toMatchObject({ type: 'Bytes', data: null, metadata: null });
    const lasts = await collect(store.lastOfEach(''));
    expect(lasts.map(({ stream, revision }) => [stream, revision])).toEqual([
      ['neighbour-1', 1],
      ['mine-1', 2],
    ]);
  });

  it('shows what has no metadata', async () => {
    await neighbour.appendToStream('bare-1', jsonEvent({ type: 'Said', data: null as never }));
    expect(await store.last('bare-1')).toMatchObject({ data: null, metadata: null });
  });

  it('may have closed a stream for ever', async () => {
    await neighbour.appendToStream('closed-1', jsonEvent({ type: 'Said', data: {} }));
    await neighbour.tombstoneStream('closed-1');
    expect(await store.last('closed-1')).toBeUndefined();
    expect(await collect(store.read('closed-1'))).toEqual([]);
    await store.truncate('closed-1', 1);
    await store.erase('closed-1');
  });
});

describe('what is removed', () => {
  it('is off the disk after a scavenge, the last event too', async () => {
    await store.append('secret-1', 'any', [
      newEvent({ phone: '+49 30 1234567' }),
      newEvent({ phone: '+49 30 7654321' }),
    ]);
    await store.append('secret-2', 'any', [newEvent({ phone: '+49 30 1111111' }), newEvent({ kept: 'to stay' })]);
    await store.erase('secret-1');
    await store.truncate('secret-2', 1);
    expect(memory()).toContain('+49 30');
    server.log.scavenge();
    expect(memory()).not.toContain('+49 30');
    expect(memory()).toContain('to stay');
    expect(await store.last('secret-1')).toBeUndefined();
    expect(await store.last('secret-2')).toMatchObject({ revision: 1 });
  });

  it('is off the disk also where it had been truncated before', async () => {
    await store.append('secret-3', 'any', [newEvent({ phone: '+49 30 2222222' })]);
    await store.truncate('secret-3', 1);
    server.log.scavenge();
    expect(memory()).toContain('+49 30 2222222');
    await store.erase('secret-3');
    server.log.scavenge();
    expect(memory()).not.toContain('+49 30 2222222');
  });

  it('keeps who wrote it last from writing behind it', async () => {
    await store.append('fenced-1', 'no-stream', newEvents(2));
    await store.erase('fenced-1');
    await expect(store.append('fenced-1', 1, newEvents(1))).rejects.toMatchObject({
      name: 'WrongExpectedRevisionError',
    });
    expect(await store.last('fenced-1')).toBeUndefined();
  });

  it('is found again where the process died between the two steps of an erasure', async () => {
    await store.append('half-1', 'no-stream', newEvents(2));
    await store.append('half-1', 1, [newEvent({}, 'StreamErased')]);
    expect(await store.last('half-1')).toBeUndefined();
    expect((await collect(store.lastOfEach('half-'))).map(({ stream }) => stream)).toEqual(['half-1']);
    await store.erase('half-1');
    expect(await collect(store.lastOfEach('half-'))).toEqual([]);
    expect(server.log.lastRevision('half-1')).toBe(2);
  });

  it('[SE11.2] is marked once, however often it is erased', async () => {
    await store.append('once-1', 'no-stream', newEvents(2));
    await store.erase('once-1');
    await store.erase('once-1');
    expect(server.log.lastRevision('once-1')).toBe(2);
  });

  it('[SE11.2] is gone though the mark of its erasure was recorded twice', async () => {
    await store.append('marked-1', 'no-stream', newEvents(2));
    server.faults.forgets = () => true;
    server.faults.lostAnswers = 1;
    await store.erase('marked-1');
    server.faults.forgets = () => false;
    expect(
      server.log
        .stream('marked-1')
        ?.events.slice(2)
        .map((event) => event?.type),
    ).toEqual(['StreamErased', 'StreamErased']);
    expect(await store.last('marked-1')).toBeUndefined();
    expect(await collect(store.read('marked-1'))).toEqual([]);
    expect(await collect(store.lastOfEach('marked-'))).toEqual([]);
    expect(await store.append('marked-1', 'no-stream', newEvents(1))).toMatchObject({ revision: 4 });
  });

  it('[SE11.2] is found again, and erased, where two marks are all that came of its erasure', async () => {
    await store.append('marked-2', 'no-stream', newEvents(1));
    const mark = newEvent({}, 'StreamErased');
    server.faults.forgets = () => true;
    for (let times = 0; times < 2; times += 1) await store.append('marked-2', 'any', [mark]);
    server.faults.forgets = () => false;
    expect(await store.last('marked-2')).toBeUndefined();
    expect((await collect(store.lastOfEach('marked-2'))).map(({ revision }) => revision)).toEqual([2]);
    await store.erase('marked-2');
    expect(await collect(store.lastOfEach('marked-2'))).toEqual([]);
    expect(server.log.lastRevision('marked-2')).toBe(2);
  });

  it('stays hidden when two truncate at the same time', async () => {
    await store.append('twice-1', 'no-stream', newEvents(6));
    await Promise.all([5, 2, 4, 3].map((before) => store.truncate('twice-1', before)));
    expect((await collect(store.read('twice-1'))).map(({ revision }) => revision)).toEqual([5]);
  });

  it('leaves alone what else is said about the stream', async () => {
    await store.append('described-1', 'no-stream', newEvents(3));
    await neighbour.setStreamMetadata('described-1', { maxAge: 3600, owner: 'somebody' });
    await store.truncate('described-1', 1);
    expect((await neighbour.getStreamMetadata('described-1')).metadata).toMatchObject({
      maxAge: 3600,
      owner: 'somebody',
      truncateBefore: 1,
    });
  });
});

describe('the connection string', () => {
  it('gets what the store is built on, where nothing else is said', () => {
    expect(connectionString('kurrentdb://localhost:2113?tls=false')).toBe(
      'kurrentdb://localhost:2113?tls=false&discoveryInterval=20&nodePreference=leader',
    );
    expect(connectionString('kurrentdb+discover://a,b?NodePreference=follower')).toBe(
      'kurrentdb+discover://a,b?NodePreference=follower&discoveryInterval=20',
    );
  });

  it.each([
    'https://admin:secret@localhost:2113',
    'kurrentdb://admin:secret@',
    'kurrentdb://admin:secret@localhost:port',
    'kurrentdb://admin:secret@localhost?tls=maybe',
    'kurrentdb://admin:secret%@localhost',
    'kurrentdb://admin:secret@localhost?throwOnAppendFailure=false',
  ])('is refused without being repeated: %s', (url) => {
    const open = (): unknown => openKurrentStore({ url, clock: systemClock, randomness: systemRandomness });
    expect(open).toThrow(StoreUrlError);
    expect(open).toThrow(/^the event store URL [^@]*$/);
  });

  it('without credentials, or with the wrong ones, makes a store that says why it is away', async () => {
    const guarded = await new KurrentDbDouble({ credentials: { username: 'admin', password: 'changeit' } }).start();
    const stranger = openKurrentStore({ url: guarded.url, clock: systemClock, randomness: systemRandomness });
    const refusal = 'the event store refuses these credentials';
    await expect(stranger.last('session-1')).rejects.toThrow(refusal);
    await expect(stranger.append('session-1', 'any', newEvents(1))).rejects.toThrow(StoreUnavailableError);
    expect(stranger.outage?.reason).toBe(refusal);
    await stranger.close();
    await guarded.stop();
  });
});

describe('many at the same time', () => {
  it('are all recorded, in no more calls than they are', async () => {
    const events = newEvents(300);
    await Promise.all(events.map((event, index) => store.append(`many-${index}`, 'no-stream', [event])));
    expect(idsOf(await collect(store.readAll({ prefixes: ['many-'] }))).toSorted()).toEqual(idsOf(events).toSorted());
  });
});
