import { type ChildProcess, spawn } from 'node:child_process';
import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MemoryStorage } from '@mtcute/node';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startSandbox } from '../../../sandbox/sandbox.ts';
import { control } from '../../support/sandbox/control-client.ts';
import { openBench } from '../../support/sandbox/world-fixture.ts';
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
  /** Enough of the protocol to point a client at it. */
  target: Parameters<typeof mtcuteClient>[0];
}

/** Six ports in a row below those that the system hands out, so that nobody takes them while the sandbox is down. */
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

// A terminal that is closed says SIGHUP.
it.each(['SIGTERM', 'SIGHUP'] as const)('without a folder, nothing stays behind after %s', async (signal) => {
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

describe('with a folder, the sandbox', () => {
  // Two processes start from their sources, which takes long on a busy machine.
  it('keeps logins, keys and messages over kill -9', { timeout: 120_000 }, async () => {
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

  it('passes over a torn last line, and writes its journal anew at each start', async () => {
    const first = await openBench({ folder });
    const key = await first.logIn(1001);
    const peer = { _: 'inputPeerSelf' };
    for (let number = 1; number <= 50; number += 1) {
      const params = { peer, message: `note ${number}`, random_id: BigInt(number) };
      await first.call(key, 'messages.sendMessage', params);
    }
    const pts = first.world.tables.box('user:1001').pts;
    const path = join(folder, 'journal.jsonl');
    first.world.close();
    const before = readFileSync(path, 'utf8').length;
    appendFileSync(path, '["put","messages",{"box":"user:1001","id":9');

    const second = await openBench({ folder });
    expect(second.world.tables.box('user:1001').pts).toBe(pts);
    expect(second.world.tables.history('user:1001', 'user:1001')).toHaveLength(50);
    expect(second.world.tables.activeLogins(1001)).toMatchObject([{ keyId: key.id }]);
    const again = second.call(key, 'messages.sendMessage', { peer, message: 'x', random_id: 50n });
    await expect(again).rejects.toMatchObject({ text: 'RANDOM_ID_DUPLICATE' });
    second.world.close();
    expect(readFileSync(path, 'utf8').length).toBeLessThan(before);
  });

  it('leaves the folder alone where its ports are taken', async () => {
    const ports = { controlPort: 0, dcPort: 0, dataDir: folder };
    const first = await startSandbox(ports);
    const { port } = new URL(first.url);
    await expect(startSandbox({ ...ports, controlPort: Number(port) })).rejects.toThrow('EADDRINUSE');
    await control(first, 'POST', '/accounts/1001/messages', { peer: 1002, text: 'kept' });
    await first.close();
    const next = await startSandbox(ports);
    const { body } = await control(next, 'GET', '/accounts/1002/messages?peer=1001&limit=1');
    expect(body).toMatchObject([{ text: 'kept' }]);
    await next.close();
  });

  it('forgets what was deleted, and everything on reset', async () => {
    const first = await openBench({ folder });
    const key = await first.logIn(1001);
    const [oldest] = first.world.tables.history('user:1001', 'user:1002');
    await first.call(key, 'messages.deleteMessages', { id: [oldest] });
    first.world.close();
    const second = await openBench({ folder });
    expect(second.world.tables.history('user:1001', 'user:1002')).not.toContain(oldest);
    const { prepareSeed } = await import('../../../sandbox/world/seed/seed.ts');
    second.world.reset(await prepareSeed());
    second.world.close();
    const third = await openBench({ folder });
    expect(third.world.tables.history('user:1001', 'user:1002')).toContain(oldest);
    expect(third.world.tables.activeLogins(1001)).toEqual([]);
    third.world.close();
  });
});
