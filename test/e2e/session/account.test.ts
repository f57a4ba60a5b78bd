import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readContent } from '../../../sandbox/world/files/file-content.ts';
import type { UserRow } from '../../../sandbox/world/state/rows.ts';
import {
  ann,
  bob,
  bobsPassword,
  type Caller,
  openScene,
  type Scene,
  type SessionBody,
} from '../../support/e2e/scene.ts';
import { readQr } from '../../support/gateway/gateway.ts';

/** What `GET /session` shows of the QR, and of the account that has scanned it. */

const second = 1000;

let scene: Scene;
beforeAll(async () => {
  scene = await openScene();
});
afterAll(() => scene.close());
beforeEach(async () => {
  await scene.sandbox.call('POST', '/reset');
});

const sandboxUser = (userId: string): UserRow => {
  const user = scene.telegram.world.tables.users.get(Number(userId));
  if (user === undefined) throw new Error(`there is no ${userId}`);
  return user;
};
/** The small photo of an account as the sandbox keeps it. */
function smallPhoto(userId: string): string {
  const { world } = scene.telegram;
  const file = world.tables.files.get(sandboxUser(userId).photo ?? 0);
  const small = file?.sizes.find(({ type }) => type === 'a');
  if (file === undefined || small === undefined) throw new Error(`${userId} has no photo`);
  return readContent(world, file, small.type, small.content, 0, 1 << 20).toString('base64');
}
/** An account of the sandbox's phone, with what the control API would insist on taken away. */
async function someone(but: Partial<UserRow>, without: (keyof UserRow)[] = []): Promise<string> {
  const added = await scene.sandbox.call<{ userId: string }>('POST', '/accounts', { firstName: 'Somebody' });
  const user = { ...sandboxUser(added.userId), ...but };
  for (const field of without) delete user[field];
  scene.telegram.world.tables.users.put(user);
  return added.userId;
}
const shown = (caller: Caller): Promise<SessionBody> => scene.read(caller, (session) => session.isConnected);

const fields = [
  'id',
  'generatedId',
  'name',
  'username',
  'phone',
  'sessionId',
  'isConnected',
  'qrcode',
  'isPasswordRequired',
  'passwordHint',
  'picture',
  'webhook',
  'isCodeRequired',
  'codeSentTo',
];

describe('the QR', () => {
  it('[SE10.2] is a PNG of at least 256 px that a decoder reads, and rotates', async () => {
    const caller = await scene.create();
    const { qrcode } = await scene.read(caller, (session) => session.qrcode !== '');
    const { format, width, height } = await sharp(Buffer.from(qrcode, 'base64')).metadata();
    expect(format).toBe('png');
    expect(Math.min(width, height)).toBeGreaterThanOrEqual(256);
    const first = await readQr(qrcode);
    expect(first).toMatch(/^tg:\/\/login\?token=[\w-]{20,}$/);
    const links = new Set([first]);
    for (let latest = first; links.size < 4; links.add(latest)) {
      await scene.pass(31 * second);
      latest = await scene.qrLink(caller, latest);
    }
    await scene.request(caller, 'DELETE', '/session');
  });

  it('[SE10.1] an old one is refused by Telegram, and the session goes on with the new one', async () => {
    const caller = await scene.create();
    const first = await scene.qrLink(caller);
    await scene.sandbox.scan(first, ann);
    await shown(caller);
    await expect(scene.sandbox.scan(first, bob)).rejects.toThrow('400');
    expect(await shown(caller)).toMatchObject({ generatedId: ann });
  });

  it('[SE1.2] a creation answers every field at once, before there is anything to show', async () => {
    const answer = await scene.gateway.http.request<SessionBody>('POST', '/session');
    expect(answer.status).toBe(200);
    expect(Object.keys(answer.body)).toEqual([...fields, 'created', 'expires']);
    expect(answer.body).toMatchObject({
      id: expect.stringMatching(/^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/),
      sessionId: expect.stringMatching(/^[\w-]{43}$/),
      generatedId: '',
      name: '',
      username: '',
      phone: '',
      isConnected: false,
      isPasswordRequired: false,
      passwordHint: '',
      picture: '',
      webhook: { url: '', token: '' },
      created: new Date(scene.clock.now()).toISOString(),
      expires: new Date(scene.clock.now() + 180 * second).toISOString(),
    });
  });
});

