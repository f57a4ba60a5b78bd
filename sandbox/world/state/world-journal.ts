import { JournalFile } from './journal-file.ts';
import { encodeRow } from './row-json.ts';
import type { TableChange } from './table.ts';
import type { Tables } from './tables.ts';

/** Stores the tables of a seeded world: the file holds only what differs from the seed. */
export class WorldJournal {
  readonly #file: JournalFile;
  readonly #tables: Tables;
  /** The encoded rows of the seed by table and key; empty after `start`. */
  readonly #seedRows = new Map<string, string>();

  constructor(folder: string, tables: Tables) {
    this.#file = new JournalFile(folder);
    this.#tables = tables;
  }

  /** Applies the stored changes to the seeded tables. Writes nothing. */
  replay(): void {
    for (const { key, row } of this.#allRows()) this.#seedRows.set(key, encodeRow(row));
    for (const change of this.#file.read()) this.#apply(change);
  }

  /** Rewrites the file with the differences from the seed, and records all changes from now on. */
  start(): void {
    this.#record(this.#differences());
    this.#seedRows.clear();
  }

  /** Stops recording until `restart`. */
  pause(): void {
    this.#tables.onChange = undefined;
  }

  /** Empties the file and records from now on: the tables hold only the seed again. */
  restart(): void {
    this.#record([]);
  }

  flush(): void {
    this.#file.flush();
  }

  close(): void {
    this.pause();
    this.#file.close();
  }

  #record(changes: Iterable<TableChange>): void {
    this.#file.rewrite(changes);
    this.#tables.onChange = (change) => this.#file.add(change);
  }

  *#allRows(): Generator<{ key: string; table: string; row: unknown }> {
    for (const table of this.#tables.all) {
      for (const row of table.values()) yield { key: `${table.name}:${table.keyOf(row)}`, table: table.name, row };
    }
  }

  *#differences(): Generator<TableChange> {
    const deleted = new Set(this.#seedRows.keys());
    for (const { key, table, row } of this.#allRows()) {
      deleted.delete(key);
      if (this.#seedRows.get(key) !== encodeRow(row)) yield { table, put: row };
    }
    for (const key of deleted) {
      const colon = key.indexOf(':');
      yield { table: key.slice(0, colon), delete: key.slice(colon + 1) };
    }
  }

  #apply(change: TableChange): void {
    const table = this.#tables.all.find(({ name }) => name === change.table);
    if (!table) return;
    if ('put' in change) table.put(change.put as never);
    else table.delete(change.delete);
  }
}
