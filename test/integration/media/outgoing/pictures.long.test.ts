import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { LightAbort } from '../../../../actors/kit/light-abort.ts';
import { createPictures, type MakePicture } from '../../../../src/media/outgoing/pictures.ts';
import { createTemporaryFolder, type TemporaryFolder } from '../../../support/kit/temporary-folder.ts';

/** Pictures, and the processes that make them. */

const megabyte = 1024 * 1024;
let folder: TemporaryFolder;
let make: MakePicture;
let large: string;
let small: string;

beforeAll(async () => {
  folder = await createTemporaryFolder();
  const plain = (side: number) => sharp({ create: { width: side, height: side, channels: 3, background: '#345' } });
  large = join(folder.path, 'large.webp');
  await plain(5_000).webp().toFile(large);
  small = join(folder.path, 'small.png');
  await plain(10).png().toFile(small);
  make = createPictures();
});
afterAll(async () => {
  for (const pid of running()) process.kill(pid, 'SIGKILL');
  await folder.remove();
});

const target = (): string => join(folder.path, 'made.jpg');
const made = (source: string, stop = new LightAbort()): Promise<number> =>
  make({ source, target: target(), maxSide: 2560 }, stop);

/** The processes that make pictures for this one. */
function running(): number[] {
  const pids = readdirSync('/proc/self/task').flatMap((task) =>
    readFileSync(`/proc/self/task/${task}/children`, 'latin1').split(' '),
  );
  return pids.filter((pid) => pid !== '' && commandOf(pid).includes('picture-program')).map(Number);
}
function commandOf(pid: string): string {
  const path = `/proc/${pid}/cmdline`;
  return existsSync(path) ? readFileSync(path, 'latin1') : '';
}
const memoryOf = (pid: number, what: 'VmRSS' | 'VmHWM'): number =>
  Number(new RegExp(`${what}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1]) * 1024;

it('[MS3.1] many large ones, one after the other, take no more memory than one, and none of ours', async () => {
  await made(small);
  const [pid = 0, ...others] = running();
  expect(others).toEqual([]);
  const [before, own] = [memoryOf(pid, 'VmRSS'), process.memoryUsage.rss()];
  for (let count = 0; count < 8; count++) await made(large);
  expect((memoryOf(pid, 'VmHWM') - before) / megabyte).toBeLessThan(200);
  expect((memoryOf(pid, 'VmRSS') - before) / megabyte).toBeLessThan(100);
  expect((process.memoryUsage.rss() - own) / megabyte).toBeLessThan(50);
  expect(running()).toEqual([pid]);
});

it('[MS6.1] that is no longer wanted is made no further: its process is gone, and the next has another', async () => {
  await made(small);
  const [pid = 0] = running();
  const stop = new LightAbort();
  const making = made(large, stop);
  stop.abort(new Error('cut off'));
  await expect(making).rejects.toThrow('cut off');
  expect(running()).not.toContain(pid);
  expect(await made(small)).toBeGreaterThan(0);
});

it('[MS3.1] whose process dies is made by another, once more', async () => {
  await made(small);
  const [pid = 0] = running();
  const making = made(large);
  process.kill(pid, 'SIGKILL');
  expect(await making).toBeGreaterThan(0);
  expect(running()).not.toContain(pid);
});

it('[MS3.1] two at a time have a process each, which are used again', async () => {
  const other = join(folder.path, 'other.jpg');
  const both = (): Promise<number[]> =>
    Promise.all([made(small), make({ source: small, target: other, maxSide: 5 }, new LightAbort())]);
  await both();
  const pids = running();
  expect(pids).toHaveLength(2);
  await both();
  expect(running()).toEqual(pids);
  expect(await sharp(other).metadata()).toMatchObject({ width: 5, height: 5 });
});

it('[MS3.2] that are none: why, and the process goes on', async () => {
  writeFileSync(join(folder.path, 'page'), '<html>');
  await made(small);
  const pids = running();
  await expect(made(join(folder.path, 'page'))).rejects.toMatchObject({
    statusCode: 500,
    message: 'error compress image: it is not a JPG, PNG or WebP',
  });
  expect(running()).toEqual(pids);
});
