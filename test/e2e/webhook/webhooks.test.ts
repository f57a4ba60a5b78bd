import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Payload } from '../../../src/webhook/payload/payloads.ts';
import { ann, bob, type Caller, openScene, type Scene } from '../../support/e2e/scene.ts';
import { startWebServer, type WebServer } from '../../support/kit/web-server.ts';

const cara = '1003';

let scene: Scene;
let receiver: WebServer;
let received: { path: string; payload: Payload }[];
let caller: Caller;

beforeEach(async () => {
  received = [];
  receiver = await startWebServer((request, response) => {
    void text(request).then((body) => {
      received.push({ path: request.url ?? '', payload: JSON.parse(body) as Payload });
      response.writeHead(request.url === '/dead' ? 500 : 204).end();
    });
  });
  scene = await openScene({ environment: { ALLOW_PRIVATE_URLS: 'true' } });
  caller = await scene.connected(ann);
});
afterEach(async () => {
  await receiver.close();
  await scene.close();
});

interface Shown extends Record<string, unknown> {
  id: string;
  url: string;
}
const request = (method: string, path = '', body?: object) =>
  scene.request<Shown>(caller, method, `/session/webhooks${path}`, body);
const settings = (path: string, more: object = {}) => ({ url: `${receiver.url}${path}`, token: 'secret', ...more });
const write = (from: string, body: string): Promise<unknown> =>
  scene.sandbox.call('POST', `/accounts/${from}/messages`, { peer: ann, text: body });
async function arrived(path: string, count: number): Promise<Payload[]> {
  const own = () => received.filter((one) => one.path === path);
  while (own().length < count) await scene.clock.advance(0);
  // Chats are delivered side by side.
  return own().map(({ payload }) => payload);
}
const list = async () => ((await request('GET')).body as unknown as { docs: Shown[] }).docs;

it('[EV2.1] adds up to five, the first of which is /session/webhook, and shows, changes and removes each', async () => {
  expect(await list()).toEqual([]);
  const first = (await request('POST', '', settings('/1'))).body;
  expect((await scene.request(caller, 'GET', '/session/webhook')).body['webhook']).toEqual(settings('/1'));
  for (const path of ['/2', '/3', '/4', '/5']) expect((await request('POST', '', settings(path))).status).toBe(200);
  expect(await request('POST', '', settings('/6'))).toMatchObject({
    status: 400,
    body: { message: 'a session has up to 5 webhooks' },
  });
  const docs = await list();
  expect(docs.map(({ url }) => url)).toEqual(['/1', '/2', '/3', '/4', '/5'].map((path) => settings(path).url));
  expect(new Set(docs.map(({ id }) => id)).size).toBe(5);
  expect(docs[0]).toEqual({
    ...settings('/1'),
    id: first.id,
    events: ['message', 'message.edited', 'message.deleted', 'message.read'],
    chats: 'private',
    pending: 0,
    lastDelivered: '',
    lastError: '',
    lastFailed: '',
    nextAttempt: '',
    parked: 0,
  });
  const path = `/${docs[2]?.id}`;
  const changed = settings('/other', { events: ['message'], chats: [bob] });
  expect((await request('PUT', path, changed)).body).toMatchObject({ ...changed, id: docs[2]?.id });
  expect((await request('GET', path)).body).toMatchObject(changed);
  expect((await request('DELETE', path)).body).toEqual({ id: docs[2]?.id });
  for (const [method, below, body] of [
    ['GET', ''],
    ['PUT', '', changed],
    ['DELETE', ''],
    ['GET', '/parked'],
    ['POST', '/replay', { from: 1 }],
    ['POST', '/test'],
  ] as const) {
    expect(await request(method, `${path}${below}`, body)).toMatchObject({
      status: 404,
      body: { message: 'webhook not found' },
    });
  }
  expect((await request('POST', '', { url: '', token: 'x' })).status).toBe(400);
  expect((await list()).map(({ url }) => url)).toEqual(['/1', '/2', '/4', '/5'].map((one) => settings(one).url));
});

it('[EV2.2] [EV2.3] [EV2.4] each gets its own, with the number of the one before it, beside one that is dead', async () => {
  const dead = (await request('POST', '', settings('/dead'))).body;
  await request('POST', '', settings('/bob', { chats: [bob] }));
  await request('POST', '', settings('/all'));
  await write(bob, 'one');
  await write(cara, 'two');
  await write(bob, 'three');
  const all = await arrived('/all', 3);
  const bobs = await arrived('/bob', 2);
  const bySeq = (one: Payload, other: Payload): number => one.seq - other.seq;
  expect(all.toSorted(bySeq).map(({ previous, seq }) => [previous, seq])).toEqual([
    [0, 1],
    [1, 2],
    [2, 3],
  ]);
  expect(bobs.map(({ previous, seq }) => [previous, seq])).toEqual([
    [0, 1],
    [1, 3],
  ]);
  const status = async () => (await request('GET', `/${dead.id}`)).body;
  expect(await status()).toMatchObject({ pending: 3, lastError: 'it answered with status 500' });
  expect((await request('POST', `/${dead.id}/test`)).body).toMatchObject({ delivered: false, status: 500 });

  await request('PUT', `/${dead.id}`, settings('/alive'));
  await arrived('/alive', 3);
  await scene.pass(300);
  expect(await status()).toMatchObject({ pending: 0 });
  await scene.restart();
  expect((await request('POST', `/${dead.id}/replay`, { from: 2 })).status).toBe(200);
  expect(
    (await arrived('/alive', 5))
      .slice(3)
      .map(({ seq }) => seq)
      .toSorted((one, other) => one - other),
  ).toEqual([2, 3]);
  expect([received.filter(({ path }) => path === '/all').length, (await arrived('/bob', 2)).length]).toEqual([3, 2]);
});
