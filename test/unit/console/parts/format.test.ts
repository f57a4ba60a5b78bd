import { describe, expect, it } from 'vitest';
import { formatCount, formatCountdown, formatDuration, stateName } from '../../../../console/parts/format.ts';

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
