import { expect, it } from 'vitest';
import { lineTime } from '../../../src/config/line-time.ts';

it('is the time in ISO 8601, in the same second and in another one, also if the clock is set back', () => {
  let now = 0;
  const time = lineTime({ now: () => now });
  for (now of [0, 1_700_000_000_000, 1_700_000_000_007, 1_700_000_000_999, 1_700_000_001_000, 1_600_000_000_123, -1]) {
    expect(time()).toBe(`,"time":"${new Date(now).toISOString()}"`);
  }
});
