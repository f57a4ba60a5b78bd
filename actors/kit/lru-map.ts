/**
 * A map that keeps the `max` entries used last. Each session has several, mostly small ones: a `Map` takes 160 bytes
 * empty and 50 an entry, an `lru-cache` 1,500 and 100, and room for `max` entries from the start.
 */
export class LruMap<K, V> {
  /** The entry used longest ago first. */
  readonly #entries = new Map<K, V>();
  readonly #max: number;

  constructor(max: number) {
    this.#max = max;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** Counts as a use. */
  get(key: K): V | undefined {
    const value = this.#entries.get(key);
    if (value !== undefined) this.#moveToEnd(key, value);
    return value;
  }

  /** Does not count as a use. */
  peek(key: K): V | undefined {
    return this.#entries.get(key);
  }

  /** Does not count as a use. */
  has(key: K): boolean {
    return this.#entries.has(key);
  }

  /** Counts as a use. Over `max` entries, the one used longest ago is dropped. */
  set(key: K, value: V): void {
    this.#moveToEnd(key, value);
    if (this.#entries.size <= this.#max) return;
    const [oldest] = this.#entries.keys();
    this.#entries.delete(oldest as K);
  }

  delete(key: K): void {
    this.#entries.delete(key);
  }

  clear(): void {
    this.#entries.clear();
  }

  /** The one used longest ago first. */
  entries(): IterableIterator<[K, V]> {
    return this.#entries.entries();
  }

  /** In the same order. */
  keys(): IterableIterator<K> {
    return this.#entries.keys();
  }

  /** In the same order. */
  values(): IterableIterator<V> {
    return this.#entries.values();
  }

  #moveToEnd(key: K, value: V): void {
    this.#entries.delete(key);
    this.#entries.set(key, value);
  }
}
