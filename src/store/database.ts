import { chmodSync, closeSync, existsSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import Libsql from 'libsql';

export type SqlValue = string | number | null;
export type SqlRow = readonly SqlValue[];

export interface Statement<Row extends SqlRow> {
  /** Returns the rowid of the last inserted row. */
  run(...parameters: SqlValue[]): number;
  /** As `run`, for parameters that are in an array. */
  runList(parameters: SqlValue[]): void;
  get(...parameters: SqlValue[]): Row | undefined;
  all(...parameters: SqlValue[]): Row[];
}

/** One SQLite file. A damaged file is reported by {@link DamagedDatabaseError}. Every call is synchronous; rows come as arrays in the order of the columns. */
export interface Database {
  prepare<Row extends SqlRow>(sql: string): Statement<Row>;
  /** Commits what `work` writes. @throws what `work` throws, after a rollback. */
  transaction<T>(work: () => T): T;
  /** Changes when another connection has written. */
  dataVersion(): number;
  /** Writes the log back into the file and empties it. False, at once, if another connection prevents that. */
  checkpoint(): boolean;
  /**
   * Checks every page, about 1 ms for each megabyte; `whole` also compares the indices with the tables.
   * @returns what is wrong first; undefined if nothing is
   */
  findFault(depth?: 'pages' | 'whole'): string | undefined;
  close(): void;
}

export interface DatabaseOptions {
  file: string;
  /** SQL from version n to n + 1, by index. The file's `user_version` is the number that has run. */
  migrations: readonly string[];
  /** `full` survives a power cut; `normal` may then lose the last commits, and stays consistent. */
  durability: 'full' | 'normal';
  /** Overwrite deleted content with zeros. */
  secureDelete?: boolean;
}

/** A newer version of this program has written the file. */
export class NewerDatabaseError extends Error {
  override name = 'NewerDatabaseError';
}

/** How long a statement waits for a lock that another process holds. */
const busyTimeoutMs = 1000;

/** The file is damaged, or no database. */
export class DamagedDatabaseError extends Error {
  override name = 'DamagedDatabaseError';
  readonly file: string;

  constructor(file: string, fault: string, options?: { cause: unknown }) {
    super(
      `${file} is damaged (${fault}): restore it from a backup, or save what can be read with the command .recover of sqlite3`,
      options,
    );
    this.file = file;
  }
}

export type OnDamaged = (error: DamagedDatabaseError) => void;

/**
 * Opens the file, readable to its owner only, and creates it if it does not exist.
 * @throws {NewerDatabaseError} @throws {DamagedDatabaseError}
 */
export function openDatabase({ file, migrations, durability, secureDelete }: DatabaseOptions): Database {
  makePrivateFile(file);
  const connection = connect(file, file);
  try {
    connection.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = ${durability};`);
    if (secureDelete === true) connection.exec('PRAGMA secure_delete = ON');
    migrate(connection, file, migrations);
    return new LibsqlDatabase(connection, file);
  } catch (error) {
    connection.close();
    throw explained(error, file);
  }
}

/** The file does not exist, or has an older format. */
export class UnsuitableDatabaseError extends Error {
  override name = 'UnsuitableDatabaseError';
}

/**
 * Opens a file read-only; another process may be writing it.
 * @param oldestFormat that the caller can read
 * @throws {NewerDatabaseError} @throws {UnsuitableDatabaseError} @throws {DamagedDatabaseError}
 */
export function openDatabaseForReading(
  file: string,
  migrations: readonly string[],
  oldestFormat = migrations.length,
): Database {
  if (!existsSync(file)) throw new UnsuitableDatabaseError(`there is no file ${file}`);
  const connection = connect(`${pathToFileURL(file).href}?mode=ro`, file);
  try {
    if (formatOf(connection, file, migrations) < oldestFormat) {
      throw new UnsuitableDatabaseError(`${file} has an older format: the gateway's next start will renew it`);
    }
    return new LibsqlDatabase(connection, file);
  } catch (error) {
    connection.close();
    throw explained(error, file);
  }
}

/** How long a copy waits for a lock of a gateway that writes. */
const copyBusyMs = 10_000;

/**
 * Copies a file as it is at one moment, while another process may be writing it, and checks the copy, which its owner
 * alone may read. What was deleted before is not in the copy.
 * @param target must not exist
 * @throws {DamagedDatabaseError} names the file that is damaged
 */
