import { randomUUID } from 'node:crypto';
import {
  type AllStreamSubscription,
  ANY,
  BACKWARDS,
  binaryEvent,
  END,
  eventTypeFilter,
  KurrentDBClient,
  MaxAppendSizeExceededError,
  NO_STREAM,
  START,
  STREAM_EXISTS,
  StreamDeletedError,
  StreamNotFoundError,
  streamNameFilter,
  WrongExpectedVersionError,
} from '@kurrent/kurrentdb-client';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { clientAt, collect, someEvent } from '../../support/kurrentdb-double/given.ts';
import { KurrentDbDouble } from '../../support/kurrentdb-double/server.ts';
import { watchUsedStreams } from '../../support/kurrentdb-double/used-streams.ts';
import { deferred } from '../../support/store/contract/given.ts';

/** What holds for the tests' server must hold for a real one. */
const realServer = process.env['KURRENTDB_TEST_URL'];
const double = new KurrentDbDouble();
const run = `double_${randomUUID().slice(0, 8)}`;
const newName = (): string => `${run}_${randomUUID()}`;
let client: KurrentDBClient;
let removeUsed: (() => Promise<void>) | undefined;

beforeAll(async () => {
  if (realServer === undefined) await double.start();
  const url = realServer ?? double.url;
  client = KurrentDBClient.connectionString(url);
  removeUsed = await watchUsedStreams(url, run);
});
afterAll(async () => {
  await removeUsed?.();
  await client.dispose();
  await double.stop();
});

async function revisionsOf(stream: string, options: Parameters<KurrentDBClient['readStream']>[1] = {}) {
  return (await collect(client.readStream(stream, options))).map(({ event }) => Number(event?.revision));
}

/** What a subscription hands over; resolves once that many events are there. */
function received(subscription: AllStreamSubscription, count: number): Promise<string[]> {
  const { promise, resolve } = deferred<string[]>();
  const streams: string[] = [];
  subscription.on('data', ({ event }) => {
    streams.push(event?.streamId ?? '');
    if (streams.length === count) resolve(streams);
  });
  onTestFinished(() => subscription.unsubscribe());
  return promise;
}

const caughtUp = (subscription: AllStreamSubscription): Promise<void> =>
  new Promise((resolve) => {
    subscription.once('caughtUp', () => resolve());
  });

