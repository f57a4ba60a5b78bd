import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Libsql from 'libsql';

/** Held until released, or until the process ends. */
export interface DataDirLock {
  release(): void;
}

/** Another process uses the directory (OP2). */
export class DataDirInUseError extends Error {
  override name = 'DataDirInUseError';
}

/**
 * Locks the directory, and creates it if it does not exist. The lock is SQLite's exclusive lock on an empty file: the
 * operating system releases it when the process dies, by kill -9 too, so no lock is ever stale. `lock.txt` beside it
 * names the holder. This process must not open `lock.db` again, for a backup for example: on POSIX systems, closing any
 * descriptor of a file drops all locks that the process has on it (fcntl(2), "Advisory record locking").
 * @throws {DataDirInUseError} naming the holder.
 */
export function lockDataDir(dataDir: string, holder: string): DataDirLock {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const note = join(dataDir, 'lock.txt');
  const connection = new Libsql(join(dataDir, 'lock.db'));
  try {
    connection.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    connection.close();
    if (!(error instanceof Libsql.SqliteError) || !error.code.startsWith('SQLITE_BUSY')) throw error;
    throw new DataDirInUseError(`${dataDir} is in use by ${read(note)}`, { cause: error });
  }
  writeFileSync(note, `${holder}\n`, { mode: 0o600 });
  return {
    release: () => {
      connection.exec('ROLLBACK');
      connection.close();
    },
  };
}

function read(note: string): string {
  try {
    return readFileSync(note, 'utf8').trim() || 'another process';
  } catch {
    return 'another process';
  }
}
