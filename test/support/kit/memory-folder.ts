import { existsSync, mkdirSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';

/** Linux keeps what is below it in memory. A container often has 64 MB of it, which is too little. */
const place = '/dev/shm';
const minFreeBytes = 2 * 1024 ** 3;
const prefix = 'gateway-tests-';

/**
 * A folder in memory for the temporary files of a run, if there is room: a commit of an embedded store waits for the
 * disk, which is up to a third of the time of an end-to-end test. Undefined if there is none.
 */
export const memoryFolder: string | undefined = hasRoom() ? join(place, `${prefix}${process.pid}`) : undefined;

function hasRoom(): boolean {
  if (!existsSync(place)) return false;
  const { bavail, bsize } = statfsSync(place);
  return bavail * bsize >= minFreeBytes;
}

/** Vitest calls it before a run, and what it returns behind it. */
export function setup(): (() => void) | undefined {
  if (memoryFolder === undefined) return undefined;
  const folder = memoryFolder;
  removeLeftovers();
  mkdirSync(folder, { recursive: true });
  return () => rmSync(folder, { recursive: true, force: true });
}

/** A run that is interrupted leaves its folder behind. */
function removeLeftovers(): void {
  for (const name of readdirSync(place)) {
    if (!name.startsWith(prefix) || isRunning(Number(name.slice(prefix.length)))) continue;
    rmSync(join(place, name), { recursive: true, force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // Another user's may not be asked for.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
