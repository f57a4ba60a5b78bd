import type { SideRow } from '../side-view.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** The windows of the counts (OS3). Each is made of buckets, so that memory is bounded. */
export const activityWindows = {
  '1h': { bucketMs: minuteMs, buckets: 60 },
  '24h': { bucketMs: 10 * minuteMs, buckets: 144 },
  '7d': { bucketMs: hourMs, buckets: 168 },
} as const;
export type ActivityWindow = keyof typeof activityWindows;
const windows = Object.keys(activityWindows) as ActivityWindow[];

/** Names come from outside too: a bucket of a tenant has up to this many, and one for the rest. */
const maxNames = 40;
export const otherName = 'other';

/** By name. */
export type Counts = Map<string, number>;

/** What was counted in a window. */
export interface Counted {
  /** Begin of the oldest bucket in it, milliseconds since 1970. */
  since: number;
  counts: Counts;
}

const indexOf = (window: ActivityWindow, at: number): number => Math.floor(at / activityWindows[window].bucketMs);
/** Of the oldest bucket in the window: it has whole buckets, and the current one. */
const oldestAt = (window: ActivityWindow, now: number): number =>
  indexOf(window, now) - activityWindows[window].buckets;

/** Counts by time and tenant: the more a bucket is in the past, the longer it is. */
export class ActivityBuckets {
  /** By the key of the row. */
  readonly #buckets = new Map<string, Counts>();
  readonly #changed = new Set<string>();

  /** Replaces everything by saved rows. */
  load(rows: Iterable<readonly [key: string, value: string]>): void {
    this.#buckets.clear();
    this.#changed.clear();
    for (const [key, value] of rows) this.#buckets.set(key, new Map(JSON.parse(value) as [string, number][]));
  }

  /**
   * @param at when it happened; @param now both in milliseconds since 1970
   * @param tenant empty: of none
   */
  add(at: number, now: number, tenant: string, name: string, count: number): void {
    for (const window of windows) {
      const index = indexOf(window, at);
      if (index < oldestAt(window, now)) continue;
      const key = `${window} ${index} ${tenant}`;
      const counts = this.#buckets.get(key) ?? new Map<string, number>();
      const known = counts.has(name) || counts.size < maxNames ? name : otherName;
      counts.set(known, (counts.get(known) ?? 0) + count);
      this.#buckets.set(key, counts);
      this.#changed.add(key);
    }
  }

  /** @param tenant undefined: all */
  sum(window: ActivityWindow, now: number, tenant: string | undefined): Counted {
    const oldest = oldestAt(window, now);
    const counts: Counts = new Map();
    for (const [key, bucket] of this.#buckets) {
      const row = parseKey(key);
      if (row.window !== window || row.index < oldest || (tenant !== undefined && row.tenant !== tenant)) continue;
      for (const [name, count] of bucket) counts.set(name, (counts.get(name) ?? 0) + count);
    }
    return { since: oldest * activityWindows[window].bucketMs, counts };
  }

  /** The rows that have changed; those that are in no window any more are removed. */
  *changes(now: number): Generator<SideRow> {
    for (const key of this.#buckets.keys()) {
      const { window, index } = parseKey(key);
      if (index >= oldestAt(window, now)) continue;
      this.#buckets.delete(key);
      this.#changed.add(key);
    }
    for (const key of this.#changed) {
      const counts = this.#buckets.get(key);
      yield [key, counts && JSON.stringify([...counts])];
    }
  }

  saved(): void {
    this.#changed.clear();
  }
}

/** A tenant's name may have spaces. */
function parseKey(key: string): { window: ActivityWindow; index: number; tenant: string } {
  const [window = '', index = ''] = key.split(' ', 2);
  return {
    window: window as ActivityWindow,
    index: Number(index),
    tenant: key.slice(window.length + index.length + 2),
  };
}
