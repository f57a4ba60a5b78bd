import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { RecordedEvent } from '../../../actors/ports/event-store.ts';
import { systemClock, systemRandomness } from '../../../src/config/clock.ts';
import { openStoreForReading } from '../../../src/store/events/open-store.ts';
import { createKeyRing } from '../../../src/store/vault/key-ring.ts';
import { ann, type Caller, openScene, type Scene } from '../../support/e2e/scene.ts';
import { onKurrentDbAt } from '../../support/gateway/kurrentdb-environment.ts';
import { KurrentDbDouble } from '../../support/kurrentdb-double/server.ts';
import { placeOn } from '../../support/store/kurrent-place.ts';

const oldKey = 'ab'.repeat(32);
const newKey = 'cd'.repeat(32);
const password = 'm4rk-password';
/** Each is unlike anything else that is written. */
const personal = {
  firstName: 'M4rkfirst',
  lastName: 'M4rklast',
  username: 'm4rk_username',
  phone: '16660917253',
  hint: 'm4rk-hint',
  givenName: 'm4rk-given-name',
  metadata: 'm4rk-metadata',
  webhookPath: 'm4rk-webhook-path',
  webhookToken: 'm4rk-webhook-token',
  message: 'm4rk-message',
};

/** Where a gateway keeps its events, and all that lies there. */
interface Place {
  scene: Scene;
  environment: Record<string, string>;
  events: () => Promise<RecordedEvent[]>;
  /** As it lies there, deleted or not. */
  raw: () => Buffer;
  /** What a server does in its own time. */
  tidy: () => void;
}

async function openPlace(store: string): Promise<Place> {
  const server = store === 'kurrentdb' ? await new KurrentDbDouble().start() : undefined;
  const place = server === undefined ? { EVENT_STORE_URL: '', STREAM_PREFIX: '' } : onKurrentDbAt(placeOn(server));
  const environment = { ...place, MASTER_KEY: oldKey };
  const scene = await openScene({ environment });
  onTestFinished(async () => {
    await scene.close();
    await server?.stop();
  });
  const folder = scene.gateway.dataDir;
  return {
    scene,
    environment,
    events: async () => {
      const url = server?.url ?? `sqlite:${join(folder, 'events.db')}`;
      const reader = await openStoreForReading(url, { clock: systemClock, randomness: systemRandomness });
      const found: RecordedEvent[] = [];
      for await (const event of reader.readAll()) found.push(event);
      await reader.close();
      return found;
    },
    raw: () => {
      const files = readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map(({ parentPath, name }) => readFileSync(join(parentPath, name)));
      const logged = (server?.log.all ?? []).flatMap(({ stream, type, data, metadata }) => [
        Buffer.from(`${stream} ${type} `),
        data,
        metadata,
      ]);
      return Buffer.concat([...files, ...logged]);
    },
    tidy: () => server?.log.scavenge(),
  };
}

const ofSession = (events: RecordedEvent[], { id }: Caller): RecordedEvent[] =>
  events.filter(({ stream }) => stream === `session-${id}`);

/** The data key of a session as it is kept: itself sealed with a master key. */
const keptKey = (events: RecordedEvent[], { id }: Caller): string =>
  String(Object(events.findLast(({ stream }) => stream === `vault-${id}`)?.data).key);

const found = (bytes: Buffer, marks: (string | Buffer)[]): (string | Buffer)[] =>
  marks.filter((mark) => bytes.includes(mark));

