import { describe, expect, it } from 'vitest';
import { LightAbort } from '../../../../actors/kit/light-abort.ts';
import { retry } from '../../../../actors/kit/retry.ts';
import {
  exponentialBackoff,
  type RetryPolicy,
  steadyRetry,
  storeAway,
  storeHiccup,
  storePoll,
} from '../../../../actors/kit/retry-policy.ts';
import { RetryTimer } from '../../../../actors/kit/retry-timer.ts';
import { StoreUnavailableError } from '../../../../actors/ports/event-store.ts';
import { reconnect, reconnectAfterLong, telegramAway } from '../../../../src/telegram/connection/reconnect-policy.ts';
import { TelegramError } from '../../../../src/telegram/port/errors.ts';
import { createDrivenClock, createSeededRandomness } from '../../../support/kit/clock.ts';
import { failureOf } from '../../../support/kit/failure-of.ts';

/** Work that fails so often, then succeeds; and when it was tried, in milliseconds from the beginning. */
function createWork(failures: readonly Error[]) {
  const clock = createDrivenClock();
  const startedAt = clock.now();
  const left = [...failures];
  const triedAt: number[] = [];
  const work = async (): Promise<string> => {
    triedAt.push(clock.now() - startedAt);
    const failure = left.shift();
    if (failure !== undefined) throw failure;
    return 'done';
  };
  return { clock, deps: { clock, random: createSeededRandomness(1, clock) }, triedAt, work };
}

const away = (): Error => new StoreUnavailableError('away');
const delaysOf = (policy: RetryPolicy, count: number, fraction: number): (number | undefined)[] =>
  Array.from({ length: count }, (_, index) => policy.delayMs(index + 1, { fraction: () => fraction }));

describe('retry', () => {
  it('[ER1.1] repeats what is retryable, after the waits of its policy, and tells of each', async () => {
    const { clock, deps, triedAt, work } = createWork([away(), away(), away()]);
    const told: unknown[] = [];
    const done = retry(deps, storeHiccup, work, new LightAbort(), (error, failures, delayMs) =>
      told.push([(error as Error).message, failures, delayMs]),
    );
    await clock.advance(10_000);
    expect(await done).toBe('done');
    expect(triedAt).toEqual([0, 50, 200, 600]);
    expect(told).toEqual([
      ['away', 1, 50],
      ['away', 2, 150],
      ['away', 3, 400],
    ]);
  });

  it('[ER1.1] throws the last error when its policy gives up', async () => {
    const failures = ['one', 'two', 'three', 'four', 'five'].map((message) => new StoreUnavailableError(message));
    const { clock, deps, triedAt, work } = createWork(failures);
    const failure = failureOf(retry(deps, storeHiccup, work, new LightAbort()));
    await clock.advance(1_600);
    expect(await failure).toMatchObject({ message: 'five' });
    expect([triedAt, clock.armed()]).toEqual([[0, 50, 200, 600, 1_600], 0]);
  });

  it('[ER3.2] waits as long as an error asks for, if that is longer than its policy would', async () => {
    const flood = new TelegramError(420, 'FLOOD_WAIT_30', 'x.Y');
    const { clock, deps, triedAt, work } = createWork([flood, away()]);
    const done = retry(deps, steadyRetry(1000), work, new LightAbort());
    await clock.advance(60_000);
    expect([await done, triedAt]).toEqual(['done', [0, 30_000, 31_000]]);
  });

  it('[WH4.4] throws an error that no retry can help against at once', async () => {
    const { deps, triedAt, work } = createWork([new TypeError('a fault')]);
    await expect(retry(deps, storeHiccup, work, new LightAbort())).rejects.toThrow('a fault');
    expect(triedAt).toEqual([0]);
  });

  it('[OP2.2] ends with its signal: in a wait, before the first try, and when a try fails after', async () => {
    const { clock, deps, triedAt, work } = createWork([away(), away()]);
    const stop = new LightAbort();
    const failure = failureOf(retry(deps, steadyRetry(1000), work, stop));
    await clock.advance(500);
    stop.abort(new Error('stopped'));
    expect(await failure).toMatchObject({ message: 'stopped' });
    expect(await failureOf(retry(deps, steadyRetry(1000), work, stop))).toMatchObject({ message: 'stopped' });
    const meanwhile = new LightAbort();
    const failing = async (): Promise<never> => {
      meanwhile.abort(new Error('meanwhile'));
      throw away();
    };
    expect(await failureOf(retry(deps, steadyRetry(1000), failing, meanwhile))).toMatchObject({ message: 'meanwhile' });
    expect([triedAt, clock.armed()]).toEqual([[0], 0]);
  });
});

