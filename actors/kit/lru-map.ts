/** Instead of an own `Map`, until the first entry is set. */
const none = new Map<never, never>();

/**
 * A map that keeps the `max` entries used last. Each session has several, mostly small or empty ones: a `Map` takes 180
 * bytes empty and 50 an entry, an `lru-cache` 1,500 and 100, and room for `max` entries from the start.
 */
export class LruMap<K, V> {
  /** The entry used longest ago first. */
  #entries: Map<K, V> | undefined;
  readonly #max: number;

  constructor(max: number) {
    this.#max = max;
  }

  get size(): number {
    return this.#entries?.size ?? 0;
  }

  /** Counts as a use. */
  get(key: K): V | undefined {
    const value = this.#entries?.get(key);
    if (value !== undefined) this.#moveToEnd(key, value);
    return value;
  }

  /** Does not count as a use. */
  peek(key: K): V | undefined {
    return this.#entries?.get(key);
  }

  /** Does not count as a use. */
  has(key: K): boolean {
    return this.#entries?.has(key) ?? false;
  }

  /** Counts as a use. Over `max` entries, the one used longest ago is dropped. */
  set(key: K, value: V): void {
    const entries = this.#moveToEnd(key, value);
    if (entries.size <= this.#max) return;
    const [oldest] = entries.keys();
    entries.delete(oldest as K);
  }

  delete(key: K): void {
    this.#entries?.delete(key);
  }

  clear(): void {
    this.#entries?.clear();
  }

  /** The one used longest ago first. */
  entries(): IterableIterator<[K, V]> {
    return (this.#entries ?? none).entries();
  }

  /** In the same order. */
  keys(): IterableIterator<K> {
    return (this.#entries ?? none).keys();
  }

  /** In the same order. */
  values(): IterableIterator<V> {
    return (this.#entries ?? none).values();
  }

  #moveToEnd(key: K, value: V): Map<K, V> {
    this.#entries ??= new Map();
    this.#entries.delete(key);
    return this.#entries.set(key, value);
  }
}
