import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { AuditEntry } from '../../../src/audit/audit-entry-schema.ts';
import type { Payload } from '../../../src/webhook/payload/payloads.ts';
import { reachable } from '../../support/e2e/file-server.ts';
import { ann, bob, openScene, type Scene } from '../../support/e2e/scene.ts';
import { startWebServer, type WebServer } from '../../support/kit/web-server.ts';

let scene: Scene;
let endpoint: WebServer;
const received: Payload[] = [];

beforeEach(async () => {
  endpoint = await startWebServer((request, response) => {
    void text(request).then((body) => {
      received.push(JSON.parse(body) as Payload);
      response.end();
    });
  });
  scene = await openScene(reachable);
});
afterEach(async () => {
  await endpoint.close();
  await scene.close();
});

it('[SE1.1] [SE1.2] a session is created, scanned, connected, writes, delivers, is reset and deleted', async () => {
  const caller = await scene.create({ name: 'Desk', webhook: { url: endpoint.url, token: 'secret' } });
  await scene.sandbox.scan(await scene.qrLink(caller), ann);
  expect(await scene.read(caller, (session) => session.isConnected)).toMatchObject({ name: 'Ann Lee', qrcode: '' });

  const message = { username: 'bob', type: 'text', text: 'Hello' };
  const sent = await scene.request(caller, 'POST', '/message', message);
  expect(sent).toMatchObject({ status: 200, body: { messageId: expect.stringMatching(/^\d+$/) } });
  const atBob = await scene.sandbox.call<{ text: string }[]>('GET', `/accounts/${bob}/messages?peer=${ann}&limit=1`);
  expect(atBob).toMatchObject([{ text: 'Hello' }]);

  await scene.sandbox.call('POST', `/accounts/${bob}/messages`, { peer: ann, text: 'Hello yourself' });
  while (received.length === 0) await scene.pass(100);
  expect(received).toMatchObject([{ seq: 1, type: 'message', data: { chatId: bob, text: 'Hello yourself' } }]);

  expect(await scene.request(caller, 'POST', '/session/reset', {})).toMatchObject({
    status: 200,
    body: { id: caller.id, isConnected: false, webhook: { url: endpoint.url } },
  });
  await scene.qrLink(caller);
  const { body } = await scene.request<{ docs: AuditEntry[] }>(caller, 'GET', '/session/events');
  expect(body.docs.filter(({ type }) => type !== 'QrIssued').map(({ type, state }) => `${type} → ${state}`)).toEqual([
    'SessionCreated → qrPending',
    'LoggedIn → connected',
    'SessionReset → qrPending',
  ]);

  expect(await scene.request(caller, 'DELETE', '/session')).toMatchObject({ status: 200, body: { id: caller.id } });
  expect(await scene.request(caller, 'GET', '/session')).toMatchObject({
    status: 404,
    body: { statusCode: 404, message: 'session not found' },
  });
  // The account's device list is empty: the reset logged out what the QR had logged in.
  await scene.pass(10_000);
  expect(await scene.sandbox.call('GET', `/accounts/${ann}/devices`)).toEqual([]);
});