describe('the policies', () => {
  it('[ER1.1] a caller is told within 1.6 s that the store is away', () => {
    expect(delaysOf(storeHiccup, 6, 0.5)).toEqual([50, 150, 400, 1000, undefined, undefined]);
  });

  it('[ER1.1] a store that is away is asked again after 250 ms, up to 30 s later, without end', () => {
    expect(delaysOf(storeAway, 9, 1)).toEqual([250, 500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
    expect(delaysOf(storeAway, 9, 0)).toEqual([125, 250, 500, 1000, 2000, 4000, 8000, 15_000, 15_000]);
    expect(storeAway.delayMs(1_000_000, { fraction: () => 1 })).toBe(30_000);
    expect(delaysOf(storePoll, 3, 0.5)).toEqual([1000, 1000, 1000]);
  });

  it('[SE8.2] Telegram is asked again after 1 s to 15 s with full jitter, without end', () => {
    expect(delaysOf(telegramAway, 6, 1)).toEqual([2000, 4000, 8000, 15_000, 15_000, 15_000]);
    expect(delaysOf(telegramAway, 6, 0)).toEqual([1000, 1000, 1000, 1000, 1000, 1000]);
    expect(telegramAway.delayMs(1_000_000, { fraction: () => 1 })).toBe(15_000);
  });

  it('[SE8.2] a broken connection is opened again within half a second, then after 1 s to 15 s', () => {
    expect(delaysOf(reconnect, 6, 1)).toEqual([500, 2000, 4000, 8000, 15_000, 15_000]);
    expect(delaysOf(reconnect, 4, 0)).toEqual([0, 1000, 1000, 1000]);
  });

  it('[SE8.2] in a long outage it is opened again after 1 s to 60 s', () => {
    expect(delaysOf(reconnectAfterLong, 7, 1)).toEqual([2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000]);
    expect(delaysOf(reconnectAfterLong, 2, 0)).toEqual([1000, 1000]);
  });

  it('[SE8.2] draws each wait anew', () => {
    const random = createSeededRandomness(1, createDrivenClock());
    const policy = exponentialBackoff(1000, 1000);
    const drawn = new Set(Array.from({ length: 100 }, () => policy.delayMs(1, random)));
    expect(drawn.size).toBeGreaterThan(90);
    expect(Math.min(...[...drawn].map(Number))).toBeGreaterThanOrEqual(500);
    expect(Math.max(...[...drawn].map(Number))).toBeLessThanOrEqual(1000);
  });
});

describe('RetryTimer', () => {
  const doubling: RetryPolicy = { delayMs: (failures) => (failures > 3 ? undefined : 1000 * 2 ** (failures - 1)) };

  it('[ER1.1] waits longer after each failure, until the policy gives up or it is reset', async () => {
    const { clock, deps } = createWork([]);
    const startedAt = clock.now();
    const tries: number[] = [];
    const timer = new RetryTimer(deps, doubling, () => {
      tries.push(clock.now() - startedAt);
      timer.arm();
    });
    timer.arm();
    await clock.advance(60_000);
    expect([tries, clock.armed()]).toEqual([[1000, 3000, 7000], 0]);
    timer.reset();
    timer.arm();
    expect(clock.nextDueAt()).toBe(clock.now() + 1000);
    timer.reset();
    expect(clock.armed()).toBe(0);
  });

  it('[ER1.1] a failure during the wait replaces the wait', () => {
    const { clock, deps } = createWork([]);
    const timer = new RetryTimer(deps, doubling, () => {});
    timer.arm();
    timer.arm();
    expect([clock.armed(), clock.nextDueAt()]).toEqual([1, clock.now() + 2000]);
  });
});
