import { once } from 'node:events';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import type { Payload } from '../../../src/webhook/payload/payloads.ts';
import { ann, bob, type Caller, openScene, type Scene } from '../../support/e2e/scene.ts';
import { EnvelopeStream } from '../../support/kit/envelope-stream.ts';

const cara = '1003';
const hourMs = 3_600_000;

let scene: Scene;
let caller: Caller;
let open: EnvelopeStream[];

beforeEach(async () => {
  open = [];
  scene = await openScene();
  caller = await scene.connected(ann);
});
afterEach(async () => {
  await Promise.allSettled(open.map((stream) => stream.leave()));
  await scene.close();
});

/** Connects, and waits until its wish is recorded for. */
async function join(query: string, headers: Record<string, string> = {}): Promise<EnvelopeStream> {
  const stream = new EnvelopeStream(scene.gateway.url, { ...caller.headers, ...headers }, query);
  open.push(stream);
  await scene.pass(500);
  return stream;
}
const write = (from: string, text: string): Promise<unknown> =>
  scene.sandbox.call('POST', `/accounts/${from}/messages`, { peer: ann, text });
/** Time stands still. */
async function arrived(stream: EnvelopeStream, count: number): Promise<[number, number][]> {
  while (stream.envelopes.length < count) await scene.clock.advance(0);
  return stream.numbers;
}

it('[EV3.1] [EV2.4] a reader gets the envelopes of what it wants, live and in order, without a webhook', async () => {
  const all = await join('reader=all');
  const bobs = await join(`reader=bobs&events=message,message.edited&chats=${bob},1004`);
  await write(bob, 'one');
  await write(cara, 'two');
  await write(bob, 'three');
  expect(await arrived(all, 3)).toEqual([
    [0, 1],
    [1, 2],
    [2, 3],
  ]);
  expect(await arrived(bobs, 2)).toEqual([
    [0, 1],
    [1, 3],
  ]);
  expect(all.envelopes[0]).toMatchObject({
    type: 'message',
    session: { id: caller.id, generatedId: ann },
    data: { chatId: bob, text: 'one' },
  });
});

it('[EV3.2] one that comes back goes on after Last-Event-ID, after `after`, or at its place; for 24 hours', async () => {
  const first = await join('reader=desk');
  await write(bob, 'one');
  await arrived(first, 1);
  await first.leave();
  await scene.pass(hourMs);
  await write(bob, 'two');
  await write(bob, 'three');
  const [again, later] = [await join('reader=desk', { 'last-event-id': '1' }), await join('reader=other&after=1')];
  expect(await arrived(again, 2)).toEqual([
    [1, 2],
    [2, 3],
  ]);
  // It came after them.
  expect(later.envelopes).toEqual([]);
  await scene.restart();
  const back = await join('reader=desk&after=2');
  expect(await arrived(back, 1)).toEqual([[2, 3]]);
  await back.leave();
  await scene.pass(500);
  await scene.restart();
  expect(await arrived(await join('reader=desk'), 1)).toEqual([[2, 3]]);

  await Promise.all(open.map((stream) => stream.leave()));
  await scene.pass(24 * hourMs + 1000);
  await write(bob, 'for none');
  const anew = await join('reader=desk');
  await write(bob, 'four');
  expect(await arrived(anew, 1)).toEqual([[0, 4]]);
});

it('[EV3.2] a number that the stream has not come to is none: it goes on at its place', async () => {
  const first = await join('reader=desk');
  await write(bob, 'one');
  await arrived(first, 1);
  // As after a restored backup: the client remembers more than there is.
  const beyond = { 'last-event-id': '999' };
  const second = await join('reader=desk&after=1', beyond);
  await second.leave();
  await scene.pass(500);
  await write(bob, 'two');
  expect(await arrived(await join('reader=desk', beyond), 2)).toEqual([
    [0, 1],
    [1, 2],
  ]);
});

