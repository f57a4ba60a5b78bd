import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Payload } from '../../../src/webhook/payload/payloads.ts';
import { ann, bob, type Caller, openScene, type Scene } from '../../support/e2e/scene.ts';
import { startWebServer, type WebServer } from '../../support/kit/web-server.ts';

const cara = '1003';
const path = '/session/webhook';

let scene: Scene;
let receiver: WebServer;
let received: Payload[];
/** Texts that the endpoint refuses. */
let refused: Set<string>;
let caller: Caller;

const textOf = ({ data }: Payload): string => ('text' in data ? data.text : '');

beforeEach(async () => {
  received = [];
  refused = new Set();
  receiver = await startWebServer((request, response) => {
    void text(request).then((body) => {
      const payload = JSON.parse(body) as Payload;
      received.push(payload);
      response.writeHead(refused.has(textOf(payload)) ? 503 : 204).end();
    });
  });
  scene = await openScene({ environment: { ALLOW_PRIVATE_URLS: 'true' } });
  caller = await scene.connected(ann);
  await request('PUT', path, { url: receiver.url, token: 'secret' });
});
afterEach(async () => {
  await receiver.close();
  await scene.close();
});

const request = (method: string, url: string, body?: object) => scene.request(caller, method, url, body);
const write = (body: string, from = bob): Promise<unknown> =>
  scene.sandbox.call('POST', `/accounts/${from}/messages`, { peer: ann, text: body });
interface Listed {
  seq: number;
  status: string;
  attempts: number;
  event: Payload;
}
const list = async (query = ''): Promise<Listed[]> =>
  (await request('GET', `${path}/deliveries${query}`)).body['docs'] as Listed[];
async function arrived(count: number): Promise<void> {
  while (received.length < count) await scene.clock.advance(0);
}

it('[OS4.1] [OS4.4] says what waits and why, what was delivered, what was in it, and sends some of it again', async () => {
  refused.add('one');
  await write('one');
  await arrived(1);
  await write('two');
  await write('three', cara);
  await arrived(2);
  await scene.pass(300);
  expect(await list('?status=pending')).toMatchObject([
    { seq: 1, attempts: 1, lastStatus: 503, lastError: 'it answered with status 503', event: received[0] },
    { seq: 2, attempts: 0, lastStatus: 0, lastError: '', event: { seq: 2, data: { text: 'two' } } },
  ]);
  expect((await list('?status=pending'))[0]).toMatchObject({
    nextAttempt: (await request('GET', path)).body['nextAttempt'],
  });
  expect(await list(`?chatId=${cara}`)).toMatchObject([{ seq: 3, status: 'delivered', nextAttempt: '' }]);
  await scene.restart();
  expect(await list('?status=pending')).toMatchObject([{ attempts: 1, lastStatus: 503 }, { attempts: 0 }]);
  refused.clear();
  await scene.pass(40_000);
  expect((await list()).map(({ seq, status, attempts }) => [seq, status, attempts])).toEqual([
    [3, 'delivered', 1],
    [2, 'delivered', 1],
    [1, 'delivered', 2],
  ]);

  const id = received[0]?.id;
  const before = received.length;
  expect((await request('POST', `${path}/replay`, { seqs: [1] })).status).toBe(200);
  expect((await request('POST', `${path}/replay`, { from: 3, to: 3 })).status).toBe(200);
  await arrived(before + 2);
  await scene.pass(1_000);
  expect(received.slice(before).map(({ seq }) => seq)).toEqual(expect.arrayContaining([1, 3]));
  expect(received.slice(before).find(({ seq }) => seq === 1)?.id).toBe(id);
  expect((await request('GET', path)).body).toMatchObject({ pending: 0 });
});
