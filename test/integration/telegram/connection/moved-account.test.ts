import { afterEach, beforeEach, expect, it } from 'vitest';
import { LightAbort } from '../../../../actors/kit/light-abort.ts';
import { readLogin, writeLogin } from '../../../../src/telegram/login/login-state.ts';
import type { AccountUpdate } from '../../../../src/telegram/port/updates.ts';
import { createTemporaryFolder } from '../../../support/kit/temporary-folder.ts';
import { noise, writeOutgoing } from '../../../support/telegram/outgoing-files.ts';
import { recordingInto, textsOf } from '../../../support/telegram/recording.ts';
import { type Observed, openScene, type Scene, until, watch } from '../../../support/telegram/scene.ts';

/** Telegram moves an account that is logged in to another data centre. */

const anyTime = new LightAbort();
const received: AccountUpdate[] = [];
let scene: Scene;
let ann: Observed;
let lastRandomId = 0n;
beforeEach(async () => {
  received.length = 0;
  scene = await openScene({ recording: recordingInto(received) });
  ann = await scene.loggedIn('ann', '1001');
});
afterEach(() => scene.close());

const move = (dc: number): Promise<unknown> => scene.control('PATCH', '/accounts/1001', { dc });
const devices = (): Promise<{ dc: number }[]> => scene.control('GET', '/accounts/1001/devices');
async function passed<T>(work: Promise<T>): Promise<T> {
  const seen = watch(work);
  await until(async () => {
    await scene.live(500);
    return seen.settled !== 'no';
  });
  return work;
}
async function send(text: string): Promise<number> {
  const bob = await ann.account().byUsername('bob', anyTime);
  const message = { text, entities: [], randomId: (lastRandomId += 1n), begunAt: scene.clock.now() };
  return ann.account().sendText(bob, message, anyTime);
}
const newest = async (): Promise<unknown> =>
  (await scene.control<{ text: string }[]>('GET', '/accounts/1002/messages?peer=1001&limit=1'))[0]?.text;
const types = (): string[] => ann.facts.map(({ type }) => type);

it('[SE8.3] the login follows, and what is sent meanwhile arrives once', async () => {
  await send('before');
  await move(4);
  const texts = ['one', 'two', 'three'];
  const ids = await passed(Promise.all(texts.map(send)));
  expect(new Set(ids).size).toBe(3);
  const seen = await scene.control<{ text: string }[]>('GET', '/accounts/1002/messages?peer=1001&limit=4');
  expect(seen.map(({ text }) => text).toSorted((a, b) => a.localeCompare(b))).toEqual([
    'before',
    'one',
    'three',
    'two',
  ]);
  expect(await scene.control<unknown[]>('GET', '/calls?method=auth.exportAuthorization')).toHaveLength(1);
  expect(await devices()).toMatchObject([{ dc: 4 }]);
  expect(types()).toEqual(['QrIssued', 'LoggedIn']);
});

it('[SE8.3] updates come from there, also if no request was sent', async () => {
  await move(5);
  await scene.control('POST', '/network', { action: 'cut', userId: '1001' });
  await scene.control('POST', '/accounts/1002/messages', { peer: '1001', text: 'where are you' });
  await until(async () => {
    await scene.live(1_000);
    return textsOf(received).includes('where are you');
  });
  expect(await devices()).toMatchObject([{ dc: 5 }]);
});

it('[SE8.3] a restart begins there', async () => {
  await move(4);
  await passed(send('moved'));
  await scene.restart();
  expect(readLogin(scene.logins.get('ann') ?? '')?.dc).toBe(4);
  ann = scene.link('ann');
  ann.connect(1);
  await ann.next('ConnectionRestored');
  await send('after');
  expect(await newest()).toBe('after');
  expect(await scene.control<unknown[]>('GET', '/calls?method=auth.exportAuthorization')).toHaveLength(1);
});