it('[EV3.3] a session has five readers, and a reader one connection', async () => {
  for (const name of ['a', 'b', 'c', 'd', 'e']) await join(`reader=${name}`);
  const sixth = await join('reader=f');
  await sixth.ended;
  expect(sixth.refusal).toEqual({
    status: 400,
    body: { statusCode: 400, message: 'a session has up to 5 readers' },
  });
  const again = await join('reader=a');
  await open[0]?.ended;
  await write(bob, 'one');
  await arrived(again, 1);
  expect(open[0]?.envelopes).toEqual([]);
  for (const [query, message] of [
    ['', 'reader must be a string\nreader should not be empty'],
    ['reader=a b', 'reader must be up to 64 letters, digits, dots, hyphens or underscores'],
    ['reader=a&after=x', 'after must be a number'],
    ['reader=a&chats=people', 'chats must be one of the following values: private, groups, channels, all'],
  ]) {
    const refused = await join(query ?? '');
    await refused.ended;
    expect(refused.refusal?.body).toEqual({ statusCode: 400, message });
  }
});

it('[EV3.4] its streams end with the session', async () => {
  const stream = await join('reader=a');
  await scene.request(caller, 'DELETE', '/session');
  await stream.ended;
  expect(stream.refusal).toBeUndefined();
});

/** A client of `WS /session/messages`. */
async function socket(query: string): Promise<{ client: WebSocket; envelopes: Payload[] }> {
  const client = new WebSocket(`${scene.gateway.url.replace('http', 'ws')}/session/messages?${query}`, {
    headers: caller.headers,
  });
  const envelopes: Payload[] = [];
  client.on('message', (data) => void envelopes.push(JSON.parse((data as Buffer).toString()) as Payload));
  await once(client, 'open');
  await scene.pass(500);
  return { client, envelopes };
}
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await scene.clock.advance(0);
}
async function closed(client: WebSocket): Promise<number> {
  const closing = once(client, 'close') as Promise<[number]>;
  let code: number | undefined;
  void closing.then(([given]) => {
    code = given;
  });
  await until(() => code !== undefined);
  return code ?? 0;
}

it('[EV3.5] a WebSocket gets the same; what it has acknowledged stays acknowledged, also over a crash', async () => {
  const { client, envelopes } = await socket('reader=desk');
  await write(bob, 'one');
  await write(bob, 'two');
  await write(bob, 'three');
  await until(() => envelopes.length === 3);
  expect(envelopes.map(({ previous, seq }) => [previous, seq])).toEqual([
    [0, 1],
    [1, 2],
    [2, 3],
  ]);
  client.send('{"ack":2}');
  await scene.pass(500);
  await scene.restart();
  const back = await socket('reader=desk');
  await until(() => back.envelopes.length === 1);
  expect(back.envelopes).toMatchObject([{ id: envelopes[2]?.id, seq: 3 }]);
  back.client.send('what?');
  expect(await closed(back.client)).toBe(1003);
});

it('[EV3.5] an acknowledgement of what was not sent yet has nothing missed', async () => {
  const { client, envelopes } = await socket('reader=desk');
  await write(bob, 'one');
  await until(() => envelopes.length === 1);
  client.send('{"ack":1000}');
  await scene.pass(500);
  client.terminate();
  await scene.pass(500);
  await write(bob, 'two');
  const back = await socket('reader=desk');
  await until(() => back.envelopes.length === 1);
  expect(back.envelopes).toMatchObject([{ seq: 2, previous: 1 }]);
});

it('[EV3.4] [EV3.5] a WebSocket ends with the session, and needs its headers and a handshake', async () => {
  const { client } = await socket('reader=desk');
  const plain = await scene.request(caller, 'GET', '/session/messages?reader=desk');
  expect([plain.status, plain.body['message']]).toEqual([426, 'a websocket is needed']);
  const stranger = new WebSocket(`${scene.gateway.url.replace('http', 'ws')}/session/messages?reader=desk`, {
    headers: { ...caller.headers, 'session-id': 'wrong' },
  });
  const [error] = (await once(stranger, 'error')) as [Error];
  expect(error.message).toContain('404');
  const ending = closed(client);
  await scene.request(caller, 'DELETE', '/session');
  expect(await ending).toBe(1000);
});