describe('a KurrentDB server, through the unmodified client', () => {
  it('appends where the revision is the expected one, and says where the stream is otherwise', async () => {
    const stream = newName();
    const first = await client.appendToStream(stream, [someEvent(), someEvent()], { streamState: NO_STREAM });
    expect(first.nextExpectedRevision).toBe(1n);
    expect((await client.appendToStream(stream, someEvent(), { streamState: 1n })).nextExpectedRevision).toBe(2n);
    for (const streamState of [NO_STREAM, 0n, 7n] as const) {
      const refused: unknown = await client
        .appendToStream(stream, someEvent(), { streamState })
        .catch((e: unknown) => e);
      expect(refused).toBeInstanceOf(WrongExpectedVersionError);
      expect(refused).toMatchObject({ expectedState: streamState, actualState: 2n });
    }
    expect((await client.appendToStream(stream, someEvent(), { streamState: STREAM_EXISTS })).success).toBe(true);
    await expect(client.appendToStream(newName(), someEvent(), { streamState: STREAM_EXISTS })).rejects.toMatchObject({
      actualState: 'no_stream',
    });
  });

  it('answers a repeated append as before, with the old position', async () => {
    const stream = newName();
    const events = [someEvent(), someEvent()];
    const first = await client.appendToStream(stream, events, { streamState: NO_STREAM });
    await client.appendToStream(stream, someEvent(), { streamState: 1n });
    expect(await client.appendToStream(stream, events, { streamState: NO_STREAM })).toEqual(first);
    expect(await client.appendToStream(stream, events, { streamState: ANY })).toEqual(first);
    expect(await revisionsOf(stream)).toEqual([0, 1, 2]);
    const longer = [...events, someEvent()];
    await expect(client.appendToStream(stream, longer, { streamState: NO_STREAM })).rejects.toThrow(
      WrongExpectedVersionError,
    );
  });

  it('answers with the position that a reader of all finds at the last event', async () => {
    const stream = newName();
    const { position } = await client.appendToStream(stream, [someEvent(), someEvent()]);
    const events = await collect(client.readStream(stream));
    expect(events.at(-1)?.event?.position).toEqual(position);
  });

  it('takes the unary way too', async () => {
    const older = await new KurrentDbDouble({ batchAppend: false }).start();
    const own = clientAt(older.url, older);
    const stream = newName();
    expect((await own.appendToStream(stream, [someEvent(), someEvent()])).nextExpectedRevision).toBe(1n);
    await expect(own.appendToStream(stream, someEvent(), { streamState: NO_STREAM })).rejects.toMatchObject({
      actualState: 1n,
    });
    expect(older.calls).toMatchObject({ append: 2 });
    expect(older.calls).not.toHaveProperty('batchAppend');
  });

  it('refuses an append that is too large, and goes on', async () => {
    const stream = newName();
    const large = someEvent({ text: 'x'.repeat(1_100_000) });
    await expect(client.appendToStream(stream, large)).rejects.toThrow(MaxAppendSizeExceededError);
    expect((await client.appendToStream(stream, someEvent(), { streamState: NO_STREAM })).success).toBe(true);
  });

  it('reads a stream in both directions, from a revision (inclusive), up to a count', async () => {
    const stream = newName();
    await client.appendToStream(
      stream,
      Array.from({ length: 5 }, (_, index) => someEvent({ index })),
    );
    expect(await revisionsOf(stream)).toEqual([0, 1, 2, 3, 4]);
    expect(await revisionsOf(stream, { fromRevision: 3n })).toEqual([3, 4]);
    expect(await revisionsOf(stream, { direction: BACKWARDS, fromRevision: END, maxCount: 2 })).toEqual([4, 3]);
    expect(await revisionsOf(stream, { direction: BACKWARDS, fromRevision: 2n })).toEqual([2, 1, 0]);
    await expect(collect(client.readStream(newName()))).rejects.toThrow(StreamNotFoundError);
  });

  it('gives back data, metadata and bytes', async () => {
    const [stream, bytes] = [newName(), newName()];
    await client.appendToStream(stream, someEvent({ text: 'Grüße 🎈' }));
    await client.appendToStream(bytes, binaryEvent({ type: 'Bytes', data: Buffer.from([1, 2, 255]) }));
    const [read] = await collect(client.readStream(stream));
    expect(read?.event).toMatchObject({ data: { text: 'Grüße 🎈' }, metadata: { by: 'test' }, isJson: true });
    const [binary] = await collect(client.readStream(bytes));
    expect(Buffer.from(binary?.event?.data as Uint8Array)).toEqual(Buffer.from([1, 2, 255]));
  });

  it('reads more than fits one answer', async () => {
    const stream = newName();
    for (let part = 0; part < 5; part += 1) {
      await client.appendToStream(
        stream,
        Array.from({ length: 600 }, (_, index) => someEvent({ index })),
      );
    }
    expect(await revisionsOf(stream)).toHaveLength(3000);
  });

  it('reads all: forwards from a position inclusive, backwards exclusive, filtered by stream or type', async () => {
    const [one, two] = [newName(), newName()];
    const type = `Own_${randomUUID()}`;
    for (const stream of [one, two, one]) await client.appendToStream(stream, { ...someEvent(), type });
    // Others write to the same server.
    await client.appendToStream(newName(), someEvent());
    const filter = streamNameFilter({ prefixes: [one, two] });
    const all = await collect(client.readAll({ filter }));
    expect(all.map(({ event }) => event?.streamId)).toEqual([one, two, one]);
    const fromPosition = all[1]?.event?.position ?? { commit: 0n, prepare: 0n };
    const [forwards] = await collect(client.readAll({ fromPosition, maxCount: 1 }));
    const [backwards] = await collect(client.readAll({ fromPosition, direction: BACKWARDS, maxCount: 1, filter }));
    expect(forwards?.event?.id).toBe(all[1]?.event?.id);
    expect(backwards?.event?.id).toBe(all[0]?.event?.id);
    const byType = await collect(client.readAll({ fromPosition, filter: eventTypeFilter({ regex: `^${type}$` }) }));
    expect(byType.map(({ event }) => event?.streamId)).toEqual([two, one]);
  });

  it('has events of its own in the order of all', async () => {
    const all = await collect(client.readAll({ maxCount: 20 }));
    expect(all.some(({ event }) => event?.streamId.startsWith('$') === true)).toBe(true);
  });

  it('follows a stream from a revision (exclusive): what is there, then what comes', async () => {
    const stream = newName();
    await client.appendToStream(stream, [someEvent(), someEvent(), someEvent()]);
    const subscription = client.subscribeToStream(stream, { fromRevision: 0n });
    onTestFinished(() => subscription.unsubscribe());
    const { promise, resolve } = deferred<number[]>();
    const revisions: number[] = [];
    subscription.on('data', ({ event }) => {
      revisions.push(Number(event?.revision));
      if (revisions.length === 3) resolve(revisions);
    });
    await new Promise((resolveCaughtUp) => {
      subscription.once('caughtUp', resolveCaughtUp);
    });
    await client.appendToStream(stream, someEvent());
    expect(await promise).toEqual([1, 2, 3]);
  });

  it('follows all by a filter, and says how far it is', async () => {
    const prefix = newName();
    const { position } = await client.appendToStream(prefix, someEvent());
    const reached: bigint[] = [];
    const filter = streamNameFilter({
      prefixes: [`${prefix}-`],
      maxSearchWindow: 2,
      checkpointInterval: 1,
      checkpointReached: async (_, { commit }) => {
        reached.push(commit);
      },
    });
    const subscription = client.subscribeToAll({ fromPosition: position ?? START, filter });
    const streams = received(subscription, 2);
    await caughtUp(subscription);
    await client.appendToStream(`${prefix}-1`, someEvent());
    for (let other = 0; other < 6; other += 1) await client.appendToStream(prefix, someEvent());
    await client.appendToStream(`${prefix}-2`, someEvent());
    expect(await streams).toEqual([`${prefix}-1`, `${prefix}-2`]);
    expect(reached.length).toBeGreaterThanOrEqual(3);
    expect(reached).toEqual(reached.toSorted((one, other) => Number(one - other)));
  });

  it('hides what stream metadata say', async () => {
    const [truncated, counted] = [newName(), newName()];
    for (const stream of [truncated, counted]) {
      await client.appendToStream(stream, [someEvent(), someEvent(), someEvent()]);
    }
    await client.setStreamMetadata(truncated, { truncateBefore: 1 });
    await client.setStreamMetadata(counted, { maxCount: 1 });
    expect(await revisionsOf(truncated)).toEqual([1, 2]);
    expect(await revisionsOf(counted)).toEqual([2]);
    expect((await client.getStreamMetadata(counted)).metadata).toMatchObject({ maxCount: 1 });
    await client.appendToStream(counted, someEvent());
    expect(await revisionsOf(counted)).toEqual([3]);
    const all = await collect(client.readAll({ filter: streamNameFilter({ prefixes: [truncated] }) }));
    expect(all.map(({ event }) => Number(event?.revision))).toEqual([0, 1, 2]);
  });

  it('deletes softly: the stream is gone, and counts on when it is written again', async () => {
    const stream = newName();
    await client.appendToStream(stream, [someEvent(), someEvent()]);
    await expect(client.deleteStream(stream, { expectedRevision: 0n })).rejects.toThrow(WrongExpectedVersionError);
    await client.deleteStream(stream, { expectedRevision: 1n });
    await expect(collect(client.readStream(stream))).rejects.toThrow(StreamNotFoundError);
    const again = await client.appendToStream(stream, someEvent(), { streamState: NO_STREAM });
    expect(again.nextExpectedRevision).toBe(2n);
    expect(await revisionsOf(stream)).toEqual([2]);
  });

  it('tells by metadata that a stream is deleted, with a number that JSON of 2^53 cannot hold', async () => {
    const stream = newName();
    await client.appendToStream(stream, someEvent());
    await client.deleteStream(stream);
    const [described] = await collect(client.readStream(`$$${stream}`, { direction: BACKWARDS, fromRevision: END }));
    expect(described?.event?.data).toEqual({ $tb: Number(2n ** 63n - 1n) });
  });

  it('closes a stream for ever', async () => {
    const stream = newName();
    await client.appendToStream(stream, someEvent());
    await client.tombstoneStream(stream);
    await expect(collect(client.readStream(stream))).rejects.toThrow(StreamDeletedError);
    await expect(client.appendToStream(stream, someEvent())).rejects.toThrow(StreamDeletedError);
  });
});
