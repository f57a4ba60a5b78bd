import { describe, expect, it } from 'vitest';
import { ActivityBuckets, connectedChange, otherName } from '../../../../projections/activity/activity-buckets.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
const now = Date.UTC(2026, 0, 8, 12, 30, 30);

function withCounts(): ActivityBuckets {
  const buckets = new ActivityBuckets();
  for (const [agoMs, count] of [
    [0, 1],
    [59 * minuteMs, 2],
    [3 * hourMs, 4],
    [6 * dayMs, 8],
    [8 * dayMs, 16],
  ] as const) {
    buckets.add(now - agoMs, now, 'acme', 'sent', count);
  }
  buckets.add(now, now, '', 'sent', 32);
  return buckets;
}

describe('the counts of a window', () => {
  it('[OS3.5] are those of whole buckets and the current one', () => {
    const buckets = withCounts();
    const sumOf = (window: '1h' | '24h' | '7d', tenant?: string): number =>
      buckets.sum(window, now, tenant).counts.get('sent') ?? 0;
    expect([sumOf('1h', 'acme'), sumOf('24h', 'acme'), sumOf('7d', 'acme')]).toEqual([3, 7, 15]);
    expect([sumOf('1h', ''), sumOf('1h'), sumOf('7d')]).toEqual([32, 35, 47]);
    expect([sumOf('7d', 'nobody'), sumOf('7d', 'acm')]).toEqual([0, 0]);
    expect(new Date(buckets.sum('1h', now, undefined).since).toISOString()).toBe('2026-01-08T11:30:00.000Z');
    expect(new Date(buckets.sum('24h', now, undefined).since).toISOString()).toBe('2026-01-07T12:30:00.000Z');
    expect(new Date(buckets.sum('7d', now, undefined).since).toISOString()).toBe('2026-01-01T12:00:00.000Z');
  });

  it('[OS3.6] are the same after they were saved and loaded, for a tenant with any name', () => {
    const buckets = withCounts();
    buckets.add(now, now, 'A & B 7d 1', 'sent', 5);
    const loaded = new ActivityBuckets();
    loaded.load([...buckets.changes(now)].filter((row): row is [string, string] => row[1] !== undefined));
    for (const tenant of ['acme', '', undefined, 'A & B 7d 1']) {
      for (const window of ['1h', '24h', '7d'] as const) {
        expect(loaded.sum(window, now, tenant)).toEqual(buckets.sum(window, now, tenant));
      }
    }
    expect(loaded.sum('1h', now, 'A & B 7d 1').counts.get('sent')).toBe(5);
    expect([...loaded.changes(now)]).toEqual([]);
  });

  it('are removed when they are in no window any more: memory is bounded', () => {
    const buckets = new ActivityBuckets();
    for (let at = now; at < now + 30 * dayMs; at += 10 * minuteMs) {
      buckets.add(at, at, 'acme', 'sent', 1);
      expect([...buckets.changes(at)].length).toBeGreaterThan(0);
      buckets.saved();
    }
    const end = now + 30 * dayMs;
    const dropped = [...buckets.changes(end)].filter(([, value]) => value === undefined);
    expect(dropped.length).toBeLessThanOrEqual(3);
    expect(buckets.sum('7d', end, 'acme').counts.get('sent')).toBeLessThanOrEqual(169 * 6);
    const everything = [...buckets.changes(end + 8 * dayMs)];
    expect(everything.length).toBeLessThan(61 + 145 + 169);
    expect(everything.every(([, value]) => value === undefined)).toBe(true);
    expect(buckets.sum('7d', end, undefined).counts.size).toBe(0);
  });

  it('have a name for all beyond so many: reasons come from outside', () => {
    const buckets = new ActivityBuckets();
    for (let number = 0; number < 1_000; number += 1) buckets.add(now, now, '', `loss ${number}`, 1);
    const { counts } = buckets.sum('1h', now, undefined);
    expect([counts.size, counts.get(otherName)]).toEqual([41, 960]);
  });

  it('[OS3.8] are there part by part, for a tenant or for all, and empty parts too', () => {
    const buckets = withCounts();
    const sent = (tenant?: string): (number | undefined)[] =>
      buckets.series('1h', now, tenant).map(({ counts }) => counts.get('sent'));
    expect([sent('acme').length, sent('acme')[0], sent('acme')[1], sent('acme').at(-1)]).toEqual([61, undefined, 2, 1]);
    expect([sent().at(-1), sent('nobody').filter(Boolean)]).toEqual([33, []]);
    const [first, second] = buckets.series('24h', now, undefined);
    expect([first?.at, second?.at]).toEqual([now - dayMs - 30_000, now - dayMs - 30_000 + 10 * minuteMs]);
    expect(buckets.series('7d', now, undefined)).toHaveLength(169);
  });

  it('[OS3.8] have the changes of connected sessions, however many names there are', () => {
    const buckets = new ActivityBuckets();
    for (let number = 0; number < 100; number += 1) buckets.add(now, now, '', `loss ${number}`, 1);
    buckets.add(now, now, '', connectedChange, 2);
    buckets.add(now, now, '', connectedChange, -3);
    expect(buckets.sum('1h', now, undefined).counts.get(connectedChange)).toBe(-1);
  });
});
