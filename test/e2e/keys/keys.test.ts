import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { SendEntry } from '../../../src/audit/send-entry-schema.ts';
import type { KeyScope } from '../../../src/keys/scopes.ts';
import { ann, bob, type Caller, openScene, type Scene } from '../../support/e2e/scene.ts';
import { StreamClient } from '../../support/kit/stream-client.ts';

/** Keys and tenants, from the request to Telegram and to the disk. */

const asOwner = { 'x-api-key': 'a key of the owner of the service' };
let scene: Scene;
beforeAll(async () => {
  scene = await openScene({ environment: { API_KEY: asOwner['x-api-key'] } });
});
afterAll(() => scene.close());

interface Held {
  id: string;
  key: string;
  headers: { 'x-api-key': string };
}
async function issue(scopes: KeyScope[], more: object = {}, by: Record<string, string> = asOwner): Promise<Held> {
  const { status, body } = await scene.ask<{ id: string; key: string }>(by, 'POST', '/keys', {
    name: 'desk',
    scopes,
    ...more,
  });
  if (status !== 200) throw new Error(JSON.stringify(body));
  return { ...body, headers: { 'x-api-key': body.key } };
}

async function createBy({ headers }: Pick<Held, 'headers'>): Promise<Caller> {
  const { body } = await scene.ask<{ id: string; sessionId: string }>(headers, 'POST', '/session', {});
  const { id, sessionId } = body;
  return { id, sessionId, headers: { id, 'session-id': sessionId } };
}

const storedText = (folder: string): string =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
    .join('\n');

it('[KY1.4] [KY2.1] [KY4.1] a tenant’s keys create a session and send with it, and all of it says by whom', async () => {
  const maker = await issue(['sessions:create', 'sessions:read'], { name: 'acme makes', tenant: 'acme' });
  const worker = await issue(['accounts', 'raw'], { name: 'acme works', tenant: 'acme' });
  const stranger = await issue(['accounts', 'raw', 'sessions:read'], { tenant: 'other' });
  const session = await createBy(maker);
  await scene.scan(session, ann);
  await scene.read(session, ({ isConnected }) => isConnected);

  const byKey = { id: session.id, ...worker.headers };
  const message = { user: bob, type: 'text', text: 'by a key alone' };
  expect(await scene.ask(byKey, 'POST', '/message', message)).toMatchObject({ status: 200 });
  expect(await scene.ask(byKey, 'POST', '/telegram/help.getNearestDc', {})).toMatchObject({ status: 200 });
  const seen = await scene.sandbox.call<{ text: string }[]>('GET', `/accounts/${bob}/messages?peer=${ann}&limit=1`);
  expect(seen).toMatchObject([{ text: 'by a key alone' }]);

  const theirs = { id: session.id, ...stranger.headers };
  const unknown = { ...theirs, id: 'unknown' };
  for (const [method, path, body] of [
    ['POST', '/message', message],
    ['POST', '/telegram/help.getNearestDc', {}],
    ['GET', '/group', undefined],
  ] as const) {
    const answers = [await scene.ask(theirs, method, path, body), await scene.ask(unknown, method, path, body)];
    for (const { status, body: error } of answers) {
      expect([status, error]).toEqual([404, { statusCode: 404, message: 'session not found' }]);
    }
  }
  expect((await scene.ask(stranger.headers, 'GET', '/sessions')).body).toEqual({ docs: [], after: '' });

  await scene.ask(byKey, 'DELETE', '/session');
  const told = async (): Promise<unknown[]> => {
    const { body } = await scene.ask<{ docs: { type: string; data: { by: string } }[] }>(
      maker.headers,
      'GET',
      `/sessions/${session.id}/events`,
    );
    return body.docs.filter(({ type }) => type !== 'QrIssued').map(({ type, data }) => `${type} by ${data.by}`);
  };
  await scene.pass(1_000);
  expect(await told()).toEqual([
    'SessionCreated by acme makes',
    'LoggedIn by telegram',
    'MethodCalled by acme works',
    'SessionDeleted by acme works',
    'LoggedOut by telegram',
  ]);
});

