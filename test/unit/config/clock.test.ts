import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { TimerHandle } from '../../../actors/ports/clock.ts';
import { createUuidSource, systemClock, systemRandomness } from '../../../src/config/clock.ts';
import { createDrivenClock, createSeededRandomness } from '../../support/kit/clock.ts';

const dayMs = 24 * 60 * 60 * 1000;

describe('the clock of this machine', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it.each([0, 5, 1000, 2 ** 31 - 1, 2 ** 31, 90 * dayMs])('fires after %i ms and not before', (delayMs) => {
    let fired = 0;
    const timer = systemClock.setTimeout(() => {
      fired += 1;
    }, delayMs);
    expect(timer.dueAt).toBe(systemClock.elapsed() + delayMs);
    if (delayMs > 0) {
      vi.advanceTimersByTime(delayMs - 1);
      expect(fired).toBe(0);
    }
    vi.advanceTimersByTime(1);
    expect(fired).toBe(1);
    vi.advanceTimersByTime(100 * dayMs);
    expect(fired).toBe(1);
  });

  it.each([10, 40 * dayMs])('forgets a timer of %i ms that was cleared, at any time', (delayMs) => {
    const timers = [systemClock.setTimeout(() => expect.unreachable(), delayMs)];
    vi.advanceTimersByTime(delayMs - 1);
    for (const timer of timers) systemClock.clearTimeout(timer);
    vi.advanceTimersByTime(100 * dayMs);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('[SE4.1] does not fire while the wall clock is still before the due time', () => {
    const firedAt: number[] = [];
    const dueAt = systemClock.now() + 1000;
    systemClock.setTimeout(() => firedAt.push(systemClock.now()), 1000);
    vi.setSystemTime(systemClock.now() - 3);
    vi.advanceTimersByTime(1010);
    expect(firedAt).toEqual([dueAt]);
  });

  it('is not held up when the wall clock is set back', () => {
    let fired = false;
    systemClock.setTimeout(() => {
      fired = true;
    }, 1000);
    vi.setSystemTime(systemClock.now() - dayMs);
    vi.advanceTimersByTime(1000);
    expect(fired).toBe(true);
  });
});

describe('UUIDs', () => {
  it('[AU1.1] are of version 7, carry the time and never repeat', () => {
    const before = Date.now();
    const ids = Array.from({ length: 20_000 }, () => systemRandomness.uuid());
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
    const time = Number.parseInt((ids[0] ?? '').replaceAll('-', '').slice(0, 12), 16);
    expect(time).toBeGreaterThanOrEqual(before);
    expect(time).toBeLessThanOrEqual(Date.now());
  });

  it('[AU1.1] grow, however many a millisecond has and wherever the clock goes', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.integer({ min: -5, max: 3 }), fc.nat(6000)), { maxLength: 12 }), (moves) => {
        let nowMs = 1_800_000_000_000;
        const uuid = createUuidSource(
          () => nowMs,
          (count) => systemRandomness.bytes(count),
        );
        let last = '';
        let falls = 0;
        for (const [moveMs, count] of moves) {
          nowMs += moveMs;
          for (let made = 0; made < count; made += 1) {
            const next = uuid();
            if (next <= last) falls += 1;
            last = next;
          }
        }
        expect(falls).toBe(0);
      }),
      { numRuns: 20, seed: 7 },
    );
  });

  it('draws fractions from [0, 1) and as many bytes as asked for', () => {
    for (let drawn = 0; drawn < 1000; drawn += 1) {
      const fraction = systemRandomness.fraction();
      expect(fraction >= 0 && fraction < 1).toBe(true);
    }
    expect([0, 1, 12, 5000].map((count) => systemRandomness.bytes(count).length)).toEqual([0, 1, 12, 5000]);
  });
});

describe('the driven clock', () => {
  it('runs what falls due in order, each at its own time, and nothing beyond', async () => {
    const clock = createDrivenClock({ startAt: 1000 });
    const ran: [string, number][] = [];
    const note = (name: string) => (): void => void ran.push([name, clock.now()]);
    clock.setTimeout(note('late'), 30);
    clock.setTimeout(note('first'), 10);
    clock.setTimeout(note('second'), 10);
    clock.setTimeout(note('beyond'), 31);
    clock.setTimeout(note('now'), -5);
    expect(ran).toEqual([]);
    expect(clock.nextDueAt()).toBe(1000);
    await clock.advance(30);
    expect(ran).toEqual([
      ['now', 1000],
      ['first', 1010],
      ['second', 1010],
      ['late', 1030],
    ]);
    expect([clock.now(), clock.armed()]).toEqual([1030, 1]);
  });

  it('runs what a timer arms on the way, also behind promises and turns of the event loop', async () => {
    const clock = createDrivenClock({ startAt: 0 });
    const ran: number[] = [];
    const again = async (): Promise<void> => {
      ran.push(clock.now());
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
      clock.setTimeout(() => void again(), 10);
    };
    clock.setTimeout(() => void again(), 10);
    await clock.advance(45);
    expect(ran).toEqual([10, 20, 30, 40]);
    expect(clock.now()).toBe(45);
  });

  it('forgets what was cleared, also by a timer that is due at the same time', async () => {
    const clock = createDrivenClock();
    const ran: string[] = [];
    const victims: TimerHandle[] = [];
    clock.setTimeout(() => {
      ran.push('cleaner');
      for (const victim of victims) clock.clearTimeout(victim);
    }, 5);
    victims.push(clock.setTimeout(() => ran.push('same time'), 5));
    victims.push(clock.setTimeout(() => ran.push('later'), 6));
    const [first] = victims;
    if (first !== undefined) createDrivenClock().clearTimeout(first);
    expect(clock.armed()).toBe(3);
    await clock.advance(10);
    expect([ran, clock.armed()]).toEqual([['cleaner'], 0]);
  });

  it('has chance that repeats with its seed', () => {
    const draw = (seed: number): unknown[] => {
      const randomness = createSeededRandomness(seed, createDrivenClock());
      return [randomness.uuid(), randomness.bytes(8).toString('hex'), randomness.fraction()];
    };
    expect(draw(1)).toEqual(draw(1));
    expect(draw(1)).not.toEqual(draw(2));
  });
});
