import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { DiskCache } from '../../../../src/media/links/disk-cache.ts';
import { createDrivenClock, type DrivenClock } from '../../../support/kit/clock.ts';
import { createTemporaryFolder } from '../../../support/kit/temporary-folder.ts';

const minute = 60_000;
const kilobyte = 1024;

interface Shelf {
  folder: string;
  clock: DrivenClock;
  warnings: string[];
  /** As a process that starts finds it. */
  open: (maxBytes?: number) => Promise<DiskCache>;
  /** What lies on the disk, below the group's folder. */
  files: (group: string) => Promise<string[]>;
}

async function openShelf(): Promise<Shelf> {
  const { path, remove } = await createTemporaryFolder();
  const clock = createDrivenClock({ startAt: Date.now(), turns: 20 });
  const warnings: string[] = [];
  const opened: DiskCache[] = [];
  const folder = join(path, 'media-cache');
  onTestFinished(async () => {
    for (const cache of opened) await cache.close();
    expect(clock.armed()).toBe(0);
    await remove();
  });
  return {
    folder,
    clock,
    warnings,
    open: async (maxBytes = 100 * kilobyte) => {
      const log = { warn: (_fields: object, message: string): void => void warnings.push(message) };
      const cache = await DiskCache.open({ folder, maxBytes, clock, log });
      opened.push(cache);
      return cache;
    },
    files: async (group) => (await readdir(join(folder, group)).catch((): string[] => [])).toSorted(),
  };
}

const script = join(import.meta.dirname, '../../../support/media/keep-until-killed.ts');

const bytes = (fill: string, length = kilobyte): Buffer => Buffer.alloc(length, fill);

