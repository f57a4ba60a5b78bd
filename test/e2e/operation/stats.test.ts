import { afterAll, beforeAll, expect, it } from 'vitest';
import { ann, bob, type Caller, openScene, type Scene } from '../../support/e2e/scene.ts';
import { startWebServer, type WebServer } from '../../support/kit/web-server.ts';

let scene: Scene;
let server: WebServer;
let status = 500;
beforeAll(async () => {
  scene = await openScene({ environment: { ALLOW_PRIVATE_URLS: 'true' } });
  server = await startWebServer((_request, response) => response.writeHead(status).end());
});
afterAll(async () => {
  await scene.close();
  await server.close();
});

type Stats = Record<string, unknown> & { deliveries: { ok: number; failed: number }; backlog: { pending: number } };
const ask = async <T>(path: string): Promise<T> =>
  (await scene.request<T>({ headers: {} } as unknown as Caller, 'GET', path)).body;
const stats = (): Promise<Stats> => ask<Stats>('/sessions/stats');

it('[OS3.5] [OS3.6] [KY3.4] what was sent, delivered, awaited and lost is counted, and still is after a kill', async () => {
  const caller = await scene.connected(ann);
  const message = { user: bob, type: 'text', text: 'hello' };
  const fault = { method: 'messages.sendMessage', error: 'FLOOD_WAIT_3600', code: 420, times: 1 };
  await scene.sandbox.call('POST', '/faults', fault);
  expect((await scene.request(caller, 'POST', '/message', message)).status).toBe(500);
  for (let count = 0; count < 3; count += 1) await scene.request(caller, 'POST', '/message', message);
  const data = Buffer.alloc(100, 'x').toString('base64');
  const file = { type: 'document', document: { data, name: 'a.txt', size: 100, mimetype: 'text/plain' } };
  expect((await scene.request(caller, 'POST', '/message', { user: bob, ...file })).status).toBe(200);
  await scene.request(caller, 'PUT', '/session/webhook', { url: server.url, token: 'of-ours' });
  await scene.sandbox.call('POST', `/accounts/${bob}/messages`, { peer: ann, text: 'are you there?' });
  for (let seen = await stats(); seen.backlog.pending === 0; seen = await stats()) await scene.clock.advance(0);
  while ((await stats()).deliveries.failed === 0) await scene.pass(1_000);
  expect((await stats()).backlog).toMatchObject({ pending: 1, oldest: expect.stringContaining('T') });
  status = 200;
  await scene.pass(30_000);

  const counted = {
    logins: 1,
    sends: { ok: 4, failed: 1 },
    deliveries: { ok: 1, failed: expect.any(Number), parked: 0 },
    backlog: { pending: 0, oldest: '' },
    waits: 1,
    states: { connected: 1 },
    store: expect.any(String),
    version: expect.stringMatching(/^\d+\./),
  };
  const before = await stats();
  expect(before).toMatchObject(counted);
  expect(before.deliveries.failed).toBeGreaterThan(0);
  const used = (await ask<{ docs: object[] }>('/usage')).docs;
  expect(used).toMatchObject([
    { session: caller.id, sends: { ok: 4, failed: 1 }, deliveries: before.deliveries, tenant: '', key: '' },
  ]);
  expect((used[0] as { mediaBytes: number }).mediaBytes).toBe(100);
  await scene.restart();
  await scene.gateway.started;
  const { startedAt: _before, states: _states, ...same } = before;
  const { sessionHours: _hours, ...stillUsed } = used[0] as Record<string, unknown>;
  expect((await ask<{ docs: object[] }>('/usage')).docs).toMatchObject([stillUsed]);
  const after = await stats();
  expect(after).toMatchObject(same);
  expect(Date.parse(String(after['startedAt']))).toBe(scene.clock.now());
});
