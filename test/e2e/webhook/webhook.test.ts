import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Payload } from '../../../src/webhook/payload/payloads.ts';
import { readDeliveries, textsOf } from '../../support/e2e/deliveries.ts';
import { ann, bob, type Caller, openScene, type Scene } from '../../support/e2e/scene.ts';
import { startWebServer, type WebServer } from '../../support/kit/web-server.ts';

const cara = '1003';
const helperbot = '1004';
/** While the gateway is down. */
const missed = 500;

let scene: Scene;
let receiver: WebServer;
let received: Payload[];
let status: number;
let caller: Caller;

beforeEach(async () => {
  received = [];
  status = 204;
  receiver = await startWebServer((request, response) => {
    void text(request).then((body) => {
      received.push(JSON.parse(body) as Payload);
      response.writeHead(status).end();
    });
  });
  scene = await openScene({ environment: { ALLOW_PRIVATE_URLS: 'true' } });
  caller = await scene.connected(ann);
  await request('PUT', '', { url: receiver.url, token: 'secret' });
});
afterEach(async () => {
  await receiver.close();
  await scene.close();
});

const request = (method: string, path: string, body?: object) =>
  scene.request(caller, method, `/session/webhook${path}`, body);
const write = (body: object, from = bob): Promise<unknown> =>
  scene.sandbox.call('POST', `/accounts/${from}/messages`, { peer: ann, ...body });

/** Time stands still. */
async function arrived(count: number): Promise<Payload[]> {
  while (received.length < count) await scene.clock.advance(0);
  return received;
}