it('[SE8.3] files go there, and a second move is followed too', async () => {
  const folder = await createTemporaryFolder();
  const file = await writeOutgoing(folder.path, noise(1_000), 'a.bin', 'application/octet-stream');
  for (const dc of [4, 2]) {
    await move(dc);
    await passed(send(`to ${dc}`));
    const bob = await ann.account().byUsername('bob', anyTime);
    const mark = { randomId: (lastRandomId += 1n), begunAt: scene.clock.now() };
    const caption = { text: '', entities: [], ...mark };
    await passed(ann.account().sendMedia(bob, { kind: 'document', file }, caption, async () => mark, anyTime));
    const saved = await scene.control<{ dc: number }[]>('GET', '/calls?method=upload.saveFilePart');
    expect(saved.at(-1)?.dc).toBe(dc);
  }
  await folder.remove();
});

it('[SE8.3] an upload or a download that is told of the move first follows it, too', async () => {
  const folder = await createTemporaryFolder();
  const file = await writeOutgoing(folder.path, noise(1_000), 'a.bin', 'application/octet-stream');
  const bob = await ann.account().byUsername('bob', anyTime);
  const post = async (): Promise<number> => {
    const mark = { randomId: (lastRandomId += 1n), begunAt: scene.clock.now() };
    const media = { kind: 'document', file } as const;
    return passed(ann.account().sendMedia(bob, media, { text: '', entities: [], ...mark }, async () => mark, anyTime));
  };
  const id = await post();
  const ref = { chatId: '1002', messageId: String(id), variant: 'file' } as const;
  const remote = await ann.account().files.open(ref, anyTime);
  expect(await remote.read(0, 4096, anyTime)).toHaveLength(1_000);
  await move(4);
  expect(await passed(remote.read(0, 4096, anyTime))).toHaveLength(1_000);
  await move(5);
  await post();
  const saved = await scene.control<{ dc: number }[]>('GET', '/calls?method=upload.saveFilePart');
  expect(saved.at(-1)?.dc).toBe(5);
  expect(await devices()).toMatchObject([{ dc: 5 }]);
  await folder.remove();
});

it.each([
  ['auth.exportAuthorization', 'Timeout', -503],
  ['auth.importAuthorization', 'Timeout', -503],
  ['auth.importAuthorization', 'AUTH_BYTES_INVALID', 400],
])('[SE8.3] %s is asked again after %s (%i)', async (method, error, code) => {
  await move(4);
  await scene.control('POST', '/faults', { method, error, code });
  await passed(send('after all'));
  expect(await newest()).toBe('after all');
  expect(await devices()).toMatchObject([{ dc: 4 }]);
  expect(types()).not.toContain('LoginLost');
});

it('[SE8.3] a kept key that the new data centre has forgotten is given up', async () => {
  await move(4);
  await passed(send('there'));
  await scene.restart();
  const stored = readLogin(scene.logins.get('ann') ?? '');
  if (stored === undefined) throw new Error('no login is stored');
  stored.keys.set(2, Buffer.alloc(256, 7));
  scene.logins.set('ann', writeLogin(stored));
  ann = scene.link('ann');
  ann.connect(1);
  await ann.next('ConnectionRestored');
  await move(2);
  await passed(send('and back'));
  expect(await newest()).toBe('and back');
  // The first move; the key that is refused; another key.
  expect(await scene.control<unknown[]>('GET', '/calls?method=auth.exportAuthorization')).toHaveLength(3);
});

it('[SE9.1] a login that is lost on the way is lost', async () => {
  await move(4);
  await scene.control('POST', '/faults', { method: 'auth.exportAuthorization', error: 'SESSION_REVOKED' });
  const sending = watch(send('never'));
  await until(async () => {
    await scene.live(500);
    return sending.settled !== 'no';
  });
  expect(ann.facts.at(-1)).toMatchObject({ type: 'LoginLost', reason: 'SESSION_REVOKED' });
});
