import type { TakenTogether } from './owned-part.ts';

/** Of a store, for ever: which partition a session is in never changes. */
export const partitionCount = 64;

/**
 * The partition of a session's ID, or of another text that belongs to one owner: an external ID, the ID of a webhook.
 * @returns 0 to 63
 */
export const partitionOf = (text: string): number => hashOf(text) % partitionCount;

/**
 * 32 bits of a text: FNV-1a over its UTF-16 code units (https://datatracker.ietf.org/doc/html/draft-eastlake-fnv), then
 * the finalizer of MurmurHash3, because the low bits of FNV alone are not spread well enough. Every version and every node
 * must compute the same.
 */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** Partitions by number. A removal is seen by all code that holds the set. */
export class PartitionSet implements TakenTogether {
  readonly #numbers: Set<number>;
  readonly #emptied = new AbortController();

  constructor(numbers: Iterable<number>) {
    this.#numbers = new Set(numbers);
  }

  has(text: string): boolean {
    return this.#numbers.has(partitionOf(text));
  }

  get numbers(): readonly number[] {
    return [...this.#numbers];
  }

  get emptied(): AbortSignal {
    return this.#emptied.signal;
  }

  /** @returns whether it was in it */
  remove(partition: number): boolean {
    const wasThere = this.#numbers.delete(partition);
    if (wasThere && this.#numbers.size === 0) this.#emptied.abort();
    return wasThere;
  }
}
