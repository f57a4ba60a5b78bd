import { afterEach, beforeEach, expect, it } from 'vitest';
import { LightAbort } from '../../../../../actors/kit/light-abort.ts';
import type { Sandbox } from '../../../../../sandbox/sandbox.ts';
import type { OutgoingText, TelegramAccount } from '../../../../../src/telegram/port/account.ts';
import { settleNetwork } from '../../../../support/kit/passing-time.ts';
import { createTemporaryFolder, type TemporaryFolder } from '../../../../support/kit/temporary-folder.ts';
import { startLocalSandbox } from '../../../../support/sandbox/sandbox.ts';
import { noise, writeOutgoing } from '../../../../support/telegram/outgoing-files.ts';
import { openScene, type Scene, watch } from '../../../../support/telegram/scene.ts';

/** A free account, against the limits that Telegram has for one; the time of both is driven. */

const anyTime = new LightAbort();
const partBytes = 524_288;
let folder: TemporaryFolder;
let sandbox: Sandbox;
let scene: Scene | undefined;
let cara: TelegramAccount;
beforeEach(async () => {
  folder = await createTemporaryFolder();
  sandbox = await startLocalSandbox({ rateLimits: true, clock: { now: () => scene?.clock.now() ?? Date.now() } });
  scene = await openScene({}, sandbox);
  cara = (await scene.loggedIn('cara', '1003')).account();
});
afterEach(async () => {
  await scene?.close();
  scene = undefined;
  await sandbox.close();
  await folder.remove();
});

const clock = (): Scene['clock'] => (scene as Scene).clock;
const calls = async (method: string): Promise<{ error?: string }[]> =>
  (scene as Scene).control('GET', `/calls?method=${method}`);

/** Goes from timer to timer. Parts are large, and the machine may be busy: none must be on the wire when time passes. */
async function passed(work: Promise<unknown>): Promise<void> {
  const seen = watch(work);
  for (;;) {
    for (let trip = 0; trip < 5; trip += 1) {
      await (scene as Scene).control('GET', '/stats');
      await settleNetwork();
    }
    if (seen.settled !== 'no') break;
    const dueAt = clock().nextDueAt();
    if (dueAt !== undefined) await clock().advance(dueAt - clock().now());
  }
  await work;
}

let lastRandomId = 0n;

async function sendDocument(bytes: number, seed: number): Promise<number> {
  const file = await writeOutgoing(folder.path, noise(bytes, seed), 'a.bin', 'application/octet-stream');
  const bob = await cara.byUsername('bob', anyTime);
  const mark = { randomId: (lastRandomId += 1n), begunAt: clock().now() };
  const caption: OutgoingText = { text: '', entities: [], ...mark };
  return cara.sendMedia(bob, { kind: 'document', file }, caption, async () => mark, anyTime);
}

it('[ER3.5] an upload of 30 MB arrives within 1.1 times of what the budget of a free account allows', async () => {
  const parts = 60;
  const before = clock().now();
  await passed(sendDocument(parts * partBytes, 1));
  // 20 at once, then one a second.
  const allowedMs = (parts - 20) * 1_000;
  expect(clock().now() - before).toBeGreaterThanOrEqual(allowedMs);
  expect(clock().now() - before).toBeLessThanOrEqual(1.1 * allowedMs);
  const refused = (await calls('upload.saveBigFilePart')).filter(({ error }) => error !== undefined);
  expect(refused[0]?.error).toBe('420 FLOOD_PREMIUM_WAIT_3');
  expect(refused.length).toBeLessThan(0.6 * parts);
});