describe('the account', () => {
  it('[SE13.2] name, username, phone and picture, and nothing left of the QR', async () => {
    const caller = await scene.connected(ann);
    const session = await shown(caller);
    expect(session).toEqual({
      ...caller,
      headers: undefined,
      generatedId: ann,
      name: 'Ann Lee',
      username: 'annlee',
      phone: '15550000001',
      isConnected: true,
      qrcode: '',
      isPasswordRequired: false,
      passwordHint: '',
      picture: `data:image/jpeg;base64,${smallPhoto(ann)}`,
      webhook: { url: '', token: '' },
      isCodeRequired: false,
      codeSentTo: '',
    });
    expect(Object.keys(session)).toEqual(fields);
    const picture = Buffer.from(String(session['picture']).split(',')[1] ?? '', 'base64');
    expect(await sharp(picture).metadata()).toMatchObject({ format: 'jpeg', width: 160, height: 160 });
  });

  it('[SE13.2] of another data centre, with a password', async () => {
    const caller = await scene.awaitingPassword();
    expect(await scene.read(caller)).toMatchObject({
      passwordHint: 'the usual',
      name: '',
      generatedId: '',
      qrcode: '',
    });
    await scene.request(caller, 'POST', '/session/password', { password: bobsPassword });
    expect(await shown(caller)).toMatchObject({
      generatedId: bob,
      name: 'Bob Stone',
      username: 'bobstone',
      phone: '15550000002',
      passwordHint: '',
      picture: `data:image/jpeg;base64,${smallPhoto(bob)}`,
    });
    expect(await scene.sandbox.call('GET', `/accounts/${bob}/devices`)).toMatchObject([{ dc: 4 }]);
  });

  it.each([1, 2, 3, 4, 5])('logs in to data centre %i', async (dc) => {
    const { userId } = await scene.sandbox.call<{ userId: string }>('POST', '/accounts', { firstName: 'Far', dc });
    expect(await shown(await scene.connected(userId))).toMatchObject({ generatedId: userId, name: 'Far', picture: '' });
  });

  it('[SE13.2] a picture that lies in another data centre than the account', async () => {
    const userId = await someone({ dc: 2, photo: sandboxUser(bob).photo ?? 0 });
    const caller = await scene.connected(userId);
    const { picture } = await scene.whilePassing(scene.read(caller, (session) => session['picture'] !== ''));
    expect(picture).toBe(`data:image/jpeg;base64,${smallPhoto(bob)}`);
  });

  it.each<[string, Partial<UserRow>, (keyof UserRow)[], object]>([
    ['the first name alone', { firstName: 'Eva' }, [], { name: 'Eva', username: '' }],
    [
      'the username where there is no name',
      { firstName: '', username: 'nameless' },
      [],
      { name: 'nameless', username: 'nameless' },
    ],
    [
      'the phone where there is neither',
      { firstName: '', phone: '15557654321' },
      [],
      { name: '15557654321', username: '', phone: '15557654321' },
    ],
  ])('[SE13.1] name: %s', async (_what, user, without, expected) => {
    const userId = await someone(user, without);
    expect(await shown(await scene.connected(userId))).toMatchObject({ generatedId: userId, picture: '', ...expected });
  });

  it('[SE13.1] name: the ID where there is nothing else', async () => {
    const userId = await someone({ firstName: '' }, ['phone']);
    expect(await shown(await scene.connected(userId))).toMatchObject({ name: userId, username: '', phone: '' });
  });

  it('[SE1.1] the name given at creation stands until an account is known; metadata and webhook stay', async () => {
    const webhook = { url: 'https://hook.example/in', token: 'secret' };
    const metadata = { customer: '42', 'with space': 'é' };
    const caller = await scene.create({ name: 'Shop phone', metadata, webhook });
    expect(await scene.read(caller)).toMatchObject({ name: 'Shop phone', generatedId: '', metadata, webhook });
    await scene.scan(caller, ann);
    expect(await shown(caller)).toMatchObject({ name: 'Ann Lee', generatedId: ann, metadata, webhook });
    await scene.restart();
    expect(await shown(caller)).toMatchObject({ name: 'Ann Lee', generatedId: ann, metadata, webhook });
  });

  it('[SE13.2] generatedId keeps its last value when the login is lost, until someone else scans', async () => {
    const caller = await scene.connected(ann);
    await scene.sandbox.call('DELETE', `/accounts/${ann}/devices`);
    const lost = await scene.whilePassing(scene.read(caller, (session) => session.qrcode !== ''));
    expect(lost).toMatchObject({ generatedId: ann, isConnected: false });
    await scene.scan(caller, '1003');
    expect(await shown(caller)).toMatchObject({ generatedId: '1003', name: 'Cara', username: '', picture: '' });
  });
});

