import { randomUUID } from 'node:crypto';
import { status } from '@grpc/grpc-js';
import shared from '@kurrent/kurrentdb-client/generated/kurrentdb/protocols/v1/shared_pb.js';
import type streams from '@kurrent/kurrentdb-client/generated/kurrentdb/protocols/v1/streams_pb.js';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type RawAppend, RawAppends } from '../../support/kurrentdb-double/raw-appends.ts';
import { KurrentDbDouble } from '../../support/kurrentdb-double/server.ts';
import { watchUsedStreams } from '../../support/kurrentdb-double/used-streams.ts';

/** What holds for the tests' server must hold for a real one. */
const realServer = process.env['KURRENTDB_TEST_URL'];
const double = new KurrentDbDouble();
const run = `double_${randomUUID().slice(0, 8)}`;
const newName = (): string => `${run}_${randomUUID()}`;
const newEvent = (text?: string) => ({ id: randomUUID(), ...(text !== undefined && { text }) });
let url = '';
let removeUsed: (() => Promise<void>) | undefined;

beforeAll(async () => {
  if (realServer === undefined) await double.start();
  url = realServer ?? double.url;
  removeUsed = await watchUsedStreams(url, run);
});
afterAll(async () => {
  await removeUsed?.();
  await double.stop();
});

function openCall(at = url, requiresLeader = true): RawAppends {
  const call = new RawAppends(at, requiresLeader);
  onTestFinished(() => call.close());
  return call;
}

const appendOf = (changed: Partial<RawAppend> = {}): RawAppend => ({
  correlation: randomUUID(),
  stream: newName(),
  expected: 'no-stream',
  events: [newEvent()],
  ...changed,
});

/** Code, message and name of the details of a refusal. */
function refusalIn(response: streams.BatchAppendResp): [number, string, string] {
  const refusal = response.getError();
  return [refusal?.getCode() ?? 0, refusal?.getMessage() ?? '', refusal?.getDetails()?.getTypeName() ?? ''];
}

const namesIn = (response: streams.BatchAppendResp): string =>
  refusalIn(response)[2].replace('event_store.client.', '');

describe('a KurrentDB server, below its client', () => {
  it('answers with the correlation ID as text', async () => {
    const append = appendOf();
    const answer = await openCall().append(append);
    expect(answer.getCorrelationId()?.getString()).toBe(append.correlation);
  });

  it('answers an append of nothing with a position and the revision that there is', async () => {
    const call = openCall();
    const stream = newName();
    const none = (await call.append(appendOf({ stream, events: [] }))).getSuccess();
    expect([none?.hasNoStream(), none?.hasPosition()]).toEqual([true, true]);
    await call.append(appendOf({ stream }));
    const more = (await call.append(appendOf({ stream, expected: 0, events: [] }))).getSuccess();
    expect([more?.getCurrentRevision(), more?.hasPosition()]).toEqual(['0', true]);
    const anywhere = (await call.append(appendOf({ stream, expected: 'any', events: [] }))).getSuccess();
    expect(anywhere?.getCurrentRevision()).toBe('0');
  });

  it.each(['no-stream', 7] as const)('refuses an append of nothing where %s is wrong', async (expected) => {
    const call = openCall();
    const stream = newName();
    await call.append(appendOf({ stream }));
    expect(namesIn(await call.append(appendOf({ stream, expected, events: [] })))).toBe('WrongExpectedVersion');
  });

  it.each([
    { what: 'a time', deadline: new Date(0) },
    { what: 'a duration', deadline: -1 },
  ])('says within its answer that the deadline, $what, is past, records nothing, and goes on', async ({ deadline }) => {
    const call = openCall();
    const append = appendOf({ deadline });
    const answer = await call.append(append);
    expect(refusalIn(answer)).toMatchObject([
      status.DEADLINE_EXCEEDED,
      expect.anything(),
      'event_store.client.Timeout',
    ]);
    const next = (await call.append({ ...append, deadline: 10 })).getSuccess();
    expect(next?.getCurrentRevision()).toBe('0');
  });

  it('says within its answer how large an append may be, and goes on', async () => {
    const call = openCall();
    const stream = newName();
    const answer = await call.append(appendOf({ stream, events: [newEvent('x'.repeat(1_100_000))] }));
    const details = answer.getError()?.getDetails();
    const limit = details?.unpack(
      (bytes) => shared.MaximumAppendSizeExceeded.deserializeBinary(bytes),
      'event_store.client.MaximumAppendSizeExceeded',
    );
    expect(limit?.getMaxappendsize()).toBe(1024 * 1024);
    expect((await call.append(appendOf({ stream }))).hasSuccess()).toBe(true);
  });

  it('says within its answer that a request names no stream, and goes on', async () => {
    const call = openCall();
    const answer = await call.append(appendOf({ stream: undefined }));
    const [code, , name] = refusalIn(answer);
    expect([code, name]).toEqual([status.INVALID_ARGUMENT, 'event_store.client.BadRequest']);
    expect((await call.append(appendOf())).hasSuccess()).toBe(true);
  });

  it('knows a repeated append by the revision that it expects, also after others', async () => {
    const call = openCall();
    const append = appendOf();
    const first = (await call.append(append)).getSuccess();
    await call.append(appendOf({ stream: append.stream, expected: 0 }));
    const again = (await call.append({ ...append, correlation: randomUUID() })).getSuccess();
    expect([again?.getCurrentRevision(), again?.getPosition()?.getCommitPosition()]).toEqual([
      first?.getCurrentRevision(),
      first?.getPosition()?.getCommitPosition(),
    ]);
  });
});

