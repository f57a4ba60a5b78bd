import { chmodSync, closeSync, existsSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import Libsql from 'libsql';

export type SqlValue = string | number | null;
type SqlRow = readonly SqlValue[];

export interface Statement<Row extends SqlRow> {
  /** Rowid of the last row inserted. */
  run(...parameters: SqlValue[]): number;
  /** The same for parameters that are a list already. */
  runList(parameters: SqlValue[]): void;
  get(...parameters: SqlValue[]): Row | undefined;
  all(...parameters: SqlValue[]): Row[];
}

/** One SQLite file. Every call is synchronous; rows come as arrays in the order of the columns. */
export interface Database {
  prepare<Row extends SqlRow>(sql: string): Statement<Row>;
  /** Everything in `work` or nothing. @throws what `work` throws, after rolling back. */
  transaction<T>(work: () => T): T;
  /** Grows when another connection has written. */
  dataVersion(): number;
  /** Writes the log back into the file and empties it. False where another connection is in the way. */
  checkpoint(): boolean;
  /** Looks at every page: about 1 ms for each megabyte. False, or an error, where the file is damaged. */
  isSound(): boolean;
  close(): void;
}

export interface DatabaseOptions {
  file: string;
  /** SQL from version n to n + 1, by index; the file's `user_version` says how many it has seen. */
  migrations: readonly string[];
  /** `full` survives a power cut; `normal` may lose the last commits then, and stays consistent. */
  durability: 'full' | 'normal';
  /** Overwrite what is deleted. */
  secureDelete?: boolean;
}

/** A newer program has written the file. */
export class NewerDatabaseError extends Error {
  override name = 'NewerDatabaseError';
}

/** How long a statement waits for a lock that another process holds. */
const busyTimeoutMs = 1000;

/** Opens the file, making it readable to its owner only where it is new. @throws {NewerDatabaseError} */
export function openDatabase({ file, migrations, durability, secureDelete }: DatabaseOptions): Database {
  makePrivateFile(file);
  const connection = new Libsql(file, { timeout: busyTimeoutMs });
  try {
    connection.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = ${durability};`);
    if (secureDelete === true) connection.exec('PRAGMA secure_delete = ON');
    migrate(connection, file, migrations);
    return new LibsqlDatabase(connection);
  } catch (error) {
    connection.close();
    throw error;
  }
}

/** There is no such file, or not in the format that is wanted. */
export class UnsuitableDatabaseError extends Error {
  override name = 'UnsuitableDatabaseError';
}

/**
 * Opens a file for reading alone, beside a process that writes it; nothing of it is changed.
 * @throws {NewerDatabaseError} @throws {UnsuitableDatabaseError}
 */
export function openDatabaseForReading(file: string, migrations: readonly string[]): Database {
  if (!existsSync(file)) throw new UnsuitableDatabaseError(`there is no file ${file}`);
  const connection = new Libsql(`${pathToFileURL(file).href}?mode=ro`, { timeout: busyTimeoutMs });
  try {
    if (formatOf(connection, file, migrations) < migrations.length) {
      throw new UnsuitableDatabaseError(`${file} has an older format: the gateway's next start will renew it`);
    }
    return new LibsqlDatabase(connection);
  } catch (error) {
    connection.close();
    throw error;
  }
}

export const isConstraintError = (error: unknown): boolean =>
  error instanceof Libsql.SqliteError && error.code.startsWith('SQLITE_CONSTRAINT');

/** The file is no database, or a damaged one. */
export const isUnusableFileError = (error: unknown): boolean =>
  error instanceof Libsql.SqliteError && /^SQLITE_(CORRUPT|NOTADB)/.test(error.code);

function makePrivateFile(file: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  closeSync(openSync(file, 'a', 0o600));
  // SQLite gives its log the same permissions as the file.
  chmodSync(file, 0o600);
}

function formatOf(connection: Libsql.Database, file: string, migrations: readonly string[]): number {
  const [version] = connection.prepare('PRAGMA user_version').raw().get() as [number];
  if (version > migrations.length) {
    throw new NewerDatabaseError(
      `${file} has format ${version}, this program knows up to ${migrations.length}: it was written by a newer version`,
    );
  }
  return version;
}

function migrate(connection: Libsql.Database, file: string, migrations: readonly string[]): void {
  const version = formatOf(connection, file, migrations);
  for (const [index, sql] of migrations.entries()) {
    if (index >= version) connection.exec(`BEGIN IMMEDIATE; ${sql}; PRAGMA user_version = ${index + 1}; COMMIT;`);
  }
}

class LibsqlDatabase implements Database {
  #connection: Libsql.Database;
  #dataVersion: Statement<[number]>;
  #checkpoint: Statement<[number, number, number]>;
  #statements: LibsqlStatement<SqlRow>[] = [];

  constructor(connection: Libsql.Database) {
    this.#connection = connection;
    this.#dataVersion = this.prepare('PRAGMA data_version');
    this.#checkpoint = this.prepare('PRAGMA wal_checkpoint(TRUNCATE)');
  }

  prepare<Row extends SqlRow>(sql: string): Statement<Row> {
    const statement = new LibsqlStatement<Row>(this.#connection.prepare<[SqlValue[]]>(sql));
    this.#statements.push(statement);
    return statement;
  }

  transaction<T>(work: () => T): T {
    this.#connection.exec('BEGIN IMMEDIATE');
    try {
      const result = work();
      this.#connection.exec('COMMIT');
      return result;
    } catch (error) {
      if (this.#connection.inTransaction) this.#connection.exec('ROLLBACK');
      throw error;
    }
  }

  dataVersion(): number {
    return this.#dataVersion.get()?.[0] ?? 0;
  }

  checkpoint(): boolean {
    return this.#checkpoint.get()?.[0] === 0;
  }

  isSound(): boolean {
    const [verdict] = this.#connection.prepare('PRAGMA quick_check(1)').raw().get() as [string];
    return verdict === 'ok';
  }

  close(): void {
    // The file alone holds everything then: it may be copied, or moved. libsql leaves the log behind.
    try {
      this.checkpoint();
    } catch {
      // Then the log still holds it, and belongs to the file.
    }
    for (const statement of this.#statements) statement.release();
    this.#connection.close();
  }
}

class LibsqlStatement<Row extends SqlRow> implements Statement<Row> {
  /** Takes its parameters as one array: that spares libsql a copy. */
  #statement: Libsql.Statement<[SqlValue[]]> | undefined;

  constructor(statement: Libsql.Statement<[SqlValue[]]>) {
    this.#statement = statement.reader ? statement.raw() : statement;
  }

  run(...parameters: SqlValue[]): number {
    return Number(this.#prepared().run(parameters).lastInsertRowid);
  }

  runList(parameters: SqlValue[]): void {
    this.#prepared().run(parameters);
  }

  get(...parameters: SqlValue[]): Row | undefined {
    return this.#prepared().get(parameters) as Row | undefined;
  }

  all(...parameters: SqlValue[]): Row[] {
    return this.#prepared().all(parameters) as Row[];
  }

  /** libsql keeps the file open for as long as a statement can be reached. */
  release(): void {
    this.#statement = undefined;
  }

  #prepared(): Libsql.Statement<[SqlValue[]]> {
    if (this.#statement === undefined) throw new Error('the database is closed');
    return this.#statement;
  }
}
