import { expect, it } from 'vitest';
import type { Randomness } from '../../../actors/ports/clock.ts';
import { createDrivenClock, createSeededRandomness, type DrivenClock } from './clock.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** What one run of a wait sees. */
export interface WaitRun {
  clock: DrivenClock;
  random: Randomness;
  /** Notes that something happened, and how long after the start. */
  note: (what: string) => void;
  /** Lets this many milliseconds pass; what is ready runs after each timer. */
  pass: (ms: number) => Promise<void>;
  /** The moment at which the wall clock is set. */
  setWallClock: () => void;
}

/**
 * Runs a wait with the wall clock untouched, set back by an hour, and set forwards by a day: the same things must happen
 * at the same times.
 * @param timeline `<milliseconds since the start> <what>`, in order
 */
export function itLastsAsLong(name: string, timeline: readonly string[], run: (world: WaitRun) => Promise<void>): void {
  it.each([0, -hourMs, dayMs].map((byMs) => ({ name, byMs })))(
    '[OP8.1] $name: the same if the wall clock is set by $byMs ms',
    async ({ byMs }) => {
      const clock = createDrivenClock();
      const startedAt = clock.elapsed();
      const seen: string[] = [];
      await run({
        clock,
        random: createSeededRandomness(1, clock),
        note: (what) => void seen.push(`${clock.elapsed() - startedAt} ${what}`),
        pass: (ms) => clock.advance(ms),
        setWallClock: () => clock.setWallClockBy(byMs),
      });
      expect(seen).toEqual(timeline);
    },
  );
}
