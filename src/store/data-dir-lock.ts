import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Libsql from 'libsql';

/** Held until released, or until the process ends however it ends. */
export interface DataDirLock {
  release(): void;
}

/** Somebody else works in the directory (OP2). */
export class DataDirInUseError extends Error {
  override name = 'DataDirInUseError';
}

/**
 * Takes the directory, making it where it does not exist. What is held is SQLite's exclusive lock on an empty file:
 * the operating system lets go of it when the process dies, kill -9 included, so no lock is ever stale, and no process
 * ID can be mistaken for another's. Beside it lies a note that says who holds it.
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
