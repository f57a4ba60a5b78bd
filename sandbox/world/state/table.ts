/** A change of a table: a row was put, or the row with this key was deleted. */
export type TableChange = { table: string; put: unknown } | { table: string; delete: string };

/**
 * Rows by key. All changes of a world go through `put` and `delete`, and `onChange` gets each of them: together they
 * are enough to rebuild the table. A row may be changed in place if `put` follows immediately.
 */
export class Table<Row> {
  readonly name: string;
  readonly keyOf: (row: Row) => string;
  readonly #rows = new Map<string, Row>();
  readonly #onChange: (change: TableChange) => void;
  readonly #added: (row: Row) => void;
  readonly #removed: (row: Row) => void;

  /** `index` is called when a row object is added and when it is removed, not when it is changed in place. */
  constructor(
    name: string,
    keyOf: (row: Row) => string,
    onChange: (change: TableChange) => void,
    index: { added?: (row: Row) => void; removed?: (row: Row) => void } = {},
  ) {
    this.name = name;
    this.keyOf = keyOf;
    this.#onChange = onChange;
    this.#added = index.added ?? (() => undefined);
    this.#removed = index.removed ?? (() => undefined);
  }

  get(key: string | number): Row | undefined {
    return this.#rows.get(String(key));
  }

  values(): IterableIterator<Row> {
    return this.#rows.values();
  }

  get size(): number {
    return this.#rows.size;
  }

  put(row: Row): Row {
    const key = this.keyOf(row);
    const known = this.#rows.get(key);
    if (known && known !== row) this.#removed(known);
    this.#rows.set(key, row);
    if (known !== row) this.#added(row);
    this.#onChange({ table: this.name, put: row });
    return row;
  }

  delete(key: string | number): void {
    const row = this.#rows.get(String(key));
    if (!row) return;
    this.#rows.delete(String(key));
    this.#removed(row);
    this.#onChange({ table: this.name, delete: String(key) });
  }

  /** Removes all rows without reporting a change. The caller clears the indexes and the journal itself. */
  clear(): void {
    this.#rows.clear();
  }
}