describe('the tests’ KurrentDB server', () => {
  const startDouble = async (log?: KurrentDbDouble['log']): Promise<KurrentDbDouble> => {
    const started = await new KurrentDbDouble(log && { log }).start();
    onTestFinished(() => started.stop());
    return started;
  };
  const revisionIn = (answer: streams.BatchAppendResp): string | undefined => answer.getSuccess()?.getCurrentRevision();

  it('knows a repeated append that expects any until it forgets, and then records it again', async () => {
    const server = await startDouble();
    const call = openCall(server.url);
    const append = appendOf({ expected: 'any' });
    const revisions = [await call.append(append), await call.append(append)];
    server.memory.forget();
    revisions.push(await call.append(append), await call.append(append));
    expect(revisions.map(revisionIn)).toEqual(['0', '0', '1', '1']);
  });

  it('has forgotten everything after a stop, but not what an exact revision tells', async () => {
    const server = await startDouble();
    const [any, exact] = [appendOf({ expected: 'any' }), appendOf()];
    for (const append of [any, exact]) await openCall(server.url).append(append);
    await server.stop();
    await server.start();
    const call = openCall(server.url);
    expect([await call.append(any), await call.append(exact)].map(revisionIn)).toEqual(['1', '0']);
  });

  it('forgets at will', async () => {
    const server = await startDouble();
    const call = openCall(server.url);
    server.faults.forgets = () => true;
    const append = appendOf({ expected: 'any' });
    expect([await call.append(append), await call.append(append)].map(revisionIn)).toEqual(['0', '1']);
  });

  it('that follows names the leader to who needs it, and passes on the appends of others', async () => {
    const leader = await startDouble();
    const follower = await startDouble(leader.log);
    follower.leader = { host: '127.0.0.1', port: leader.port };
    const append = appendOf({ expected: 'any' });
    const refused: unknown = await openCall(follower.url)
      .append(append)
      .catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: status.NOT_FOUND });
    const trailers = (refused as { metadata: { getMap(): object } }).metadata.getMap();
    expect(trailers).toMatchObject({
      exception: 'not-leader',
      'leader-endpoint-host': '127.0.0.1',
      'leader-endpoint-port': String(leader.port),
    });
    expect(revisionIn(await openCall(follower.url, false).append(append))).toBe('0');
    // It is the leader that has written, and remembers.
    expect(revisionIn(await openCall(leader.url).append(append))).toBe('0');
    expect(leader.log.lastRevision(append.stream ?? '')).toBe(0);
  });
});
