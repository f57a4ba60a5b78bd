import { beforeEach, describe, expect, it } from 'vitest';
import type { Clock } from '../../../../actors/ports/clock.ts';
import { type LivenessWatch, watchLiveness } from '../../../../src/telegram/connection/liveness.ts';
import { createDrivenClock, type DrivenClock } from '../../../support/kit/clock.ts';

const hourMs = 3_600_000;

let driven: DrivenClock;
/** How far the wall clock has been set, beside the time that passes. */
let setByMs: number;
let clock: Clock;
let answers: boolean;
let watched: { lastHeardAt: number | undefined; ping: () => Promise<void> };
let pings: number;
let deaths: number;

beforeEach(() => {
  driven = createDrivenClock();
  setByMs = 0;
  clock = {
    now: () => driven.now() + setByMs,
    elapsed: () => driven.elapsed(),
    setTimeout: (callback, delayMs) => driven.setTimeout(callback, delayMs),
    clearTimeout: (handle) => driven.clearTimeout(handle),
  };
  answers = true;
  pings = 0;
  deaths = 0;
  watched = {
    lastHeardAt: undefined,
    ping: async () => {
      pings += 1;
      if (!answers) await new Promise(() => {});
      watched.lastHeardAt = clock.elapsed();
    },
  };
});

const watch = (): LivenessWatch => watchLiveness(clock, watched, () => (deaths += 1));

/** In steps: what is awaited between two timers gets its turn. */
async function pass(ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 1_000) await driven.advance(1_000);
  for (let turn = 0; turn < 60; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

describe('the watch over a connection', () => {
  it('[SE8.1] asks every 15 s, and calls dead what is silent for 10 s after that', async () => {
    watch();
    await pass(60_000);
    expect({ pings, deaths }).toEqual({ pings: 4, deaths: 0 });
    answers = false;
    await pass(24_000);
    expect(deaths).toBe(0);
    await pass(1_000);
    expect(deaths).toBe(1);
  });

  it('[SE8.1] pings connections that opened at different moments in the same turn', async () => {
    const pingedAt: number[] = [];
    const ping = async (): Promise<void> => void pingedAt.push(clock.elapsed());
    for (const offsetMs of [3, 80, 40, 60]) {
      await driven.advance(offsetMs);
      watchLiveness(clock, { lastHeardAt: undefined, ping }, () => (deaths += 1));
    }
    await driven.advance(15_000);
    expect(pingedAt).toHaveLength(4);
    expect(new Set(pingedAt).size).toBe(1);
  });

  it.each([-hourMs, hourMs])(
    '[SE8.1] notices as soon where the clock is set by %i ms at that moment',
    async (jumpMs) => {
      watch();
      await pass(20_000);
      setByMs = jumpMs;
      answers = false;
      await pass(20_000);
      expect({ pings, deaths }).toEqual({ pings: 2, deaths: 1 });
    },
  );

  it.each([-hourMs, hourMs])('[SE8.1] goes on asking where the clock is set by %i ms', async (jumpMs) => {
    watch();
    await pass(20_000);
    setByMs = jumpMs;
    await pass(60_000);
    expect({ pings, deaths }).toEqual({ pings: 5, deaths: 0 });
  });

  it('[SE8.1] asks at once when told to, and calls dead what is silent for 10 s after that', async () => {
    const liveness = watch();
    await pass(2_000);
    liveness.probe();
    expect(pings).toBe(1);
    await pass(5_000);
    answers = false;
    liveness.probe();
    await pass(5_000);
    // One question is enough.
    liveness.probe();
    expect({ pings, deaths }).toEqual({ pings: 2, deaths: 0 });
    await pass(5_000);
    expect({ pings, deaths }).toEqual({ pings: 2, deaths: 1 });
    liveness.stop();
    liveness.probe();
    expect([pings, driven.armed()]).toEqual([2, 0]);
  });

  it('takes whatever is heard for an answer, and leaves no timer behind', async () => {
    const liveness = watch();
    answers = false;
    await pass(20_000);
    watched.lastHeardAt = clock.elapsed();
    await pass(14_000);
    expect(deaths).toBe(0);
    liveness.stop();
    expect(driven.armed()).toBe(0);
  });
});
