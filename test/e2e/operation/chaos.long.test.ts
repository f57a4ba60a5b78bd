import { expect, it } from 'vitest';
import { chaosHour } from '../../support/e2e/chaos/chaos-hour.ts';

/** `CHAOS_SEEDS=50 CHAOS_FIRST=1 npx vitest run test/e2e/operation/chaos.long.test.ts` lives through more of them. */
const first = Number(process.env['CHAOS_FIRST'] ?? 1);
const count = Number(process.env['CHAOS_SEEDS'] ?? 1);
const minutes = 60;

it.each(Array.from({ length: count }, (_, index) => first + index))(
  '[SE8.2] [SE9.4] [MS7.1] [WH5.1] 20 sessions live through an hour of chaos, seed %i',
  async (seed) => {
    const { happened, sent, written, ...wrong } = await chaosHour(seed, minutes);
    expect(wrong).toEqual({ away: [], lostLogins: [], unsent: [], wronglySent: [], wronglyRecorded: [] });
    expect([sent > 200, written > 200, happened.size]).toEqual([true, true, 24]);
  },
  600_000,
);
