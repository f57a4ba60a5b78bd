import type { SideRow } from '../side-view.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** The windows of the counts (OS3). Each is made of buckets, so that memory is bounded. */
const activityWindows = {
  '1h': { bucketMs: minuteMs, buckets: 60 },
  '24h': { bucketMs: 10 * minuteMs, buckets: 144 },
  '7d': { bucketMs: hourMs, buckets: 168 },
} as const;
export type ActivityWindow = keyof typeof activityWindows;
const windows = Object.keys(activityWindows) as ActivityWindow[];

/** Names come from outside too: a bucket of a tenant has up to this many, and one for the rest. */
const maxNames = 40;
export const otherName = 'other';
/** By how many the connected sessions became more; it may be negative. It is counted whatever else a bucket has. */
export const connectedChange = 'connected';

/** By name. */
type Counts = Map<string, number>;

/** What was counted in a window. */
export interface Counted {
  /** Begin of the oldest bucket in it, milliseconds since 1970. */
  since: number;
  counts: Counts;
}

/** What was counted in one bucket of a window. */
export interface CountedBucket {
  /** Its begin, milliseconds since 1970. */
  at: number;
  counts: Counts;
}

const indexOf = (window: ActivityWindow, at: number): number => Math.floor(at / activityWindows[window].bucketMs);
/** Of the oldest bucket in the window: it has whole buckets, and the current one. */
const oldestAt = (window: ActivityWindow, now: number): number =>
  indexOf(window, now) - activityWindows[window].buckets;

/** The counts of one bucket, by tenant; empty: of none. */
type Bucket = Map<string, Counts>;

/** Counts by time and tenant: the more a bucket is in the past, the longer it is. */
export class ActivityBuckets {
  /** By the number of the bucket. */
  readonly #buckets: Readonly<Record<ActivityWindow, Map<number, Bucket>>> = {
    '1h': new Map(),
    '24h': new Map(),
    '7d': new Map(),
  };
  /** Keys of rows. */
  readonly #changed = new Set<string>();

  /** Replaces everything by saved rows. */
  load(rows: Iterable<readonly [key: string, value: string]>): void {
    for (const window of windows) this.#buckets[window].clear();
    this.#changed.clear();
    for (const [key, value] of rows) {
      const { window, index, tenant } = parseKey(key);
      this.#bucket(window, index).set(tenant, new Map(JSON.parse(value) as [string, number][]));
    }
  }

  /**
   * @param at when it happened; @param now both in milliseconds since 1970
   * @param tenant empty: of none
   */
  add(at: number, now: number, tenant: string, name: string, count: number): void {
    for (const window of windows) {
      const index = indexOf(window, at);
      if (index < oldestAt(window, now)) continue;
      const bucket = this.#bucket(window, index);
      const counts: Counts = bucket.get(tenant) ?? new Map();
      bucket.set(tenant, counts);
      const isNamed = name === connectedChange || counts.has(name) || counts.size < maxNames;
      const known = isNamed ? name : otherName;
      counts.set(known, (counts.get(known) ?? 0) + count);
      this.#changed.add(keyOf(window, index, tenant));
    }
  }

  /** @param tenant undefined: all */
  sum(window: ActivityWindow, now: number, tenant: string | undefined): Counted {
    const oldest = oldestAt(window, now);
    const inWindow = [...this.#buckets[window]].filter(([index]) => index >= oldest);
    const counts = sumOf(
      inWindow.map(([, bucket]) => bucket),
      tenant,
    );
    return { since: oldest * activityWindows[window].bucketMs, counts };
  }

  /** Every bucket of the window, those without counts too, the oldest first. @param tenant undefined: all */
  series(window: ActivityWindow, now: number, tenant: string | undefined): CountedBucket[] {
    const { bucketMs, buckets } = activityWindows[window];
    const oldest = oldestAt(window, now);
    return Array.from({ length: buckets + 1 }, (_, place) => {
      const bucket = this.#buckets[window].get(oldest + place);
      return { at: (oldest + place) * bucketMs, counts: sumOf(bucket === undefined ? [] : [bucket], tenant) };
    });
  }

  /** The rows that have changed; those that are in no window any more are removed. */
  *changes(now: number): Generator<SideRow> {
    for (const window of windows) this.#drop(window, oldestAt(window, now));
    for (const key of this.#changed) {
      const { window, index, tenant } = parseKey(key);
      const counts = this.#buckets[window].get(index)?.get(tenant);
      yield [key, counts && JSON.stringify([...counts])];
    }
  }

  saved(): void {
    this.#changed.clear();
  }

  #bucket(window: ActivityWindow, index: number): Bucket {
    const bucket: Bucket = this.#buckets[window].get(index) ?? new Map();
    this.#buckets[window].set(index, bucket);
    return bucket;
  }

  #drop(window: ActivityWindow, oldest: number): void {
    for (const [index, bucket] of this.#buckets[window]) {
      if (index >= oldest) continue;
      this.#buckets[window].delete(index);
      for (const tenant of bucket.keys()) this.#changed.add(keyOf(window, index, tenant));
    }
  }
}

/** @param tenant undefined: all */
function sumOf(buckets: readonly Bucket[], tenant: string | undefined): Counts {
  const sums: Counts = new Map();
  for (const bucket of buckets) {
    const wanted = tenant === undefined ? bucket.values() : [bucket.get(tenant) ?? new Map()];
    for (const counts of wanted) for (const [name, count] of counts) sums.set(name, (sums.get(name) ?? 0) + count);
  }
  return sums;
}

const keyOf = (window: ActivityWindow, index: number, tenant: string): string => `${window} ${index} ${tenant}`;

/** A tenant's name may have spaces. */
function parseKey(key: string): { window: ActivityWindow; index: number; tenant: string } {
  const [window = '', index = ''] = key.split(' ', 2);
  return {
    window: window as ActivityWindow,
    index: Number(index),
    tenant: key.slice(window.length + index.length + 2),
  };
}
