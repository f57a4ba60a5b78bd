import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MemoryStorage, type SentCode } from '@mtcute/node';
import sharp from 'sharp';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { control } from '../../support/sandbox/control-client.ts';
import { mtcuteClient } from '../../support/telegram-clients/mtcute.ts';

let folder: string;
const running: ChildProcess[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sandbox-'));
});
afterEach(() => {
  for (const child of running.splice(0)) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

interface Running {
  child: ChildProcess;
  url: string;
  /** What a client needs to connect. */
  target: Parameters<typeof mtcuteClient>[0];
}

/** Six consecutive ports below the ephemeral range: no other program gets them while the sandbox is down. */
const dcPort = 12_000 + (process.pid % 3_000) * 6;

async function launch(environment: Record<string, string> = { SANDBOX_DATA: folder }): Promise<Running> {
  const env = { ...process.env, SANDBOX_PORT: '0', SANDBOX_DC_PORT: String(dcPort), ...environment };
  const child = spawn(process.execPath, ['--import', 'tsx', 'sandbox/cli.ts'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  running.push(child);
  const url = await new Promise<string>((resolve, reject) => {
    let text = '';
    child.stdout?.on('data', (chunk) => {
      text += String(chunk);
      const found = /(http:\/\/127\.0\.0\.1:\d+)\n/.exec(text)?.[1];
      if (found) resolve(found);
    });
    child.once('exit', (code) => reject(new Error(`the sandbox ended with ${code}`)));
  });
  const { body } = await control({ url }, 'GET', '/connection');
  const ports = new Map<number, number>(body.dcs.map(({ id, port }: { id: number; port: number }) => [id, port]));
  return { child, url, target: { ports, publicKeyPem: body.publicKey } };
}

const ended = (child: ChildProcess) => new Promise<number | null>((resolve) => child.once('exit', resolve));

// Closing a terminal sends SIGHUP.
it.each(['SIGTERM', 'SIGHUP'] as const)('without a folder, no files are left after %s', async (signal) => {
  const sandbox = await launch({ SANDBOX_DATA: '', TMPDIR: folder });
  const files = (): string[] => readdirSync(folder).filter((name) => name.startsWith('sandbox-files-'));
  const media = { kind: 'document', content: Buffer.from('a file').toString('base64') };
  expect(await control(sandbox, 'POST', '/accounts/1001/messages', { peer: '1002', media })).toMatchObject({
    status: 200,
  });
  expect(files()).toHaveLength(1);
  const done = ended(sandbox.child);
  sandbox.child.kill(signal);
  expect(await done).toBe(0);
  expect(files()).toEqual([]);
});

// Starting two processes from their sources takes long on a busy machine.
it('with a folder, logins, keys and messages survive kill -9', async () => {
  const first = await launch();
  const storage = new MemoryStorage();
  const ann = await mtcuteClient(first.target, { storage });
  await ann.signInQr({ onUrlUpdated: (link) => void control(first, 'POST', '/qr/scan', { link, userId: 1001 }) });
  const { id } = await ann.sendText('bob', 'kept');
  const session = await ann.exportSession();
  const died = ended(first.child);
  first.child.kill('SIGKILL');
  await Promise.all([died, ann.destroy()]);

  const second = await launch();
  const { body } = await control(second, 'GET', '/accounts/1002/messages?peer=1001&limit=1');
  expect(body).toMatchObject([{ text: 'kept' }]);
  expect((await control(second, 'GET', '/accounts/1001/devices')).body).toHaveLength(1);
  const again = await mtcuteClient(second.target);
  await again.importSession(session);
  expect(await again.getMe()).toMatchObject({ id: 1001 });
  expect((await again.sendText('bob', 'and more')).id).toBeGreaterThan(id);
  expect((await control(second, 'GET', '/stats')).body.handshakes).toBe(0);
  await again.destroy();
  const done = ended(second.child);
  second.child.kill('SIGTERM');
  expect(await done).toBe(0);
});

it('with a folder, login codes, profiles, photos and blocked users survive kill -9', async () => {
  const first = await launch();
  const storage = new MemoryStorage();
  const ann = await mtcuteClient(first.target, { storage });
  await ann.signInQr({ onUrlUpdated: (link) => void control(first, 'POST', '/qr/scan', { link, userId: 1001 }) });
  const picture = await sharp({ create: { width: 320, height: 320, channels: 3, background: '#a43' } })
    .jpeg()
    .toBuffer();
  await ann.setMyProfilePhoto({ type: 'photo', media: picture });
  await ann.updateProfile({ firstName: 'Anna', bio: 'Was here.' });
  await ann.setMyUsername('annalee');
  await ann.blockUser('bob');
  const photos = await ann.getProfilePhotos('me');
  const caras = await mtcuteClient(first.target);
  const phone = '15550000003';
  const { phoneCodeHash } = (await caras.sendCode({ phone })) as SentCode;
  await control(first, 'PATCH', '/accounts/1002', { email: 'bob@example.com' });
  const { body: codes } = await control(first, 'GET', '/accounts/1003/codes');
  expect(codes).toMatchObject([{ type: 'sms', to: phone }]);
  const sessions = [await ann.exportSession(), await caras.exportSession()] as const;
  const died = ended(first.child);
  first.child.kill('SIGKILL');
  await Promise.all([died, ann.destroy(), caras.destroy()]);

  const second = await launch();
  expect((await control(second, 'GET', '/accounts/1003/codes')).body).toEqual(codes);
  const again = await mtcuteClient(second.target);
  await again.importSession(sessions[0]);
  expect(await again.getMe()).toMatchObject({ firstName: 'Anna', username: 'annalee' });
  expect(photos).toHaveLength(2);
  expect((await again.getProfilePhotos('me')).map(({ fileId }) => fileId)).toHaveLength(2);
  const { blocked } = (await again.call({ _: 'contacts.getBlocked', offset: 0, limit: 10 })) as { blocked: unknown[] };
  expect(blocked).toHaveLength(1);
  const caraAgain = await mtcuteClient(second.target);
  await caraAgain.importSession(sessions[1]);
  expect(await caraAgain.signIn({ phone, phoneCodeHash, phoneCode: codes[0].code })).toMatchObject({ id: 1003 });
  expect((await control(second, 'GET', '/stats')).body.handshakes).toBe(0);
  await Promise.all([again.destroy(), caraAgain.destroy()]);
});
