import { spawnSync } from 'node:child_process';
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { PreparedStart } from '../gateway/built-program.ts';
import type { Killing } from './killing.ts';

/** What else goes wrong in a gateway's life. */
export type Spell = 'full disk' | 'no descriptors' | 'no Telegram';

const longestBeforeMs = 200;
const longestMs = 600;
/** A few more than are open: some requests get through. */
const spareDescriptors = 2;
const manyDescriptors = 65_536;
const fillerName = 'filler';

const isOk = (command: string, ...args: string[]): boolean => spawnSync(command, args).status === 0;

/** A small disk over a folder. @returns false where it cannot be mounted: only root can */
export const mountSmallDisk = (folder: string): boolean =>
  isOk('mount', '-t', 'tmpfs', '-o', 'size=48m', 'tmpfs', folder);
export const unmountDisk = (folder: string): boolean => isOk('umount', '--lazy', folder);

/** Begins at a random moment, and ends a random time later, or when the gateway is killed. */
export async function castSpell(
  spell: Spell,
  { sandbox, dataDir }: Pick<Killing, 'sandbox' | 'dataDir'>,
  { child: { pid }, ended }: PreparedStart,
  chance: () => number,
): Promise<void> {
  const wait = (ms: number): Promise<unknown> => Promise.race([pause(ms), ended]);
  const network = (action: string): Promise<unknown> => sandbox.call('POST', '/network', { action });
  await wait(chance() * longestBeforeMs);
  const end = await begin(spell, { dataDir, pid, network });
  await wait(chance() * longestMs);
  await end();
}

interface Place {
  dataDir: string;
  pid: number | undefined;
  network: (action: string) => Promise<unknown>;
}

/** @returns ends it */
async function begin(spell: Spell, { dataDir, pid, network }: Place): Promise<() => unknown> {
  switch (spell) {
    case 'full disk':
      fill(join(dataDir, fillerName));
      return () => rmSync(join(dataDir, fillerName), { force: true });
    case 'no descriptors':
      limitDescriptors(pid, openDescriptors(pid) + spareDescriptors);
      return () => limitDescriptors(pid, manyDescriptors);
    case 'no Telegram':
      await network('refuse');
      await network('cut');
      return () => network('accept');
  }
}

/** Takes what is left of the disk, to the last byte. */
function fill(path: string): void {
  for (const bytes of [1024 * 1024, 4096, 512, 1]) {
    try {
      for (;;) writeFileSync(path, Buffer.alloc(bytes), { flag: 'a' });
    } catch {
      // It is full of pieces of this size.
    }
  }
}

function openDescriptors(pid: number | undefined): number {
  try {
    return readdirSync(`/proc/${pid}/fd`).length;
  } catch {
    return manyDescriptors;
  }
}

/** Of a process that may be gone. */
const limitDescriptors = (pid: number | undefined, count: number): boolean =>
  isOk('prlimit', '--pid', String(pid), `--nofile=${count}:`);
