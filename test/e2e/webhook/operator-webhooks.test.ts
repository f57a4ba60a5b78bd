import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Payload } from '../../../src/webhook/payload/payloads.ts';
import { ann, type Caller, openScene, type Scene } from '../../support/e2e/scene.ts';

/** Operators' webhooks, from the request to the receiver. */

const asOwner = { 'x-api-key': 'a key of the owner of the service' };
let scene: Scene;
let receiver: Server;
let url: string;
let received: { path: string; headers: Record<string, string>; body: string }[];

beforeAll(async () => {
  received = [];
  receiver = createServer((request, response) => {
    void text(request).then((body) => {
      received.push({ path: request.url ?? '', headers: request.headers as Record<string, string>, body });
      response.writeHead(204).end();
    });
  });
  await new Promise<void>((resolve) => void receiver.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
  scene = await openScene({ environment: { API_KEY: asOwner['x-api-key'], ALLOW_PRIVATE_URLS: 'true' } });
});
afterAll(async () => {
  await scene.close();
  receiver.closeAllConnections();
  receiver.close();
});

async function keyOf(body: object): Promise<{ id: string; headers: { 'x-api-key': string } }> {
  const answer = await scene.ask<{ id: string; key: string }>(asOwner, 'POST', '/keys', { name: 'desk', ...body });
  return { id: answer.body.id, headers: { 'x-api-key': answer.body.key } };
}
const at = (path: string): Payload[] =>
  received.filter((one) => one.path === path).map(({ body }) => JSON.parse(body) as Payload);
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await scene.clock.advance(0);
}

it('[EV2.6] [EV2.7] [EV2.8] [EV2.9] are set with a key, told of the sessions that it sees, over a restart, and removed', async () => {
  const acme = await keyOf({ scopes: ['sessions:create', 'sessions:read'], tenant: 'acme' });
  const other = await keyOf({ scopes: ['sessions:read'], tenant: 'other' });
  const all = await scene.ask<{ id: string; token: string }>(asOwner, 'POST', '/webhooks', { url: `${url}/all` });
  expect(all).toMatchObject({ status: 200, body: { by: 'owner', tenant: '', paused: false, pending: 0 } });
  expect(all.body.token).toMatch(/^whsec_/);
  const events = ['session.connected', 'session.deleted'];
  const own = await scene.ask<{ id: string }>(acme.headers, 'POST', '/webhooks', {
    url: `${url}/acme`,
    token: 't',
    events,
  });
  expect(own.body).toMatchObject({ tenant: 'acme', by: 'desk', token: 't', events });
  const elsewhere = await scene.ask<{ id: string }>(other.headers, 'POST', '/webhooks', { url: `${url}/other` });
  const tested = await scene.ask(acme.headers, 'POST', `/webhooks/${own.body.id}/test`);
  expect(tested.body).toMatchObject({ delivered: true, status: 204 });

  const created = await scene.ask<{ id: string; sessionId: string }>(acme.headers, 'POST', '/session', {
    externalId: 'customer-1',
  });
  const { id, sessionId } = created.body;
  const caller: Caller = { id, sessionId, headers: { id, 'session-id': sessionId } };
  await scene.scan(caller, ann);
  await scene.read(caller, ({ isConnected }) => isConnected);
  await until(() => at('/all').length === 2 && at('/acme').length === 2);
  // What became of them is saved.
  await scene.pass(500);
  await scene.restart();
  await scene.read(caller, ({ isConnected }) => isConnected);
  await scene.request(caller, 'DELETE', '/session');
  await until(() => at('/all').length >= 5 && at('/acme').length >= 4);
  expect(at('/all').map(({ type }) => type)).toEqual([
    'session.qr',
    'session.connected',
    'session.disconnected',
    'session.connected',
    'session.deleted',
  ]);
  expect(at('/acme').map(({ type }) => type)).toEqual([
    'test',
    'session.connected',
    'session.connected',
    'session.deleted',
  ]);
  expect(at('/other')).toEqual([]);
  expect(at('/all').at(-1)).toMatchObject({ session: { id, generatedId: '', externalId: 'customer-1' } });
  const last = received.findLast(({ path }) => path === '/all');
  expect(() => new Webhook(all.body.token).verify(last?.body ?? '', last?.headers ?? {})).not.toThrow();

  const shown = await scene.ask<{ docs: { id: string }[] }>(acme.headers, 'GET', '/webhooks');
  expect(shown.body.docs.map((webhook) => webhook.id)).toEqual([own.body.id]);
  expect(JSON.stringify(shown.body)).not.toContain('token');
  expect((await scene.ask<{ docs: object[] }>(asOwner, 'GET', '/webhooks')).body.docs).toHaveLength(3);
  for (const method of ['GET', 'DELETE']) {
    const path = `/webhooks/${elsewhere.body.id}`;
    expect(await scene.ask(acme.headers, method, path)).toMatchObject({
      status: 404,
      body: { message: 'webhook not found' },
    });
  }
  const changed = await scene.ask(acme.headers, 'PUT', `/webhooks/${own.body.id}`, { url: `${url}/changed` });
  expect(changed).toMatchObject({ status: 200, body: { url: `${url}/changed`, pending: 0 } });
  expect((await scene.ask(acme.headers, 'GET', `/webhooks/${own.body.id}/parked`)).body).toEqual({ docs: [] });

  const replay = (body: object) => scene.ask(acme.headers, 'POST', `/webhooks/${own.body.id}/replay`, body);
  expect(await replay({ session: id, from: 1 })).toMatchObject({ status: 200, body: { id: own.body.id } });
  // It wants all events now.
  await until(() => at('/changed').length >= at('/all').length);
  expect(at('/changed').map(({ seq }) => seq)).toEqual(at('/all').map(({ seq }) => seq));
  for (const [body, status, message] of [
    [{}, 400, 'from should not be empty'],
    [{ parked: true, from: 1 }, 400, 'body must have only one of from, seqs, parked'],
    [{ seqs: [1] }, 400, 'session should not be empty'],
    [{ session: id, from: 3, to: 2 }, 400, 'to must not be less than from'],
    [{ session: 'another', from: 1 }, 404, 'session not found'],
  ] as const) {
    expect(await replay(body)).toMatchObject({ status, body: { message } });
  }

  await scene.ask(asOwner, 'DELETE', `/keys/${acme.id}`);
  await scene.pass(1_000);
  expect((await scene.ask(asOwner, 'GET', `/webhooks/${own.body.id}`)).body).toMatchObject({ paused: true });
  expect((await scene.ask(asOwner, 'DELETE', `/webhooks/${own.body.id}`)).body).toEqual({ id: own.body.id });
  expect((await scene.ask(asOwner, 'GET', `/webhooks/${own.body.id}`)).status).toBe(404);
});

it('[EV2.6] wrong settings are 400, and there are five for a tenant', async () => {
  const tenth = await keyOf({ scopes: ['sessions:read'], tenant: 'tenth' });
  const post = (body: object) => scene.ask(tenth.headers, 'POST', '/webhooks', body);
  expect((await post({})).body['message']).toBe('url should not be empty');
  expect((await post({ url: 'ftp://x.example' })).body['message']).toBe('url must be an http or https url');
  expect((await post({ url, events: ['message'] })).body['message']).toMatch(/^events\.0 must be one of/);
  for (let count = 1; count <= 5; count += 1) expect((await post({ url })).status).toBe(200);
  expect(await post({ url })).toMatchObject({ status: 400, body: { message: 'there are up to 5 webhooks' } });
});
