import { encodeRow, Journal } from './journal-file.ts';
import type { Change } from './table.ts';
import type { Tables } from './tables.ts';

/** The journal of a world that begins with a seed: it holds what differs from it. */
export class SeededJournal {
  readonly #journal: Journal;
  readonly #tables: Tables;
  /** The rows of the seed, by key, until writing is started. */
  readonly #seeded = new Map<string, string>();

  constructor(folder: string, tables: Tables) {
    this.#journal = new Journal(folder);
    this.#tables = tables;
  }

  /** Makes of the seeded tables what they were when the journal was last written. */
  replay(): void {
    for (const { key, row } of this.#everyRow()) this.#seeded.set(key, encodeRow(row));
    for (const change of this.#journal.read()) this.#apply(change);
  }

  /** From here on changes are written down; what is there already, as far as it differs from the seed. */
  start(): void {
    this.#begin(this.#differences());
    this.#seeded.clear();
  }

  /** Nothing is written down until it is begun again. */
  pause(): void {
    this.#tables.onChange = undefined;
  }

  /** The tables hold the seed alone again: from here on. */
  restart(): void {
    this.#begin([]);
  }

  flush(): void {
    this.#journal.flush();
  }

  close(): void {
    this.pause();
    this.#journal.close();
  }

  #begin(changes: Iterable<Change>): void {
    this.#journal.rewrite(changes);
    this.#tables.onChange = (change) => this.#journal.add(change);
  }

  *#everyRow(): Generator<{ key: string; table: string; row: unknown }> {
    for (const table of this.#tables.all) {
      for (const row of table.values()) yield { key: `${table.name}:${table.keyOf(row)}`, table: table.name, row };
    }
  }

  *#differences(): Generator<Change> {
    const left = new Set(this.#seeded.keys());
    for (const { key, table, row } of this.#everyRow()) {
      left.delete(key);
      if (this.#seeded.get(key) !== encodeRow(row)) yield { table, put: row };
    }
    for (const key of left) {
      const colon = key.indexOf(':');
      yield { table: key.slice(0, colon), delete: key.slice(colon + 1) };
    }
  }

  #apply(change: Change): void {
    const table = this.#tables.all.find(({ name }) => name === change.table);
    if (!table) return;
    if ('put' in change) table.put(change.put as never);
    else table.delete(change.delete);
  }
}
