import { readFileSync, statSync } from 'node:fs';

/** Bytes of the `-shm` file that readers lock (https://www.sqlite.org/walformat.html, "WAL Locks"). */
const firstReadLock = 123;
const lastReadLock = 127;

/**
 * IDs of the other processes that are reading a SQLite file, from `/proc/locks` (proc_locks(5)). Empty if the system has
 * no such file, or hides the process.
 */
export function findReaders(file: string): number[] {
  try {
    const { ino } = statSync(`${file}-shm`);
    const locks = readFileSync('/proc/locks', 'utf8').matchAll(/READ +(\d+) \w+:\w+:(\d+) (\d+) (\d+)$/gm);
    const found = [...locks]
      .map(([, ...fields]) => fields.map(Number))
      .filter(([, inode, first = 0, last = 0]) => inode === ino && first <= lastReadLock && last >= firstReadLock)
      .map(([pid = 0]) => pid);
    return [...new Set(found)].filter((pid) => pid > 0 && pid !== process.pid);
  } catch {
    return [];
  }
}