describe('the disk cache', () => {
  it('[ME4.2] gives back what was written, and nothing else', async () => {
    const shelf = await openShelf();
    const cache = await shelf.open();
    await cache.write('s1', 'a', bytes('a'));
    await cache.write('s2', 'a', bytes('b'));
    expect(await cache.read('s1', 'a')).toEqual(bytes('a'));
    expect(await cache.read('s2', 'a')).toEqual(bytes('b'));
    expect([cache.has('s1', 'a'), cache.has('s1', 'b'), cache.has('s3', 'a')]).toEqual([true, false, false]);
    expect(await cache.read('s1', 'b')).toBeUndefined();
    await cache.write('s1', 'a', bytes('c', 10));
    expect(await cache.read('s1', 'a')).toEqual(bytes('c', 10));
    expect(cache.bytes).toBe(kilobyte + 10);
    await cache.close();
    expect(await shelf.files('s1')).toEqual(['a~10']);
  });

  it('[ME4.2] keeps for an hour since it was last opened: 59 minutes, not 61', async () => {
    const shelf = await openShelf();
    const cache = await shelf.open();
    await cache.write('s1', 'opened', bytes('a'));
    await cache.write('s1', 'unopened', bytes('b'));
    await shelf.clock.advance(59 * minute);
    expect(await cache.read('s1', 'opened')).toEqual(bytes('a'));
    expect(cache.has('s1', 'unopened')).toBe(true);
    await shelf.clock.advance(2 * minute);
    expect(await cache.read('s1', 'unopened')).toBeUndefined();
    expect(cache.has('s1', 'opened')).toBe(true);
    await shelf.clock.advance(57 * minute);
    expect(cache.has('s1', 'opened')).toBe(true);
    await shelf.clock.advance(2 * minute);
    expect(cache.has('s1', 'opened')).toBe(false);
    await cache.close();
    expect(await shelf.files('s1')).toEqual([]);
    expect(cache.bytes).toBe(0);
  });

  it('[ME4.2] over its size, the longest unopened goes first', async () => {
    const shelf = await openShelf();
    const cache = await shelf.open(4 * kilobyte);
    for (const name of ['a', 'b', 'c', 'd']) await cache.write('s1', name, bytes(name));
    await cache.read('s1', 'a');
    await cache.write('s2', 'e', bytes('e', 2 * kilobyte));
    expect(['a', 'b', 'c', 'd'].map((name) => cache.has('s1', name))).toEqual([true, false, false, true]);
    expect(cache.has('s2', 'e')).toBe(true);
    expect(cache.bytes).toBe(4 * kilobyte);
    await cache.write('s2', 'large', bytes('f', 5 * kilobyte));
    expect(cache.bytes).toBe(0);
    await cache.close();
    expect([await shelf.files('s1'), await shelf.files('s2')]).toEqual([[], []]);
  });

  it('[ME4.2] survives a restart, with the times at which it was opened and in their order', async () => {
    const shelf = await openShelf();
    const first = await shelf.open();
    await first.write('s1', 'a', bytes('a'));
    await first.write('s1', 'b', bytes('b'));
    await shelf.clock.advance(30 * minute);
    await first.read('s1', 'a');
    await first.close();
    const second = await shelf.open();
    expect(await second.read('s1', 'b')).toEqual(bytes('b'));
    await second.close();
    await shelf.clock.advance(31 * minute);
    const third = await shelf.open();
    // Only a minute is left of the hour since the end of the second one.
    expect(third.has('s1', 'a')).toBe(true);
    await shelf.clock.advance(30 * minute);
    expect(third.has('s1', 'a')).toBe(false);
    await third.close();
    expect(third.bytes).toBe(0);
    expect(await shelf.files('s1')).toEqual([]);
  });

  it('[ME4.2] a smaller size at the next start: the longest unopened goes', async () => {
    const shelf = await openShelf();
    const first = await shelf.open();
    for (const name of ['a', 'b', 'c']) {
      await first.write('s1', name, bytes(name));
      await shelf.clock.advance(1000);
    }
    await first.close();
    const second = await shelf.open(2 * kilobyte);
    expect(['a', 'b', 'c'].map((name) => second.has('s1', name))).toEqual([false, true, true]);
  });

  it('[ME4.2] what a dead process left half is never shown: neither a draft nor a file cut short', async () => {
    const shelf = await openShelf();
    const first = await shelf.open();
    await first.write('s1', 'a', bytes('a'));
    await first.write('s1', 'b', bytes('b'));
    await first.close();
    await truncate(join(shelf.folder, 's1', 'a~1024'), 512);
    await writeFile(join(shelf.folder, 'drafts', '7'), bytes('c', 100));
    await writeFile(join(shelf.folder, 's1', 'no name of ours'), 'x');
    await writeFile(join(shelf.folder, 'a stray file'), 'x');
    const second = await shelf.open();
    expect(second.has('s1', 'a')).toBe(false);
    expect(await second.read('s1', 'b')).toEqual(bytes('b'));
    expect(await shelf.files('s1')).toEqual(['b~1024']);
    expect(await shelf.files('drafts')).toEqual([]);
  });

  it('[ME4.2] a file that was changed or removed under its hands is not shown', async () => {
    const shelf = await openShelf();
    const cache = await shelf.open();
    await cache.write('s1', 'a', bytes('a'));
    await truncate(join(shelf.folder, 's1', 'a~1024'), 512);
    expect(await cache.read('s1', 'a')).toBeUndefined();
    expect(cache.has('s1', 'a')).toBe(false);
    await cache.write('s1', 'a', bytes('A'));
    expect(await cache.read('s1', 'a')).toEqual(bytes('A'));
  });

  it('[ME4.5] a file of the right length that holds other bytes is not shown, and can be kept again', async () => {
    const shelf = await openShelf();
    const cache = await shelf.open();
    await cache.write('s1', 'a', bytes('a'));
    const path = join(shelf.folder, 's1', 'a~1024');
    await writeFile(path, Buffer.alloc((await stat(path)).size));
    expect(await cache.read('s1', 'a')).toBeUndefined();
    expect(cache.has('s1', 'a')).toBe(false);
    await cache.write('s1', 'a', bytes('A'));
    expect(await cache.read('s1', 'a')).toEqual(bytes('A'));
  });

  it('[ME4.2] a process that is killed while it writes leaves whole chunks and no others', async () => {
    const shelf = await openShelf();
    for (const afterMs of [0, 30, 90]) {
      const child = spawn(process.execPath, ['--import', 'tsx', script, shelf.folder], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      await once(child.stdout, 'data');
      await pause(afterMs);
      child.kill('SIGKILL');
      await once(child, 'exit');
      await shelf.clock.advance(Math.max(0, Date.now() - shelf.clock.now()));
      const cache = await shelf.open(1024 * 1024 * kilobyte);
      const found = (await Promise.all(['s1', 's2', 's3'].map((group) => shelf.files(group)))).flat();
      expect(found.length).toBeGreaterThan(5);
      for (const group of ['s1', 's2', 's3']) {
        for (const file of await shelf.files(group)) {
          const kept = await cache.read(group, file.replace(/~.*/, ''));
          if (kept === undefined) throw new Error(`${group}/${file} cannot be read`);
          expect(kept.equals(Buffer.alloc(512 * kilobyte, kept[0] ?? 0))).toBe(true);
        }
      }
      expect(await shelf.files('drafts')).toEqual([]);
      await cache.close();
    }
  });

  it('[ME4.2] what is no file of its own is removed at the start', async () => {
    const shelf = await openShelf();
    await (await shelf.open()).close();
    await mkdir(join(shelf.folder, 's1'));
    for (const name of ['a.b~3', 'b~3.tmp', 'c~', 'd']) await writeFile(join(shelf.folder, 's1', name), bytes('x', 7));
    const cache = await shelf.open();
    expect([cache.bytes, await shelf.files('s1')]).toEqual([0, []]);
  });

  it.each([
    [29_999, 0],
    [30_000, 30_000],
  ])('[ME4.2] opened after %i ms, writes down %i: every 30 s at most', async (afterMs, notedMs) => {
    const shelf = await openShelf();
    const cache = await shelf.open();
    const writtenAt = shelf.clock.now();
    await cache.write('s1', 'a', bytes('a'));
    await shelf.clock.advance(afterMs);
    await cache.read('s1', 'a');
    await cache.close();
    const { mtimeMs } = await stat(join(shelf.folder, 's1', 'a~1024'));
    expect(Math.round(mtimeMs) - writtenAt).toBe(notedMs);
  });

  it('[ME4.2] keeps nothing longer because the wall clock was set back before a restart', async () => {
    const shelf = await openShelf();
    const first = await shelf.open();
    await first.write('s1', 'a', bytes('a'));
    await first.close();
    shelf.clock.setWallClockBy(-120 * minute);
    const second = await shelf.open();
    expect(second.has('s1', 'a')).toBe(true);
    await shelf.clock.advance(60 * minute);
    expect(second.has('s1', 'a')).toBe(false);
  });

  it('[SE11.2] a group that is forgotten is gone, and what was under way for it is not kept', async () => {
    const shelf = await openShelf();
    const cache = await shelf.open();
    await cache.write('s1', 'a', bytes('a'));
    await cache.write('s2', 'a', bytes('b'));
    const late = cache.write('s1', 'late', bytes('c'));
    await cache.forget('s1');
    await late;
    await cache.write('s1', 'later', bytes('d'));
    await cache.close();
    expect(await shelf.files('s1')).toEqual([]);
    expect([cache.has('s1', 'a'), cache.has('s1', 'late'), cache.has('s1', 'later')]).toEqual([false, false, false]);
    expect(await cache.read('s2', 'a')).toEqual(bytes('b'));
    expect(cache.bytes).toBe(kilobyte);
  });

  it('what is kept is for its owner alone to read', async () => {
    const shelf = await openShelf();
    const cache = await shelf.open();
    await cache.write('s1', 'a', bytes('a'));
    const modes = await Promise.all(
      [join(shelf.folder, 's1'), join(shelf.folder, 's1', 'a~1024')].map(
        async (path) => (await stat(path)).mode & 0o777,
      ),
    );
    expect(modes).toEqual([0o700, 0o600]);
  });

  it('[ME4.2] a disk that takes nothing is no failure', async () => {
    const shelf = await openShelf();
    const cache = await shelf.open();
    // A folder where the file belongs: renaming onto it fails, whoever runs this.
    await mkdir(join(shelf.folder, 's1', 'a~1024', 'x'), { recursive: true });
    await cache.write('s1', 'a', bytes('a'));
    expect(shelf.warnings).toEqual(['media could not be kept']);
    expect(cache.has('s1', 'a')).toBe(false);
    expect(await shelf.files('drafts')).toEqual([]);
  });
});
