import type { SideTable } from '../../../projections/side-view.ts';
import type { Database, Statement } from '../database.ts';

type Row = [key: string, value: string];

/** The rows of side views, by their names. */
export class SideRows {
  readonly #all: Statement<Row>;
  readonly #get: Statement<[value: string]>;
  readonly #range: Statement<Row>;
  readonly #rangeOfTenant: Statement<Row>;
  readonly #put: Statement<[]>;
  readonly #remove: Statement<[]>;

  constructor(database: Database) {
    const range = 'SELECT key, value FROM side_rows WHERE name = ? AND key > ? AND key < ?';
    this.#all = database.prepare('SELECT key, value FROM side_rows WHERE name = ?');
    this.#get = database.prepare('SELECT value FROM side_rows WHERE name = ? AND key = ?');
    this.#range = database.prepare(`${range} ORDER BY key LIMIT ?`);
    this.#rangeOfTenant = database.prepare(`${range} AND json_extract(value, '$.tenant') = ? ORDER BY key LIMIT ?`);
    this.#put = database.prepare('REPLACE INTO side_rows (name, key, value) VALUES (?, ?, ?)');
    this.#remove = database.prepare('DELETE FROM side_rows WHERE name = ? AND key = ?');
  }

  table(name: string): SideTable {
    return {
      rows: () => this.#all.all(name),
      get: (key) => this.#get.get(name, key)?.[0],
      range: ({ after, before, limit, tenant }) =>
        tenant === undefined
          ? this.#range.all(name, after, before, limit)
          : this.#rangeOfTenant.all(name, after, before, tenant, limit),
    };
  }

  /** @param value undefined: the row is removed */
  put(name: string, key: string, value: string | undefined): void {
    if (value === undefined) this.#remove.run(name, key);
    else this.#put.run(name, key, value);
  }
}
