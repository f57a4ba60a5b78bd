import { describe, expect, it } from 'vitest';
import { countdown, duration, stateName } from '../../../../console/parts/format.ts';

describe('the words of the console', () => {
  it('[CO4] a countdown shows each second, and ends at nothing', () => {
    expect([179_001, 60_000, 59_999, 1, 0, -5_000, 3_723_000].map(countdown)).toEqual([
      '3:00',
      '1:00',
      '1:00',
      '0:01',
      '0:00',
      '0:00',
      '1:02:03',
    ]);
  });

  it('[CO4] a duration has its largest unit', () => {
    const ms = [-1, 0, 59_999, 60_000, 3_599_999, 7_200_000, 86_400_000];
    expect(ms.map(duration)).toEqual(['0 s', '0 s', '59 s', '1 min', '59 min', '2 h', '1 d']);
  });

  it('[CO4] a state that is new is named as the chart has it', () => {
    expect([stateName('qrPending'), stateName('paused')]).toEqual(['QR pending', 'paused']);
  });
});
