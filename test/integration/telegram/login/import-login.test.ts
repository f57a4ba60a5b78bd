import { afterEach, beforeEach, expect, it } from 'vitest';
import { NotConnectedError } from '../../../../src/telegram/port/errors.ts';
import { readSessionString } from '../../../../src/telegram/session-strings/read-session-string.ts';
import { openScene, type Scene, until } from '../../../support/telegram/scene.ts';

let scene: Scene;
beforeEach(async () => {
  scene = await openScene();
});
afterEach(() => scene.close());

const devices = (): Promise<unknown[]> => scene.control('GET', '/accounts/1001/devices');

/** The login of a session, which another program has from now on. */
async function handedOut(): Promise<string> {
  const link = await scene.loggedIn('before', '1001');
  const string = await link.exportLogin(1, 'gramjs');
  link.dropLogin();
  await link.loginDropped();
  return string;
}

it('[LG2.10] a login that is handed in is stored when that is recorded, and then logged out', async () => {
  const string = await handedOut();
  const link = scene.link('new');
  expect(await link.logIn(1, { string })).toMatchObject({ type: 'LoginImported', login: 1, format: 'gramjs' });
  await scene.live(120_000);
  expect(scene.logins.get('new')).toBeUndefined();
  link.keepLogin(1);
  await link.loginKept();
  const read = readSessionString(string);
  const key = 'key' in read ? read.key.toString('base64') : 'none';
  expect(scene.logins.get('new')).toContain(key);
  await scene.restart();
  const next = scene.link('new');
  next.connect(1);
  await next.next('ConnectionRestored');
  next.logOut();
  await until(async () => (await devices()).length === 0);
});

it('[LG2.7] a login that is not recorded is only forgotten, and free for another session', async () => {
  const string = await handedOut();
  const link = scene.link('given up');
  await link.logIn(1, { string });
  await expect(scene.link('other').logIn(1, { string })).rejects.toThrow('string is used by another session');
  link.logOut();
  await link.close();
  expect([scene.logins.get('given up'), await devices()]).toMatchObject([undefined, [{}]]);
  expect(await scene.link('third').logIn(1, { string })).toMatchObject({ type: 'LoginImported' });
});

it('[LG2.10] a login that is still its owner’s does not count as stored', async () => {
  const link = scene.link('leaving');
  await link.logIn(1, { string: await handedOut() });
  // The session leaves this process while its creation is recorded: nothing is begun for it any more.
  await expect(link.loginKept()).rejects.toThrow(NotConnectedError);
  await link.close();
  await expect(link.loginKept()).rejects.toThrow(NotConnectedError);
  expect([scene.logins.get('leaving'), await devices()]).toMatchObject([undefined, [{}]]);
});

it('[LG2.7] nothing of a login is left after a crash before it is recorded', async () => {
  const string = await handedOut();
  await scene.link('new').logIn(1, { string });
  await scene.restart();
  expect(scene.logins.size).toBe(0);
  const next = scene.link('new');
  next.logOut();
  await next.close();
  expect(await devices()).toHaveLength(1);
});
