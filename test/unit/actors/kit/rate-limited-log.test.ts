import { expect, it } from 'vitest';
import { createRateLimitedLog } from '../../../../actors/kit/rate-limited-log.ts';
import { createDrivenClock } from '../../../support/kit/clock.ts';

function setUp() {
  const clock = createDrivenClock();
  const lines: string[] = [];
  const write = (level: string) => (fields: object, message: string) =>
    void lines.push(`${level} ${message} ${JSON.stringify({ ...fields, err: undefined })}`);
  const log = createRateLimitedLog({ info: write('info'), warn: write('warn'), error: write('error') }, clock);
  return { clock, lines, log };
}

const away = new Error('the store is away');

it('[OP7.2] logs the same message and error once a minute, whichever session it is about, and says how many it left out', async () => {
  const { clock, lines, log } = setUp();
  for (let second = 0; second < 120; second += 1) {
    log.warn({ session: `s${second}`, err: new Error('the store is away') }, 'not yet');
    await clock.advance(1000);
  }
  expect(lines).toEqual(['warn not yet {"session":"s0"}', 'warn not yet {"session":"s60","suppressed":59}']);
});

it('[OP7.2] logs every message, error and level of its own', () => {
  const { lines, log } = setUp();
  log.warn({ err: away }, 'one');
  log.warn({ err: away }, 'two');
  log.warn({ err: new Error('the store is full') }, 'two');
  log.error({ where: 'store', err: away }, 'two');
  log.info({}, 'two');
  expect(lines).toHaveLength(5);
});

it.each([-500_000, 500_000])(
  '[OP7.2] counts the minute whether or not the wall clock is set by %i ms',
  async (byMs) => {
    const { clock, lines, log } = setUp();
    log.warn({ err: away }, 'not yet');
    clock.setWallClockBy(byMs);
    await clock.advance(59_999);
    log.warn({ err: away }, 'not yet');
    expect(lines).toHaveLength(1);
    await clock.advance(1);
    log.warn({ err: away }, 'not yet');
    expect(lines).toHaveLength(2);
  },
);

it('[OP7.2] forgets the causes logged longest ago, however many there are', () => {
  const { lines, log } = setUp();
  for (let round = 0; round < 2; round += 1) {
    for (let cause = 0; cause < 1_001; cause += 1) log.warn({ err: new Error(`cause ${cause}`) }, 'not yet');
  }
  expect(lines).toHaveLength(2 * 1_001);
});
