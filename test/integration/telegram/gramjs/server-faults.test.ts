import { afterAll, beforeAll, expect, it } from 'vitest';
import { serverErrors } from '../../../../sandbox/world/server-errors.ts';
import type { TelegramAccount } from '../../../../src/telegram/port/account.ts';
import { anyTime, openScene, type Scene, scan, until, watch } from '../../../support/telegram/scene.ts';

let scene: Scene;
let ann: TelegramAccount;
let lastRandomId = 0n;
beforeAll(async () => {
  scene = await openScene();
  ann = (await scene.loggedIn('ann', '1001')).account();
});
afterAll(() => scene.close());

/** Sends a text while time passes; `error` is its outcome if it failed. */
async function send(text: string): Promise<unknown> {
  const bob = await ann.userById('1002', anyTime);
  const message = { text, entities: [], randomId: (lastRandomId += 1n), begunAt: scene.clock.now() };
  const seen = watch(ann.sendText(bob, message, anyTime));
  await until(async () => {
    await scene.clock.advance(500);
    return seen.settled !== 'no';
  });
  return seen.error;
}
const newest = async (): Promise<string | undefined> =>
  (await scene.control<{ text: string }[]>('GET', '/accounts/1001/messages?peer=1002&limit=1'))[0]?.text;

/** What is no fault of a server, though its code says so. */
const lasting = new Set(['RANDOM_ID_DUPLICATE', 'AUTH_RESTART', 'UNKNOWN_METHOD']);

it.each(serverErrors.filter(([name]) => !lasting.has(name)))('[ER3.4] %s (%i) passes', async (error, code) => {
  await scene.control('POST', '/faults', { method: 'messages.sendMessage', error, code });
  expect(await send(`${error} ${code}`)).toBeUndefined();
  expect(await newest()).toBe(`${error} ${code}`);
});

it('[ER3.4] a fault that lasts is passed on after the third retry', async () => {
  await scene.control('POST', '/faults', { method: 'messages.sendMessage', error: 'TIMEOUT', code: -503, times: 4 });
  const before = scene.clock.now();
  expect(await send('lasting')).toMatchObject({ message: '-503: TIMEOUT (caused by messages.SendMessage)' });
  expect(scene.clock.now() - before).toBeGreaterThanOrEqual(7_000);
});

it('[ER3.4] a wait without a number is one of a second', async () => {
  await scene.control('POST', '/faults', { method: 'messages.sendMessage', error: 'FLOOD_SKIP_FAILED_WAIT' });
  expect(await send('skipped')).toBeUndefined();
});

it('[ER3.4] a connection that Telegram has forgotten the client of is introduced again', async () => {
  await scene.control('POST', '/chaos', { forgetClient: true });
  expect(await send('who are you')).toBeUndefined();
  expect(await newest()).toBe('who are you');
  const { length } = await scene.control<unknown[]>('GET', '/calls?method=messages.sendMessage');
  expect(await send('and again')).toBeUndefined();
  expect(await scene.control<unknown[]>('GET', '/calls?method=messages.sendMessage')).toHaveLength(length + 1);
});

it('[ER3.2] many short waits are waited out', async () => {
  await scene.control('POST', '/faults', { method: 'messages.sendMessage', error: 'FLOOD_WAIT_3', times: 20 });
  expect(await send('patient')).toBeUndefined();
  await scene.control('POST', '/faults', { method: 'messages.sendMessage', error: 'FLOOD_WAIT_50', times: 20 });
  const before = scene.clock.now();
  expect(await send('too much')).toMatchObject({ waitSeconds: 50 });
  expect(scene.clock.now() - before).toBeGreaterThanOrEqual(240_000);
  await scene.control('DELETE', '/faults');
});

it('[ER3.4] a fault that outlasts the retries delays a login, and does not end it', async () => {
  const fault = { method: 'updates.getState', userId: '1001', error: 'Timeout', code: -503, times: 5 };
  await scene.control('POST', '/faults', fault);
  const link = scene.link('second');
  link.startQrLogin(1);
  await scan(scene, (await link.next('QrIssued')).link, '1001');
  await until(async () => {
    await scene.live(500);
    return (
      link.facts.some(({ type }) => type === 'LoggedIn') || scene.log.some((line) => line.includes('"a login failed"'))
    );
  });
  expect(link.facts.map(({ type }) => type)).toEqual(['QrIssued', 'LoggedIn']);
  await link.close();
});
