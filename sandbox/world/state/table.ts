/** A table's changes, as the journal writes them: a row put, or the key of a row deleted. */
export type Change = { table: string; put: unknown } | { table: string; delete: string };

/**
 * Rows by key. `put` and `delete` are the only ways to change a world: what they tell the watcher is enough to make it
 * again. A row may be changed in place, if `put` follows at once.
 */
export class Table<Row> {
  readonly name: string;
  readonly keyOf: (row: Row) => string;
  readonly #rows = new Map<string, Row>();
  readonly #watch: (change: Change) => void;
  readonly #added: (row: Row) => void;
  readonly #removed: (row: Row) => void;

  /** `added` and `removed` keep indexes: called when a key comes and when it goes, not when its row changes. */
  constructor(
    name: string,
    keyOf: (row: Row) => string,
    watch: (change: Change) => void,
    index: { added?: (row: Row) => void; removed?: (row: Row) => void } = {},
  ) {
    this.name = name;
    this.keyOf = keyOf;
    this.#watch = watch;
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
    this.#watch({ table: this.name, put: row });
    return row;
  }

  delete(key: string | number): void {
    const row = this.#rows.get(String(key));
    if (!row) return;
    this.#rows.delete(String(key));
    this.#removed(row);
    this.#watch({ table: this.name, delete: String(key) });
  }

  /** Forgets every row, untold: the watcher starts again as well. */
  clear(): void {
    this.#rows.clear();
  }
}
