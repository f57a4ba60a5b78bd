import type { Clock, Randomness, TimerHandle } from '../../../actors/ports/clock.ts';
import { createUuidSource } from '../../../src/config/clock.ts';

interface DrivenTimer extends TimerHandle {
  readonly callback: () => void;
}

/** A clock that stands still until it is told to move. */
export interface DrivenClock extends Clock {
  /**
   * Moves the time on, and runs every timer that falls due on the way, in order (the earlier armed first where two are
   * due together), each at its own due time. After each one everything that is ready runs: microtasks, and input and
   * output that have arrived. Timers due now run too, also with 0 ms.
   */
  advance(byMs: number): Promise<void>;
  /** Lets everything that is ready run, without moving the time and without running a timer. */
  settle(): Promise<void>;
  /** What the wall clock will show when the next timer is due, or undefined where none is armed. */
  nextDueAt(): number | undefined;
  /** Sets the wall clock forwards, or back with a negative number. Timers, and what has elapsed, do not change. */
  setWallClockBy(ms: number): void;
  /** How many timers are armed. */
  armed(): number;
}

export interface DrivenClockOptions {
  /** Milliseconds since 1970. */
  startAt?: number;
  /** Turns of the event loop given after each timer. One is enough where nothing but promises is involved. */
  turns?: number;
}

/** Taken before any test could replace it. */
const nextTurn = setImmediate;

export function createDrivenClock({ startAt = Date.UTC(2026, 0, 1), turns = 4 }: DrivenClockOptions = {}): DrivenClock {
  /** Another number than the wall clock's, so that no code can mix them, and as large, so that fractions stay exact. */
  let elapsed = startAt - 2 ** 37;
  /** How far the wall clock is ahead of it. */
  let aheadMs = 2 ** 37;
  /** In order of due time, then of arming. */
  const timers: DrivenTimer[] = [];

  const settle = async (): Promise<void> => {
    for (let turn = 0; turn < turns; turn += 1) {
      await new Promise<void>((resolve) => {
        nextTurn(resolve);
      });
    }
  };

  return {
    now: () => elapsed + aheadMs,
    elapsed: () => elapsed,
    setWallClockBy(ms) {
      aheadMs += ms;
    },
    setTimeout(callback, delayMs) {
      const timer: DrivenTimer = { dueAt: elapsed + Math.max(0, delayMs), callback };
      timers.splice(placeAfter(timers, timer.dueAt), 0, timer);
      return timer;
    },
    clearTimeout(handle) {
      const at = timers.findIndex((timer) => timer === handle);
      if (at >= 0) timers.splice(at, 1);
    },
    async advance(byMs) {
      const end = elapsed + byMs;
      await settle();
      for (let next = timers[0]; next !== undefined && next.dueAt <= end; next = timers[0]) {
        timers.shift();
        elapsed = Math.max(elapsed, next.dueAt);
        next.callback();
        await settle();
      }
      elapsed = Math.max(elapsed, end);
    },
    settle,
    nextDueAt: () => timers[0] && timers[0].dueAt + aheadMs,
    armed: () => timers.length,
  };
}

/** The place behind every timer that is due at that time or earlier. */
function placeAfter(timers: readonly DrivenTimer[], dueAt: number): number {
  let low = 0;
  let high = timers.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((timers[middle]?.dueAt ?? 0) <= dueAt) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Chance that repeats: the same seed gives the same numbers, for ever. UUIDs carry the time of the clock. */
export function createSeededRandomness(seed: number, clock: Pick<Clock, 'now'>): Randomness {
  const next = mulberry32(seed);
  const bytes = (count: number): Buffer => {
    const drawn = Buffer.alloc(count);
    for (let at = 0; at < count; at += 1) drawn[at] = next() & 0xff;
    return drawn;
  };
  return { uuid: createUuidSource(clock.now, bytes), bytes, fraction: () => next() / 2 ** 32 };
}

/** Tommy Ettinger's mulberry32: 32 bits of state, whole numbers below 2^32. */
function mulberry32(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
}
