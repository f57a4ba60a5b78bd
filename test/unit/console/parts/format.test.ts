import { describe, expect, it } from 'vitest';
import {
  formatBytes,
  formatClockOrDay,
  formatCount,
  formatCountdown,
  formatDay,
  formatDuration,
  initialsOf,
  stateName,
} from '../../../../console/parts/format.ts';

describe('the formats of the console', () => {
  it('[CO4.1] a countdown shows each second, and ends at 0:00', () => {
    expect([179_001, 60_000, 59_999, 1, 0, -5_000, 3_723_000].map(formatCountdown)).toEqual([
      '3:00',
      '1:00',
      '1:00',
      '0:01',
      '0:00',
      '0:00',
      '1:02:03',
    ]);
  });

  it('[CO4.1] a duration is in its largest unit', () => {
    const ms = [-1, 0, 59_999, 60_000, 3_599_999, 7_200_000, 86_400_000];
    expect(ms.map(formatDuration)).toEqual(['0 s', '0 s', '59 s', '1 min', '59 min', '2 h', '1 d']);
  });

  it('[CO4.1] a state that the page does not know keeps the name of the chart', () => {
    expect([stateName('qrPending'), stateName('paused')]).toEqual(['QR pending', 'paused']);
  });

  it('[CO3.1] a count has its noun in the right number', () => {
    expect([0, 1, 2].map((count) => formatCount(count, 'session'))).toEqual(['0 sessions', '1 session', '2 sessions']);
  });
});

describe('the formats of the chats', () => {
  const now = new Date(2026, 2, 4, 12);
  const iso = (...parts: [number, number, number, number]): string => new Date(...parts).toISOString();

  it('[CO6.1] the time of today, the day of this year, the month of another one', () => {
    const times = [iso(2026, 2, 4, 9), iso(2026, 2, 3, 23), iso(2025, 11, 31, 9)];
    expect(times.map((time) => formatClockOrDay(time, now))).toEqual(['09:00', '3 Mar', 'Dec 2025']);
  });

  it('[CO6.2] the names of days', () => {
    const times = [iso(2026, 2, 4, 9), iso(2026, 2, 3, 23), iso(2026, 2, 2, 23)];
    expect(times.map((time) => formatDay(time, now))).toEqual(['Today', 'Yesterday', 'Monday 2 March 2026']);
  });

  it('[CO6.2] the sizes of files', () => {
    expect([0, 999, 1_000, 999_949, 999_950, 2_097_152_000].map(formatBytes)).toEqual([
      '0 B',
      '999 B',
      '1.0 kB',
      '999.9 kB',
      '1.0 MB',
      '2.1 GB',
    ]);
  });

  it('[CO6.1] the first letters of a name, also of one without letters', () => {
    expect(['Bob Stone', 'Ann von Lee', 'cara', '🙂 Club', '', '🙂'].map(initialsOf)).toEqual([
      'BS',
      'AL',
      'C',
      'C',
      '',
      '',
    ]);
  });
});