it('[WH3.1] tells a message to the receiver, with a media link that brings its file', async () => {
  await write({ text: 'look', media: { kind: 'photo' } });
  const [first] = await arrived(1);
  const { generatedId } = await scene.read(caller);
  expect(first).toMatchObject({
    seq: 1,
    type: 'message',
    session: { id: caller.id, generatedId },
    data: { chatId: bob, fromMe: false, user: { id: bob, username: 'bobstone' }, type: 'image' },
  });
  expect(JSON.stringify(first)).not.toContain(caller.sessionId);
  const url = first && 'image' in first.data ? (first.data.image?.url ?? '') : '';
  const file = await fetch(url);
  expect([file.status, file.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
  expect((await file.arrayBuffer()).byteLength).toBeGreaterThan(100);
});

it('[EV1.2] [EV1.3] gets what it asks for: some events, of some chats', async () => {
  const events = ['message.edited', 'message'];
  const to = { url: receiver.url, token: 'secret' };
  expect((await request('GET', '')).body).toMatchObject({
    events: ['message', 'message.edited', 'message.deleted', 'message.read'],
    chats: 'private',
  });
  expect((await request('PUT', '', { ...to, events, chats: [cara] })).body).toEqual({ id: caller.id, webhook: to });
  expect((await request('GET', '')).body).toMatchObject({ webhook: to, events, chats: [cara] });
  expect((await scene.read(caller))['webhook']).toEqual(to);
  await write({ text: 'not wanted' });
  await write({ text: 'wanted' }, cara);
  const [first] = await arrived(1);
  expect(first).toMatchObject({ seq: 1, data: { text: 'wanted' } });
  await request('PUT', '', { ...to, events: ['message'], chats: 'groups' });
  expect((await request('GET', '')).body).toMatchObject({ events: ['message'], chats: 'groups' });
  await request('PUT', '', to);
  await write({ text: 'wanted again' });
  expect(textsOf(await readDeliveries({ dataDir: scene.gateway.dataDir, kurrent: scene.kurrent }, caller.id))).toEqual([
    'wanted',
    'wanted again',
  ]);
  await request('PUT', '', { url: '', token: '' });
  expect((await request('GET', '')).body).toMatchObject({ events: [], chats: 'private' });
});

it('[WH1.2] [WH1.3] says how it is doing, sends a test, sends again, and refuses both where it is off', async () => {
  await write({ text: 'one' });
  await write({ text: 'two' });
  await arrived(2);
  await scene.pass(300);
  expect((await request('GET', '')).body).toMatchObject({ pending: 0, lastError: '', parked: 0 });
  expect((await request('POST', '/test')).body).toMatchObject({ delivered: true, status: 204, error: '' });
  expect(received[2]).toMatchObject({ type: 'test', seq: 0 });
  status = 500;
  expect((await request('POST', '/test')).body).toMatchObject({ delivered: false, status: 500 });
  status = 204;
  expect((await request('POST', '/replay', { from: 2 })).status).toBe(200);
  const again = (await arrived(5))[4];
  expect([again?.id, again?.seq]).toEqual([received[1]?.id, 2]);
  expect((await request('GET', '/parked')).body).toEqual({ docs: [], after: 0 });
  expect((await request('POST', '/replay', { from: 'x' })).body['message']).toBe('from must be a positive number');
  for (const from of [0.5, 2.5, 1e308]) {
    expect((await request('POST', '/replay', { from })).body['message']).toBe('from must be an integer');
  }
  await request('PUT', '', { url: '', token: '' });
  for (const path of ['/replay', '/test']) {
    expect((await request('POST', path, { from: 1 })).body).toEqual({ statusCode: 400, message: 'webhook is off' });
  }
});

it('[WH2.1] says in whose account it happened, also when another one has been logged in since', async () => {
  status = 500;
  await write({ text: 'to Ann' });
  await arrived(1);
  await scene.pass(300);
  expect((await scene.request(caller, 'POST', '/session/reset', {})).status).toBe(200);
  await scene.sandbox.scan(await scene.qrLink(caller), cara);
  await scene.read(caller, ({ isConnected }) => isConnected);
  status = 204;
  await write({ text: 'to Cara', peer: cara });
  await scene.pass(10_000);
  const told = (await arrived(3)).filter(({ data }) => 'text' in data);
  const accountOf = new Map(told.map(({ data, session }) => ['text' in data && data.text, session.generatedId]));
  expect(Object.fromEntries(accountOf)).toEqual({ 'to Ann': ann, 'to Cara': cara });
});

it('[WH4.5] turns the webhook off where the receiver says that it is gone, and the audit says so', async () => {
  status = 410;
  await write({ text: 'one' });
  await arrived(1);
  for (let url = 'x'; url !== ''; await scene.clock.advance(0)) {
    ({ url } = (await request('GET', '')).body['webhook'] as { url: string });
  }
  const { body } = await scene.request(caller, 'GET', '/session/events');
  expect((body['docs'] as object[]).at(-1)).toMatchObject({
    type: 'WebhookSet',
    data: { hasWebhook: false, reason: 'receiver-gone' },
  });
});

it('[WH5.2] delivers in order 500 messages that came in the hour that the gateway was down, in slices', async () => {
  status = 500;
  await write({ text: 'before' });
  await arrived(1);
  await scene.pass(300);
  await scene.gateway.crash();
  const writers = [bob, cara, helperbot];
  const written = (writer: string): string[] =>
    Array.from({ length: missed }, (_, index) => `missed ${index}`).filter(
      (_, index) => writers[index % writers.length] === writer,
    );
  for (let index = 0; index < missed; index += 1) {
    await write({ text: `missed ${index}` }, writers[index % writers.length]);
  }
  await scene.sandbox.call('POST', '/chaos', { differenceSlice: 40 });
  await scene.clock.advance(60 * 60_000);
  status = 204;
  await scene.restart();
  const texts = (chat: string): string[] => [
    ...new Map(
      received.flatMap(({ seq, data }) =>
        'chatId' in data && 'text' in data && data.chatId === chat ? [[seq, data.text] as const] : [],
      ),
    ).values(),
  ];
  while (writers.flatMap(texts).length < missed + 1) await scene.pass(1000);
  expect(texts(bob)).toEqual(['before', ...written(bob)]);
  for (const writer of [cara, helperbot]) expect(texts(writer)).toEqual(written(writer));
  const differences = await scene.sandbox.call<{ answer?: string }[]>('GET', '/calls?method=updates.getDifference');
  const slices = differences.filter(({ answer }) => answer === 'updates.differenceSlice');
  expect(slices.length).toBeGreaterThanOrEqual(Math.floor(missed / 40));
  // One number, one ID, whenever it comes.
  const seqs = new Map(received.map(({ seq, id }) => [id, seq]));
  expect([...seqs.values()].toSorted((one, other) => one - other)).toEqual(
    Array.from({ length: missed + 1 }, (_, index) => index + 1),
  );
});

it('[WH4.6] keeps what was recorded for 7 days, and then no longer', async () => {
  await write({ text: 'old' });
  await write({ text: 'newer' });
  await arrived(2);
  await scene.pass(300);
  const { dataDir } = scene.gateway;
  const kept = async (): Promise<string[]> =>
    textsOf(await readDeliveries({ dataDir, kurrent: scene.kurrent }, caller.id));
  for (const [days, left] of [
    [6, ['old', 'newer']],
    // The last one stays: the numbers go on from it.
    [2, ['newer']],
  ] as const) {
    await scene.gateway.crash();
    await scene.clock.advance(days * 24 * 60 * 60_000);
    await scene.restart();
    await scene.gateway.started;
    await scene.read(caller, ({ isConnected }) => isConnected);
    // What is old is removed when the sessions have had time to come back.
    await scene.pass(10 * 60_000);
    expect(await kept()).toEqual(left);
  }
  await write({ text: 'the next' });
  expect((await arrived(3))[2]).toMatchObject({ seq: 3, data: { text: 'the next' } });
});
