import { accessSync, chmodSync, constants, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
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

/** The lock is another file than this program makes. */
export class LockFileError extends Error {
  override name = 'LockFileError';
}

/**
 * Locks the directory, and creates it if it does not exist. The lock is SQLite's exclusive lock on an empty file: the
 * operating system releases it when the process dies, by kill -9 too, so no lock is ever stale. `lock.txt` beside it
 * names the holder. This process must not open `lock.db` again, for a backup for example: on POSIX systems, closing any
 * descriptor of a file drops all locks that the process has on it (fcntl(2), "Advisory record locking").
 * @throws {DataDirInUseError} naming the holder. @throws {LockFileError} @throws Node's error, which names the file,
 * if this user may not write there
 */
export function lockDataDir(dataDir: string, holder: string): DataDirLock {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const note = join(dataDir, 'lock.txt');
  const file = join(dataDir, 'lock.db');
  // Not opened: closing it would drop a lock that this process holds already. SQLite's own error says nothing.
  accessSync(existsSync(file) ? file : dataDir, constants.R_OK | constants.W_OK);
  const connection = new Libsql(file);
  try {
    connection.exec('BEGIN EXCLUSIVE');
    chmodSync(file, 0o600);
  } catch (error) {
    connection.close();
    if (!(error instanceof Libsql.SqliteError)) throw error;
    if (/^SQLITE_(CORRUPT|NOTADB)/.test(error.code)) {
      throw new LockFileError(`${file} is damaged: remove it; nothing is stored in it`, { cause: error });
    }
    if (!error.code.startsWith('SQLITE_BUSY')) throw error;
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