describe('a change of the account', () => {
  it('[SE13.1] is shown once Telegram tells of it', async () => {
    const caller = await scene.connected(ann);
    const { world } = scene.telegram;
    world.tables.users.put({ ...sandboxUser(ann), firstName: 'Anna', lastName: 'Lee-Stone', username: 'annalee' });
    const update = { _: 'updateUserName', user_id: BigInt(ann), first_name: 'Anna', last_name: 'Lee-Stone' };
    world.push(Number(ann), { _: 'updateShort', update: { ...update, usernames: [] }, date: world.now() });
    const changed = await scene.read(caller, (session) => session.name === 'Anna Lee-Stone');
    expect(changed).toMatchObject({ username: 'annalee', isConnected: true, generatedId: ann });
  });

  it('[SE13.3] that was missed is seen after a cut of a moment', async () => {
    const caller = await scene.connected(ann);
    scene.telegram.world.tables.users.put({ ...sandboxUser(ann), firstName: 'Annette' });
    await scene.sandbox.call('POST', '/network', { action: 'cut' });
    const changed = await scene.whilePassing(scene.read(caller, ({ name }) => name.startsWith('Annette')));
    expect(changed).toMatchObject({ isConnected: true, generatedId: ann });
  });

  it('[SE13.3] that was missed is seen after the connection is back: a new name, no photo, another one', async () => {
    const caller = await scene.connected(ann);
    const away = async (change: () => void): Promise<void> => {
      await scene.sandbox.call('POST', '/network', { action: 'refuse' });
      await scene.sandbox.call('POST', '/network', { action: 'cut' });
      await scene.whilePassing(scene.read(caller, (session) => !session.isConnected));
      change();
      await scene.sandbox.call('POST', '/network', { action: 'accept' });
      await scene.whilePassing(shown(caller));
    };
    await away(() => {
      const { photo: _photo, ...rest } = sandboxUser(ann);
      scene.telegram.world.tables.users.put({ ...rest, firstName: 'Anja' });
    });
    const bare = await scene.whilePassing(scene.read(caller, ({ name }) => name === 'Anja Lee'));
    expect(bare).toMatchObject({ picture: '', username: 'annlee', generatedId: ann });
    await away(() => {
      scene.telegram.world.tables.users.put({ ...sandboxUser(ann), photo: sandboxUser(bob).photo ?? 0 });
    });
    const pictured = await scene.whilePassing(scene.read(caller, ({ picture }) => picture !== ''));
    expect(pictured).toMatchObject({ picture: `data:image/jpeg;base64,${smallPhoto(bob)}` });
  });
});
