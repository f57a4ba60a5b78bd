import Libsql from 'libsql';

const fullDisk = 'the disk is full: nothing can be written to DATA_DIR';

/** SQLite's result codes that are no defect of the gateway, by how they begin. */
const sqliteFaults: readonly (readonly [string, string])[] = [
  ['SQLITE_FULL', fullDisk],
  ['SQLITE_READONLY', 'a database in DATA_DIR cannot be written: its disk is read-only, or it belongs to another user'],
  ['SQLITE_CANTOPEN', 'a database in DATA_DIR cannot be opened: does it belong to another user?'],
  ['SQLITE_PERM', 'a database in DATA_DIR cannot be opened: does it belong to another user?'],
  ['SQLITE_IOERR', 'the disk of DATA_DIR fails: a database cannot be read or written'],
];

/** libsql's error of an open, which has no code of its own. */
const failedOpen = /^ConnectionFailed\("Unable to open connection to local database (.+): \d+"\)$/;

/** What an error of a database or a file says of the disk, in a sentence; undefined if it says nothing of it. */
export function describeDiskFault(error: Error): string | undefined {
  if (error instanceof Libsql.SqliteError) {
    const found = sqliteFaults.find(([code]) => error.code.startsWith(code));
    return found && `${found[1]} (${error.message})`;
  }
  if ((error as NodeJS.ErrnoException).code === 'ENOSPC') return `${fullDisk} (${error.message})`;
  const unopened = failedOpen.exec(error.message)?.[1];
  return unopened && `${unopened} cannot be opened: does it belong to another user?`;
}
