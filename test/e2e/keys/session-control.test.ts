import { afterAll, beforeAll, expect, it } from 'vitest';
import { ann, type Caller, openScene, type Scene } from '../../support/e2e/scene.ts';

let scene: Scene;
beforeAll(async () => {
  scene = await openScene();
});
afterAll(() => scene.close());

/** The gateway has no API key: who reaches it is its owner. */
const asOwner = { headers: {} } as unknown as Caller;

it('[OS2.2] the account stays connected under a new secret, also after a crash', async () => {
  const session = await scene.connected(ann);
  const { status, body } = await scene.request(asOwner, 'POST', `/sessions/${session.id}/secret`);
  expect(status).toBe(200);
  const sessionId = String(body['sessionId']);
  const renewed: Caller = { id: session.id, sessionId, headers: { id: session.id, 'session-id': sessionId } };
  for (let start = 0; start < 2; start += 1) {
    expect((await scene.request(session, 'GET', '/session')).status).toBe(404);
    await scene.read(renewed, ({ isConnected }) => isConnected);
    expect((await scene.request(renewed, 'GET', '/group')).status).toBe(200);
    if (start === 0) await scene.restart();
  }
});

it('[OS2.1] an operator resets a session and deletes it: Telegram is told', async () => {
  const session = await scene.connected(ann);
  const devices = (): Promise<unknown[]> => scene.sandbox.call('GET', `/accounts/${ann}/devices`);
  const before = (await devices()).length;
  expect(await scene.request(asOwner, 'POST', `/sessions/${session.id}/reset`)).toMatchObject({
    status: 200,
    body: { id: session.id, state: 'qrPending' },
  });
  await scene.scan(session, ann);
  await scene.read(session, ({ isConnected }) => isConnected);
  expect((await scene.request(asOwner, 'DELETE', `/sessions/${session.id}`)).status).toBe(200);
  await scene.pass(1_000);
  expect((await scene.request(session, 'GET', '/session')).status).toBe(404);
  expect((await devices()).length).toBe(before - 1);
});

it('[OS2.4] an operator sees the attempts of a disconnected session, and has it connect now', async () => {
  const session = await scene.connected(ann);
  const network = (action: string) => scene.sandbox.call('POST', '/network', { action });
  const path = `/sessions/${session.id}/connection`;
  await network('refuse');
  await network('cut');
  await scene.pass(12_000);
  const untilNext = async (): Promise<number> => {
    const { body } = await scene.request(asOwner, 'GET', path);
    expect(body).toMatchObject({ state: 'disconnected', cause: 'unreachable' });
    return Date.parse(String(body['nextAttempt'])) - scene.clock.now();
  };
  // So much time is left that it would not connect by itself in what passes below.
  while (!((await untilNext()) > 3_000)) await scene.pass(500);
  const { body } = await scene.request(asOwner, 'GET', path);
  expect(body['attempts']).toBeGreaterThanOrEqual(3);
  await network('accept');
  const now = await scene.request(asOwner, 'POST', path);
  expect(now.status).toBe(200);
  expect(Date.parse(String(now.body['nextAttempt'])) - scene.clock.now()).toBeLessThanOrEqual(1_000);
  await scene.pass(1_100);
  await scene.read(session, ({ isConnected }) => isConnected);
  expect((await scene.request(asOwner, 'GET', path)).body).toEqual({
    id: session.id,
    state: 'connected',
    attempts: 0,
    cause: '',
    nextAttempt: '',
  });
});