/** Lives with everything that a person may leave behind; every mark of it. */
async function leaveTraces(scene: Scene): Promise<{ caller: Caller; marks: (string | Buffer)[] }> {
  const { firstName, lastName, username, phone, hint, givenName, metadata, webhookPath, webhookToken, message } =
    personal;
  const account = { firstName, lastName, username, phone, password, hint, dc: 2 };
  const { userId } = await scene.sandbox.call<{ userId: string }>('POST', '/accounts', account);
  const webhook = { url: `https://hook.example/${webhookPath}`, token: webhookToken };
  const caller = await scene.create({ name: givenName, metadata: { note: metadata }, webhook });
  const link = await scene.qrLink(caller);
  await scene.sandbox.scan(link, userId);
  await scene.read(caller, (session) => session.isPasswordRequired);
  expect((await scene.request(caller, 'POST', '/session/password', { password })).status).toBe(200);
  const session = await scene.read(caller, ({ isConnected }) => isConnected);
  for (const shown of [lastName, username, phone, metadata, webhookToken]) {
    expect(JSON.stringify(session)).toContain(shown);
  }
  const text = { username: 'bob', type: 'text', text: message };
  expect((await scene.request(caller, 'POST', '/message', text)).status).toBe(200);
  const loginKeys = [...scene.telegram.world.tables.keys.values()].flatMap(({ secret }) => {
    const key = Buffer.from(secret);
    return [key, key.toString('base64'), key.toString('base64url'), key.toString('hex')];
  });
  expect(loginKeys.length).toBeGreaterThan(0);
  const token = new URL(link).searchParams.get('token') ?? '';
  return { caller, marks: [...Object.values(personal), password, caller.sessionId, link, token, ...loginKeys] };
}

describe.each(['sqlite', 'kurrentdb'])('on %s', (store) => {
  it('[SE11.2] a deleted session leaves states, times and reasons, and nothing of the person', async () => {
    const { scene, events, raw, tidy } = await openPlace(store);
    const other = await scene.connected(ann);
    const { caller, marks } = await leaveTraces(scene);
    const before = await events();
    const key = keptKey(before, caller);
    const othersKey = keptKey(before, other);
    // Nothing lies open, and the search finds what is there.
    expect(found(raw(), [...marks, key])).toEqual([key]);

    expect((await scene.request(caller, 'DELETE', '/session')).status).toBe(200);
    // Telegram is told first: the key goes right after that.
    for (tidy(); found(raw(), [key]).length > 0; tidy()) await scene.pass(100);
    expect(found(raw(), [...marks, key, othersKey])).toEqual([othersKey]);
    expect((await scene.request(caller, 'GET', '/session')).status).toBe(404);
    const left = ofSession(await events(), caller);
    expect(left.map(({ type }) => type)).toEqual([
      ...ofSession(before, caller).map(({ type }) => type),
      'SessionDeleted',
      'LoggedOut',
    ]);
    expect(left.at(-2)).toMatchObject({ metadata: { from: 'connected', to: 'deleted', reason: expect.any(String) } });
    for (const { created } of left) expect(created).toBeGreaterThan(0);

    // The other one has lost nothing, now and after a restart.
    expect(ofSession(await events(), other)).toEqual(ofSession(before, other));
    await scene.restart();
    await scene.whilePassing(scene.gateway.started);
    expect(await scene.read(other, ({ isConnected }) => isConnected)).toMatchObject({ name: 'Ann Lee' });
    expect((await scene.request(caller, 'GET', '/session')).status).toBe(404);
    expect(found(raw(), [...marks, key])).toEqual([]);
  });

  it('[SE11.1] a new master key, listed first, wraps what comes; the old one opens what there is', async () => {
    const { scene, environment, events } = await openPlace(store);
    const old = await scene.connected(ann);
    await scene.restart({ environment: { ...environment, MASTER_KEY: `${newKey},${oldKey}` } });
    await scene.whilePassing(scene.gateway.started);
    expect(await scene.read(old, ({ isConnected }) => isConnected)).toMatchObject({ name: 'Ann Lee' });
    const young = await scene.connected(ann);
    const ring = createKeyRing([Buffer.from(newKey, 'hex')], systemRandomness);
    const key = keptKey(await events(), young);
    expect(ring.unwrap(young.id, key)).toHaveLength(32);
    expect(ring.isCurrent(key)).toBe(true);
    expect((await scene.read(young)).name).toBe('Ann Lee');
  });
});
