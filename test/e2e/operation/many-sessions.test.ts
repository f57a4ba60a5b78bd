import { afterAll, beforeAll, expect, it } from 'vitest';
import { ann, type Caller, openScene, type Scene } from '../../support/e2e/scene.ts';
import { StreamClient } from '../../support/kit/stream-client.ts';

/** An operator with several customers: the list, and the stream of all sessions, from the request to the disk. */

const asOwner = { 'x-api-key': 'a key of the owner of the service' };
let scene: Scene;
beforeAll(async () => {
  scene = await openScene({ environment: { API_KEY: asOwner['x-api-key'] } });
});
afterAll(() => scene.close());

async function issue(tenant: string): Promise<{ 'x-api-key': string }> {
  const scopes = ['sessions:create', 'sessions:read', 'sessions:control'];
  const { body } = await scene.ask<{ key: string }>(asOwner, 'POST', '/keys', {
    name: `${tenant} desk`,
    scopes,
    tenant,
  });
  return { 'x-api-key': body.key };
}

async function create(headers: Record<string, string>, body: object): Promise<Caller> {
  const { body: made } = await scene.ask<{ id: string; sessionId: string }>(headers, 'POST', '/session', body);
  return { ...made, headers: { id: made.id, 'session-id': made.sessionId } };
}

type Seen = { id: string; state: string; label: string }[];

it('[OS3.1] [OS3.2] [OS3.3] a tenant finds its sessions and follows them, over a kill, and nothing of another one', async () => {
  const [acme, other] = [await issue('acme'), await issue('other')];
  const client = new StreamClient(acme);
  const seen = client.seen as unknown as Seen;
  const follow = async (isEnough: () => boolean, act: () => Promise<unknown>): Promise<void> => {
    const reading = client.read(scene.gateway.url, isEnough, '/sessions/stream');
    while (!client.text.includes('retry')) await new Promise(setImmediate);
    await act();
    await reading;
  };
  const made: Caller[] = [];
  const has = (state: string, label: string) => (): boolean =>
    seen.some((session) => session.state === state && session.label === label);
  await follow(has('connected', 'Berlin'), async () => {
    await create(other, { externalId: 'theirs', label: 'Berlin' });
    for (const label of ['Berlin', 'Bern', 'Rome']) made.push(await create(acme, { externalId: `c-${label}`, label }));
    const [first] = made as [Caller];
    await scene.scan(first, ann);
    await scene.read(first, ({ isConnected }) => isConnected);
  });
  const [berlin, bern, rome] = made as [Caller, Caller, Caller];
  expect(new Set(seen.map(({ id, state }) => `${id} ${state}`))).toEqual(
    new Set([`${berlin.id} qrPending`, `${bern.id} qrPending`, `${rome.id} qrPending`, `${berlin.id} connected`]),
  );
  const before = seen.length;

  // While nothing follows.
  await scene.ask(acme, 'PATCH', `/sessions/${bern.id}`, { label: 'Zurich' });
  await scene.ask(acme, 'DELETE', `/sessions/${rome.id}`);
  await scene.restart();
  await scene.gateway.started;
  await follow(has('qrPending', 'Basel'), () => scene.ask(acme, 'PATCH', `/sessions/${bern.id}`, { label: 'Basel' }));
  const since = seen.slice(before).map(({ id, state, label }) => [id, state, label]);
  // A session that changed twice may be shown once, as it is.
  expect(since).toContainEqual([bern.id, 'qrPending', 'Basel']);
  expect(since).toContainEqual([rome.id, 'deleted', 'Rome']);
  expect(seen.every(({ id }) => made.some((caller) => caller.id === id))).toBe(true);

  const found = async (query: string, headers = acme): Promise<string[]> =>
    (await scene.ask<{ docs: { id: string }[] }>(headers, 'GET', `/sessions?${query}`)).body.docs.map(({ id }) => id);
  expect(await found('')).toEqual([berlin.id, bern.id]);
  expect(await found('q=bas')).toEqual([bern.id]);
  expect(await found('externalId=theirs')).toEqual([]);
  expect(await found('state=deleted')).toEqual([rome.id]);
  expect(await found('tenant=acme&label=Berlin', asOwner)).toEqual([berlin.id]);
  expect((await found('label=Berlin', asOwner)).length).toBe(2);

  for (let count = 0; count < 4; count += 1) await create(acme, { label: `more ${count}` });
  const list = (headers: Record<string, string>): Promise<Response> =>
    fetch(`${scene.gateway.url}/sessions`, { headers: { ...acme, 'accept-encoding': 'identity', ...headers } });
  const plain = await list({});
  const tag = String(plain.headers.get('etag'));
  const text = await plain.text();
  expect((await list({ 'if-none-match': tag })).status).toBe(304);
  const packed = await list({ 'accept-encoding': 'gzip' });
  expect(packed.headers.get('content-encoding')).toBe('gzip');
  expect(await packed.text()).toBe(text);
  await create(acme, { label: 'one more' });
  expect((await list({ 'if-none-match': tag })).status).toBe(200);
});
