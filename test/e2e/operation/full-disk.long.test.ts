import { spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openScene, type Scene } from '../../support/e2e/scene.ts';
import { createTemporaryFolder } from '../../support/kit/temporary-folder.ts';

/** The embedded store on a disk of its own, which is full. Only root can mount one. */

const second = 1000;
const megabyte = 1024 * 1024;
const isOk = (command: string, ...args: string[]): boolean => spawnSync(command, args).status === 0;

async function openOnSmallDisk(): Promise<{ scene: Scene; disk: string } | undefined> {
  const folder = await createTemporaryFolder();
  if (!isOk('mount', '-t', 'tmpfs', '-o', 'size=8m', 'tmpfs', folder.path)) {
    await folder.remove();
    return undefined;
  }
  const scene = await openScene({ environment: { EVENT_STORE_URL: `sqlite:${join(folder.path, 'events.db')}` } });
  onTestFinished(async () => {
    await scene.close();
    // The store's file stays open until its statements are collected.
    isOk('umount', '--lazy', folder.path);
    await folder.remove();
  });
  return { scene, disk: folder.path };
}

/** Takes what is left of the disk, to the last byte. */
function fill(disk: string): void {
  for (const bytes of [megabyte, 4096, 512, 1]) {
    try {
      for (;;) writeFileSync(join(disk, 'filler'), Buffer.alloc(bytes), { flag: 'a' });
    } catch {
      // It is full of pieces of this size.
    }
  }
}

it('[FA2.1] [FA2.2] [FA2.3] says that its disk is full, refuses in seconds, and goes on by itself when there is room', async ({
  skip,
}) => {
  const opened = await openOnSmallDisk();
  if (opened === undefined) return skip();
  const { scene, disk } = opened;
  const caller = await scene.connected();
  const waiting = await scene.awaitingPassword();
  const ready = () => scene.gateway.http.request('GET', '/health/ready');
  const isAway = async (): Promise<boolean> =>
    /^gateway_store_away 1$/m.test(await (await fetch(`${scene.gateway.url}/metrics`)).text());
  expect(await isAway()).toBe(false);

  fill(disk);
  const requests = [
    () => scene.gateway.http.request('POST', '/session'),
    () => scene.request(caller, 'PUT', '/session/webhook', { url: 'https://hook.example/', token: 't' }),
    () => scene.request(caller, 'POST', '/session/reset'),
    () => scene.request(waiting, 'POST', '/session/password', { password: 'wrong' }),
    () => scene.request(caller, 'DELETE', '/session'),
  ];
  for (const request of requests) {
    const answer = await scene.whilePassing(request());
    expect(answer).toMatchObject({ status: 503, body: { message: 'the event store is not available' } });
  }
  const message = 'event store cannot write: database or disk is full';
  expect(await ready()).toMatchObject({ status: 503, body: { statusCode: 503, message } });
  expect(await isAway()).toBe(true);

  await scene.sandbox.call('POST', '/network', { action: 'refuse' });
  await scene.sandbox.call('POST', '/network', { action: 'cut' });
  await scene.pass(30 * second);
  expect(await scene.read(caller)).toMatchObject({ isConnected: false });
  expect(await ready()).toMatchObject({ status: 503 });
  await scene.sandbox.call('POST', '/network', { action: 'accept' });

  rmSync(join(disk, 'filler'));
  await scene.pass(60 * second);
  expect(await ready()).toMatchObject({ status: 200 });
  expect(await isAway()).toBe(false);
  expect(await scene.read(caller)).toMatchObject({ isConnected: true });
  expect((await scene.whilePassing(scene.request(caller, 'DELETE', '/session'))).status).toBe(200);
});