export function copyDatabase(file: string, target: string): void {
  const connection = connect(`${pathToFileURL(file).href}?mode=ro`, file, copyBusyMs);
  try {
    connection.prepare('VACUUM INTO ?').run([target]);
  } catch (error) {
    throw explained(error, file);
  } finally {
    connection.close();
  }
  chmodSync(target, 0o600);
  const copy = new LibsqlDatabase(connect(target, target), target);
  try {
    const fault = copy.findFault('whole');
    if (fault !== undefined) throw new DamagedDatabaseError(target, fault);
  } finally {
    copy.close();
  }
}

export const isConstraintError = (error: unknown): boolean =>
  error instanceof Libsql.SqliteError && error.code.startsWith('SQLITE_CONSTRAINT');

/** Says of SQLite's error that the file is damaged; every other error stays as it is. */
function explained(error: unknown, file: string): unknown {
  const isDamage = error instanceof Libsql.SqliteError && /^SQLITE_(CORRUPT|NOTADB)/.test(error.code);
  return isDamage ? new DamagedDatabaseError(file, error.message, { cause: error }) : error;
}

function connect(name: string, file: string, timeout = busyTimeoutMs): Libsql.Database {
  try {
    return new Libsql(name, { timeout });
  } catch (error) {
    throw explained(error, file);
  }
}

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
  #file: string;
  #dataVersion: Statement<[number]>;
  #checkpoint: Statement<[number, number, number]>;
  #statements: LibsqlStatement<SqlRow>[] = [];

  constructor(connection: Libsql.Database, file: string) {
    this.#connection = connection;
    this.#file = file;
    this.#dataVersion = this.prepare('PRAGMA data_version');
    this.#checkpoint = this.prepare('PRAGMA wal_checkpoint(TRUNCATE)');
  }

  prepare<Row extends SqlRow>(sql: string): Statement<Row> {
    const statement = new LibsqlStatement<Row>(this.#connection.prepare<[SqlValue[]]>(sql), this.#file);
    this.#statements.push(statement);
    return statement;
  }

  transaction<T>(work: () => T): T {
    try {
      this.#connection.exec('BEGIN IMMEDIATE');
      const result = work();
      this.#connection.exec('COMMIT');
      return result;
    } catch (error) {
      if (this.#connection.inTransaction) this.#connection.exec('ROLLBACK');
      throw explained(error, this.#file);
    }
  }

  dataVersion(): number {
    return this.#dataVersion.get()?.[0] ?? 0;
  }

  checkpoint(): boolean {
    // It would block the event loop while another connection reads.
    this.#connection.exec('PRAGMA busy_timeout = 0');
    try {
      return this.#checkpoint.get()?.[0] === 0;
    } finally {
      this.#connection.exec(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
    }
  }

  findFault(depth: 'pages' | 'whole' = 'pages'): string | undefined {
    try {
      const check = depth === 'whole' ? 'integrity_check' : 'quick_check';
      const [verdict] = this.#connection.prepare(`PRAGMA ${check}(1)`).raw().get() as [string];
      // Some verdicts have a heading in a line of its own.
      return verdict === 'ok' ? undefined : verdict.split('\n').at(-1);
    } catch (error) {
      if (explained(error, this.#file) instanceof DamagedDatabaseError) return (error as Error).message;
      throw error;
    }
  }

  close(): void {
    // After it the file can be copied or moved alone. libsql does not remove the log.
    try {
      this.checkpoint();
    } catch {
      // The log still holds the last commits, and belongs to the file.
    }
    for (const statement of this.#statements) statement.release();
    this.#connection.close();
  }
}

class LibsqlStatement<Row extends SqlRow> implements Statement<Row> {
  /** Takes its parameters as one array: libsql then makes no copy. */
  #statement: Libsql.Statement<[SqlValue[]]> | undefined;

  readonly #file: string;

  constructor(statement: Libsql.Statement<[SqlValue[]]>, file: string) {
    this.#statement = statement.reader ? statement.raw() : statement;
    this.#file = file;
  }

  run(...parameters: SqlValue[]): number {
    return Number(this.#run((statement) => statement.run(parameters)).lastInsertRowid);
  }

  runList(parameters: SqlValue[]): void {
    this.#run((statement) => statement.run(parameters));
  }

  get(...parameters: SqlValue[]): Row | undefined {
    return this.#run((statement) => statement.get(parameters)) as Row | undefined;
  }

  all(...parameters: SqlValue[]): Row[] {
    return this.#run((statement) => statement.all(parameters)) as Row[];
  }

  /** libsql keeps the file open while a statement is reachable. */
  release(): void {
    this.#statement = undefined;
  }

  #run<T>(use: (statement: Libsql.Statement<[SqlValue[]]>) => T): T {
    if (this.#statement === undefined) throw new Error('the database is closed');
    try {
      return use(this.#statement);
    } catch (error) {
      throw explained(error, this.#file);
    }
  }
}
