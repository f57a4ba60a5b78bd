import { afterEach, beforeEach, expect, it } from 'vitest';
import { LightAbort } from '../../../../../actors/kit/light-abort.ts';
import type { Sandbox } from '../../../../../sandbox/sandbox.ts';
import type { TelegramAccount } from '../../../../../src/telegram/port/account.ts';
import { startLocalSandbox } from '../../../../support/sandbox/sandbox.ts';
import { openScene, type Scene, watch } from '../../../../support/telegram/scene.ts';

/** A free account, against the limits that Telegram has for one; the time of both is driven. */

const anyTime = new LightAbort();
let sandbox: Sandbox;
let scene: Scene | undefined;
let cara: TelegramAccount;
beforeEach(async () => {
  sandbox = await startLocalSandbox({ rateLimits: true, clock: { now: () => scene?.clock.now() ?? Date.now() } });
  scene = await openScene({}, sandbox);
  cara = (await scene.loggedIn('cara', '1003')).account();
});
afterEach(async () => {
  await scene?.close();
  scene = undefined;
  await sandbox.close();
});

const clock = (): Scene['clock'] => (scene as Scene).clock;
const calls = async (method: string): Promise<{ error?: string }[]> =>
  (scene as Scene).control('GET', `/calls?method=${method}`);
const resolve = (n: number): Promise<unknown> => cara.byUsername(`nobody${n}`, anyTime).catch((error: Error) => error);

it('[ER3.5] of look-ups: Telegram is not asked again before a long wait is over, and each caller is told the rest of it', async () => {
  for (let n = 0; n < 200; n += 1) expect(await resolve(n)).toMatchObject({ name: 'PeerNotFoundError' });
  expect(await resolve(200)).toMatchObject({ waitSeconds: 432 });
  const asked = (await calls('contacts.resolveUsername')).length;
  await clock().advance(32_000);
  expect(await resolve(201)).toMatchObject({ waitSeconds: 400 });
  expect(await calls('contacts.resolveUsername')).toHaveLength(asked);
  // Numbers are counted by themselves.
  expect(await cara.byPhone('15550000002', anyTime)).toMatchObject({ id: '1002' });
  await clock().advance(370_000);
  const late = watch(resolve(202));
  await clock().settle();
  expect(late.settled).toBe('no');
  await clock().advance(30_000);
  expect(await resolve(203)).toMatchObject({ waitSeconds: 432 });
});
