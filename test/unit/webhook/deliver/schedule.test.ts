import { describe, expect, it } from 'vitest';
import { nextAttemptAt, parseRetryAfter, patienceMs } from '../../../../src/webhook/deliver/retry-schedule.ts';
import { addParked, countParked, cutParked, nextParked, parkedReason } from '../../../../src/webhook/stream/parked.ts';
import { addSeq, type SeqRange } from '../../../../src/webhook/stream/seq-ranges.ts';

const hourMs = 3_600_000;

describe('the schedule', () => {
  const failure = { now: 0, attempts: 1, deadline: patienceMs, retryAfterMs: undefined, fraction: 0.5 };

  it('[WH4.2] is 5 s, 15 s, 30 s, 1 m, 2 m, 5 m, 10 m, 30 m, then hourly', () => {
    const delays = Array.from({ length: 12 }, (_, index) => nextAttemptAt({ ...failure, attempts: index + 1 }));
    const seconds = [5, 15, 30, 60, 120, 300, 600, 1800, 3600, 3600, 3600, 3600];
    expect(delays).toEqual(seconds.map((delay) => delay * 1000));
  });

  it('[WH4.2] varies by a fifth', () => {
    expect(nextAttemptAt({ ...failure, fraction: 0 })).toBe(4_000);
    expect(nextAttemptAt({ ...failure, fraction: 1 })).toBe(6_000);
  });

  it('[WH4.2] never asks sooner than Retry-After, up to an hour, tries once more at the deadline, and not after it', () => {
    expect(nextAttemptAt({ ...failure, retryAfterMs: 60_000 })).toBe(60_000);
    expect(nextAttemptAt({ ...failure, retryAfterMs: 1 })).toBe(5_000);
    expect(nextAttemptAt({ ...failure, retryAfterMs: 10 * patienceMs })).toBe(hourMs);
    expect(nextAttemptAt({ ...failure, retryAfterMs: hourMs, now: patienceMs - 1 })).toBe(patienceMs);
    expect(nextAttemptAt({ ...failure, now: patienceMs - 1, attempts: 30 })).toBe(patienceMs);
    expect(nextAttemptAt({ ...failure, now: patienceMs })).toBeUndefined();
  });

  it.each([
    ['120', 120_000],
    [' 5 ', 5_000],
    ['Thu, 01 Jan 1970 00:02:00 GMT', 60_000],
    ['Thu, 01 Jan 1970 00:00:00 GMT', 0],
    ['soon', undefined],
    ['3600,', undefined],
    ['-5', undefined],
    ['1.5', undefined],
    ['Thu, 32 Jan 1970 00:02:00 GMT', undefined],
    [undefined, undefined],
  ])('[WH4.2] reads the Retry-After %s', (header, ms) => {
    expect(parseRetryAfter(header, 60_000)).toBe(ms);
  });
});

describe('what is parked', () => {
  it('[WH4.1] is one range where numbers follow one another, in whatever order they come', () => {
    let ranges: SeqRange[] = [];
    for (const seq of [5, 1, 3, 2, 9, 4, 8]) ranges = addSeq(ranges, seq);
    expect(ranges).toEqual([
      [1, 5],
      [8, 9],
    ]);
    expect(addSeq(ranges, 3)).toEqual(ranges);
  });

  it('[WH4.2] is known by its reason, counted, and cut where it is sent again', () => {
    let parked = addParked([], 'one', 1);
    for (const seq of [2, 5, 6]) parked = addParked(parked, 'one', seq);
    parked = addParked(parked, 'other', 4);
    expect([1, 3, 4, 6].map((seq) => parkedReason(parked, seq))).toEqual(['one', undefined, 'other', 'one']);
    expect([countParked(parked), nextParked(parked, 3), nextParked(parked, 7)]).toEqual([5, 4, undefined]);
    expect(countParked(cutParked(parked, 0, 5))).toBe(3);
    expect(cutParked(parked, 5, Infinity)).toEqual([{ error: 'one', ranges: [[5, 6]] }]);
  });
});
