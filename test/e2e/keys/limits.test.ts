import { afterAll, beforeAll, expect, it } from 'vitest';
import { ann, bob, type Caller, openScene, type Scene } from '../../support/e2e/scene.ts';

const asOwner = { 'x-api-key': 'a key of the owner of the service' };
let scene: Scene;
beforeAll(async () => {
  scene = await openScene({ environment: { API_KEY: asOwner['x-api-key'] } });
});
afterAll(() => scene.close());

async function issue(body: object): Promise<{ 'x-api-key': string }> {
  const { body: made } = await scene.ask<{ key: string }>(asOwner, 'POST', '/keys', { name: 'desk', ...body });
  return { 'x-api-key': made.key };
}
const message = { user: bob, type: 'text', text: 'counted' };
const photo = { type: 'image', data: Buffer.from('no picture').toString('base64') };

it('[KY3.3] [KY3.6] messages of every kind count, by key and by the secret of its session, and over a kill', async () => {
  const scopes = ['sessions:create', 'accounts', 'raw'];
  const key = await issue({ scopes, limits: { sendsPerDay: 6, sessions: 1 } });
  const { body } = await scene.ask<{ id: string; sessionId: string }>(key, 'POST', '/session', {});
  const caller: Caller = { ...body, headers: { id: body.id, 'session-id': body.sessionId } };
  await scene.scan(caller, ann);
  await scene.read(caller, ({ isConnected }) => isConnected);
  const byKey = { id: body.id, ...key };

  const first = await scene.ask(byKey, 'POST', '/message', message);
  expect([first.status, first.headers.get('ratelimit-policy')]).toEqual([200, '"sends-per-day";q=6;w=86400']);
  expect(first.headers.get('ratelimit')).toMatch(/^"sends-per-day";r=5;t=\d+$/);
  expect((await scene.ask(caller.headers, 'POST', '/message', message)).status).toBe(200);
  // They are refused before Telegram is called.
  expect((await scene.ask(byKey, 'POST', '/message', { ...message, user: '999999' })).status).toBe(400);
  expect((await scene.ask(byKey, 'POST', '/message', { ...message, ...photo, text: '' })).status).not.toBe(200);
  // The second request with the same key sends nothing.
  const once = { ...byKey, 'idempotency-key': 'k-1' };
  for (let count = 0; count < 2; count += 1)
    expect((await scene.ask(once, 'POST', '/message', message)).status).toBe(200);
  const params = { peer: { _: 'inputPeerUser', user_id: bob, access_hash: '0' }, message: 'raw', random_id: '7' };
  const raw = { params: { ...params, peer: bob } };
  const called = await scene.ask(byKey, 'POST', '/telegram/messages.sendMessage', raw);
  expect([called.status, called.headers.get('ratelimit')?.split(';')[1]]).toEqual([200, 'r=2']);

  await scene.restart();
  await scene.read(caller, ({ isConnected }) => isConnected);
  const forward = { from: { user: bob }, messageIds: ['1', '2', '3'], user: bob };
  expect((await scene.ask(byKey, 'POST', '/message/forward', forward)).status).toBe(429);
  const at = await Promise.all(Array.from({ length: 5 }, () => scene.ask(caller.headers, 'POST', '/message', message)));
  expect(at.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 200, 429, 429, 429]);
  const refused = await scene.ask(byKey, 'POST', '/message', message);
  expect(refused).toMatchObject({
    status: 429,
    body: { statusCode: 429, message: 'limit of 6 sends per day reached' },
  });
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(refused.headers.get('x-error-code')).toBe('limit_reached');
  expect(refused.headers.get('ratelimit')).toBe(`"sends-per-day";r=0;t=${refused.headers.get('retry-after')}`);
  const unlimited = await scene.ask({ id: body.id, ...asOwner }, 'POST', '/message', message);
  expect([unlimited.status, unlimited.headers.get('ratelimit')]).toEqual([200, null]);
  expect((await scene.ask(key, 'POST', '/session', {})).body).toMatchObject({ message: 'limit of 1 sessions reached' });
});
