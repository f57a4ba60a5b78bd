import { KeyedQueue } from '../../../actors/kit/keyed-queue.ts';
import type { Clock, TimerHandle } from '../../../actors/ports/clock.ts';
import { FileStore, type StoredFile } from './file-store.ts';

export interface DiskCacheOptions {
  /** Created if it does not exist. It must hold nothing else. */
  folder: string;
  /** Beyond this size, the least recently opened entries are removed. */
  maxBytes: number;
  clock: Clock;
  log: { warn(fields: object, message: string): void };
}

/** Lifetime of an entry since it was last opened. */
const keptMs = 60 * 60_000;
/** Minimum interval of writing the time of the last opening: a restart loses at most this much of it. */
const noteMs = 30_000;

interface Entry {
  file: StoredFile;
  /** By the clock's `elapsed()`; negative if an earlier process opened it. */
  openedAt: number;
  /** The `openedAt` on the disk, where it stands as milliseconds since 1970. */
  notedAt: number;
}

/**
 * Bytes under names (letters, digits, `-` and `_`), in groups, kept for an hour since they were last opened, within a
 * size, and across a restart. A failing disk is no error here: the cache then keeps less.
 */
export class DiskCache {
  readonly #options: DiskCacheOptions;
  readonly #files: FileStore;
  /** By group and name, least recently opened first. */
  readonly #entries = new Map<string, Entry>();
  /** Groups that were removed, and when, by the clock's `elapsed()`: entries in flight for them are not kept. */
  readonly #forgotten = new Map<string, number>();
  #bytes = 0;
  #expiry: TimerHandle | undefined;
  /** Changes of the disk in flight, in the order of the calls for each name. */
  readonly #changes = new KeyedQueue();
  readonly #writes = new Set<Promise<void>>();
  #closed = false;

  private constructor(options: DiskCacheOptions) {
    this.#options = options;
    this.#files = new FileStore(options.folder);
  }

  /** Loads the entries of an earlier process. @throws the disk's error */
  static async open(options: DiskCacheOptions): Promise<DiskCache> {
    const cache = new DiskCache(options);
    await cache.#load();
    return cache;
  }

  has(group: string, name: string): boolean {
    return this.#find(keyOf(group, name)) !== undefined;
  }

  /** The bytes; undefined if they are not cached. Counts as an opening. */
  async read(group: string, name: string): Promise<Buffer | undefined> {
    const key = keyOf(group, name);
    const entry = this.#find(key);
    if (entry === undefined) return undefined;
    this.#noteOpening(key, entry);
    const bytes = await this.#files.read(entry.file);
    if (bytes === undefined) this.#drop(key, entry);
    return bytes;
  }

  /** Stores the bytes, replacing existing ones. */
  async write(group: string, name: string, bytes: Buffer): Promise<void> {
    const written = this.#write(group, name, bytes).finally(() => this.#writes.delete(written));
    this.#writes.add(written);
    await written;
  }

  remove(group: string, name: string): void {
    const key = keyOf(group, name);
    const entry = this.#entries.get(key);
    if (entry !== undefined) this.#drop(key, entry);
  }

  /** Removes a group for good. Resolves when nothing of it is on the disk. @throws the disk's error */
  async forget(group: string): Promise<void> {
    this.#forgotten.set(group, this.#options.clock.elapsed());
    for (const [key, entry] of this.#entries) {
      if (entry.file.group === group) this.#forget(key, entry);
    }
    this.#awaitExpiry();
    await Promise.all(this.#writes);
    await this.#files.removeGroup(group);
  }

  /** The names of the groups that have entries. */
  get groups(): Iterable<string> {
    return new Set(Array.from(this.#entries.values(), ({ file }) => file.group));
  }

  /** The size of all entries in bytes. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Resolves when all changes in flight are done. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#awaitExpiry();
    await Promise.all(this.#writes);
    await this.#changes.idle();
  }

  async #write(group: string, name: string, bytes: Buffer): Promise<void> {
    if (this.#forgotten.has(group)) return;
    const { clock } = this.#options;
    const now = clock.elapsed();
    const entry: Entry = { file: { group, name, bytes: bytes.length }, openedAt: now, notedAt: now };
    const key = keyOf(group, name);
    try {
      // A file of the same name may be about to be removed.
      await this.#changes.ended(key);
      await this.#files.write(entry.file, bytes, clock.now());
    } catch (err) {
      this.#options.log.warn({ err }, 'media could not be kept');
      return;
    }
    if (this.#forgotten.has(group)) {
      this.#remove(key, entry);
      return;
    }
    const before = this.#entries.get(key);
    if (before !== undefined) this.#forget(key, before);
    if (before !== undefined && before.file.bytes !== bytes.length) this.#remove(key, before);
    this.#entries.set(key, entry);
    this.#bytes += bytes.length;
    this.#makeRoom();
    this.#awaitExpiry();
  }

  async #load(): Promise<void> {
    const { clock } = this.#options;
    const found = await this.#files.find();
    for (const { file, openedAt } of found.toSorted((a, b) => a.openedAt - b.openedAt)) {
      // A wall clock that was set back must not keep entries longer.
      const at = clock.elapsed() - Math.max(0, clock.now() - openedAt);
      this.#entries.set(keyOf(file.group, file.name), { file, openedAt: at, notedAt: at });
      this.#bytes += file.bytes;
    }
    this.#expire();
    this.#makeRoom();
  }

  #find(key: string): Entry | undefined {
    const entry = this.#entries.get(key);
    return entry !== undefined && entry.openedAt + keptMs > this.#options.clock.elapsed() ? entry : undefined;
  }

  #noteOpening(key: string, entry: Entry): void {
    const { clock } = this.#options;
    entry.openedAt = clock.elapsed();
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    if (entry.openedAt - entry.notedAt < noteMs) return;
    entry.notedAt = entry.openedAt;
    const openedAt = clock.now();
    void this.#changes.run(key, () => this.#files.noteOpening(entry.file, openedAt));
  }

  #makeRoom(): void {
    for (const [key, entry] of this.#entries) {
      if (this.#bytes <= this.#options.maxBytes) break;
      this.#drop(key, entry);
    }
  }

  #expire(): void {
    const gone = this.#options.clock.elapsed() - keptMs;
    for (const [key, entry] of this.#entries) {
      if (entry.openedAt > gone) break;
      this.#drop(key, entry);
    }
    for (const [group, at] of this.#forgotten) {
      if (at > gone) break;
      this.#forgotten.delete(group);
    }
    this.#awaitExpiry();
  }

  /** One timer, for the entry that expires first. */
  #awaitExpiry(): void {
    const { clock } = this.#options;
    if (this.#expiry !== undefined) clock.clearTimeout(this.#expiry);
    this.#expiry = undefined;
    const [first] = this.#entries.values();
    const [forgottenAt] = this.#forgotten.values();
    const oldest = Math.min(first?.openedAt ?? Infinity, forgottenAt ?? Infinity);
    if (oldest === Infinity || this.#closed) return;
    this.#expiry = clock.setTimeout(() => this.#expire(), Math.max(0, oldest + keptMs - clock.elapsed()));
  }

  #drop(key: string, entry: Entry): void {
    if (this.#entries.get(key) === entry) this.#forget(key, entry);
    this.#remove(key, entry);
  }

  #forget(key: string, entry: Entry): void {
    this.#entries.delete(key);
    this.#bytes -= entry.file.bytes;
  }

  #remove(key: string, { file }: Entry): void {
    void this.#changes.run(key, () => this.#files.remove(file));
  }
}

const keyOf = (group: string, name: string): string => `${group}/${name}`;