it('[AD7.1] [AD7.2] [KY4.1] tells who sent with an Idempotency-Key, without what and to whom', async () => {
  const worker = await issue(['accounts', 'sessions:read'], { name: 'support agent' });
  const stranger = await issue(['sessions:read'], { tenant: 'other' });
  const caller = await createBy({ headers: asOwner });
  await scene.scan(caller, ann);
  await scene.read(caller, ({ isConnected }) => isConnected);
  const { body: before } = await scene.request<{ docs: unknown[] }>(caller, 'GET', '/session/sends');
  expect(before.docs).toEqual([]);

  const byKey = { id: caller.id, ...worker.headers };
  const text = { user: bob, type: 'text', text: 'the price is nine' };
  const once = { ...byKey, 'idempotency-key': 'offer-17' };
  const answered = await scene.ask<{ messageId: string }>(once, 'POST', '/message', text);
  expect(answered.status).toBe(200);
  expect(await scene.ask(once, 'POST', '/message', text)).toMatchObject({ body: answered.body });
  await scene.ask(byKey, 'POST', '/message', { ...text, text: 'without a key' });
  const forward = { from: { user: bob }, messageIds: [answered.body.messageId], user: bob };
  const bySession = { ...caller.headers, 'idempotency-key': 'again' };
  expect(await scene.ask(bySession, 'POST', '/message/forward', forward)).toMatchObject({ status: 200 });
  await scene.sandbox.call('POST', '/faults', { method: 'messages.sendMessage', error: 'PEER_FLOOD' });
  expect((await scene.ask({ ...byKey, 'idempotency-key': 'refused' }, 'POST', '/message', text)).status).not.toBe(200);

  const path = `/sessions/${caller.id}/sends`;
  const { body } = await scene.ask<{ docs: SendEntry[]; after: number }>(worker.headers, 'GET', path);
  expect(body.docs.map(({ seq, type, by, operation }) => [seq, type, by, operation])).toEqual([
    [1, 'SendBegun', 'support agent', 'POST /message'],
    [2, 'SendAnswered', undefined, undefined],
    [3, 'SendBegun', 'session', 'POST /message/forward'],
    [4, 'SendAnswered', undefined, undefined],
    [5, 'SendBegun', 'support agent', 'POST /message'],
  ]);
  expect(body.docs[1]?.send).toBe(body.docs[0]?.send);
  expect(new Set(body.docs.map(({ send }) => send)).size).toBe(3);
  expect(body.after).toBe(5);
  expect(JSON.stringify(body)).not.toMatch(/price|offer-17|again|refused/);
  expect((await scene.request(caller, 'GET', '/session/sends')).body).toEqual(body);
  const page = await scene.ask<typeof body>(worker.headers, 'GET', `${path}?after=1&limit=2`);
  expect(page.body).toEqual({ docs: body.docs.slice(1, 3), after: 3 });
  expect(await scene.ask(worker.headers, 'GET', `${path}?after=5`)).toMatchObject({ body: { docs: [], after: 5 } });
  expect(await scene.ask(worker.headers, 'GET', `${path}?limit=0`)).toMatchObject({
    status: 400,
    body: { message: 'limit must be between 1 and 1000' },
  });
  expect(await scene.ask(stranger.headers, 'GET', path)).toMatchObject({
    status: 404,
    body: { message: 'session not found' },
  });
});

it('[KY1.1] [KY1.5] keys outlive a crash, revoked ones stay revoked, and no text of one is on the disk', async () => {
  const [kept, gone] = [await issue(['sessions:read']), await issue(['sessions:read'])];
  expect((await scene.ask(gone.headers, 'GET', '/sessions')).status).toBe(200);
  expect((await scene.ask(asOwner, 'DELETE', `/keys/${gone.id}`)).status).toBe(200);
  await scene.restart();
  expect((await scene.ask(kept.headers, 'GET', '/sessions')).status).toBe(200);
  expect(await scene.ask(gone.headers, 'GET', '/sessions')).toMatchObject({
    status: 401,
    body: { statusCode: 401, message: 'invalid api key' },
  });
  if (scene.kurrent !== undefined) return;
  const stored = storedText(scene.gateway.dataDir);
  expect(stored).toContain(kept.id);
  for (const { key } of [kept, gone]) expect(stored.includes(key.slice(-43))).toBe(false);
});

it('[KY1.5] [KY1.6] a key is replaced while it is used: nothing is refused, and then its streams close', async () => {
  const maker = await issue(['sessions:create']);
  const { id } = await createBy(maker);
  const first = await issue(['sessions:read', 'keys']);
  const stream = new StreamClient(first.headers);
  const ended = stream.read(scene.gateway.url, () => false, `/sessions/${id}/stream`);
  const statuses = new Map<number, number>();
  let key = first;
  const over = new AbortController();
  let usesOfNext = 0;
  const moved = new Set<number>();
  const clients = Array.from({ length: 20 }, async (_, client) => {
    while (!over.signal.aborted) {
      const { headers, id: used } = key;
      const { status } = await scene.ask(headers, 'GET', `/sessions/${id}`);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (used === first.id) continue;
      usesOfNext += 1;
      moved.add(client);
    }
  });
  const until = async (isIt: () => boolean): Promise<void> => {
    while (!isIt()) await new Promise(setImmediate);
  };
  await until(() => (statuses.get(200) ?? 0) >= 20);
  key = await issue(['sessions:read', 'keys'], { name: 'desk 2' }, first.headers);
  // Each client has had its answer to what it sent with the first key.
  await until(() => moved.size === clients.length);
  expect((await scene.ask(key.headers, 'DELETE', `/keys/${first.id}`)).status).toBe(200);
  await ended;
  // They go on meanwhile, and after it.
  const seen = usesOfNext;
  await until(() => usesOfNext >= seen + 20);
  over.abort();
  await Promise.all(clients);
  expect([...statuses.keys()]).toEqual([200]);
  expect((await scene.ask(first.headers, 'GET', '/sessions')).status).toBe(401);
  expect((await scene.ask(key.headers, 'GET', '/sessions')).status).toBe(200);
});
