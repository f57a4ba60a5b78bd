import { randomBytes } from 'node:crypto';
import type { Clock, Randomness, TimerHandle } from '../../actors/ports/clock.ts';

/** Node fires a timer beyond this delay at once, with a warning (`TIMEOUT_MAX`, lib/internal/timers.js). */
const platformLimitMs = 2 ** 31 - 1;
/** Node's timers count on their own clock and may fire this much before the wall clock shows the due time. */
const timerSlackMs = 5;

class SystemTimer implements TimerHandle {
  readonly dueAt: number;
  readonly #wallDueAt: number;
  #callback: () => void;
  #timeout: NodeJS.Timeout | undefined;

  constructor(callback: () => void, delayMs: number) {
    this.dueAt = performance.now() + delayMs;
    this.#wallDueAt = Date.now() + delayMs;
    this.#callback = callback;
    this.#wait(delayMs);
  }

  clear(): void {
    clearTimeout(this.#timeout);
  }

  #wait(remainingMs: number): void {
    const stepMs = Math.min(remainingMs, platformLimitMs);
    this.#timeout = setTimeout(() => {
      const restMs = remainingMs - stepMs;
      if (restMs > 0) this.#wait(restMs);
      else this.#fire();
    }, stepMs);
  }

  /** A timer never fires early. A wall clock that was set back does not delay it. */
  #fire(): void {
    const earlyMs = this.#wallDueAt - Date.now();
    if (earlyMs > 0 && earlyMs <= timerSlackMs) this.#wait(earlyMs);
    else this.#callback();
  }
}

/** The clock of this machine. */
export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  setTimeout: (callback, delayMs) => new SystemTimer(callback, Math.max(0, delayMs)),
  clearTimeout: (handle) => {
    if (handle instanceof SystemTimer) handle.clear();
  },
};

const smallBytes = 32;
const smallDraws = createPooledBytes(4096);

/** The randomness of this machine: everything comes from the operating system's generator. */
export const systemRandomness: Randomness = {
  uuid: createUuidSource(Date.now, smallDraws),
  // Keys are made of these bytes, so no other code gets a view of their memory.
  bytes: (count) => (count <= smallBytes ? Buffer.from(smallDraws(count)) : randomBytes(count)),
  fraction: () => smallDraws(6).readUIntBE(0, 6) / 2 ** 48,
};

/**
 * UUIDs of version 7 (RFC 9562) that grow strictly: the 12 bits after the milliseconds count up within one millisecond
 * (section 6.2, method 1) from a random start that leaves room, and borrow from the next one when they run out.
 *
 *     tttttttt-tttt-7ccc-vrrr-rrrrrrrrrrrr     t milliseconds, c counter, v variant and random, r random
 */
export function createUuidSource(now: () => number, bytes: (count: number) => Buffer): () => string {
  let lastMs = -1;
  let counter = 0;
  return () => {
    const random = bytes(10);
    const nowMs = now();
    if (nowMs > lastMs) {
      lastMs = nowMs;
      counter = random.readUInt16BE(0) & 0x7ff;
    } else if (++counter > 0xfff) {
      lastMs += 1;
      counter = random.readUInt16BE(0) & 0x7ff;
    }
    random[2] = ((random[2] ?? 0) & 0x3f) | 0x80;
    const time = lastMs.toString(16).padStart(12, '0');
    const rest = random.toString('hex', 2);
    const version = (0x7000 | counter).toString(16);
    return `${time.slice(0, 8)}-${time.slice(8)}-${version}-${rest.slice(0, 4)}-${rest.slice(4)}`;
  };
}

/** One system call serves many small draws. */
function createPooledBytes(poolBytes: number): (count: number) => Buffer {
  let pool = Buffer.alloc(0);
  return (count) => {
    if (pool.length < count) pool = randomBytes(poolBytes);
    const drawn = pool.subarray(0, count);
    pool = pool.subarray(count);
    return drawn;
  };
}
