/**
 * Time and randomness for all other code. `src/config/clock.ts` is the real implementation; tests drive
 * `test/support/kit/clock.ts`.
 */
export interface Clock {
  /** Milliseconds since 1970: for recorded times. An operator or a time server may set this clock forwards or back. */
  now(): number;
  /** Milliseconds since some moment of this process, with fractions. Never set: for time-outs, waits and ages in memory. */
  elapsed(): number;
  /** Runs the callback once after `delayMs`; a delay beyond the platform's timer limit works too. */
  setTimeout(callback: () => void, delayMs: number): TimerHandle;
  clearTimeout(handle: TimerHandle): void;
}

export interface TimerHandle {
  /** By {@link Clock.elapsed}. */
  readonly dueAt: number;
}

export interface Randomness {
  /** UUID version 7 (RFC 9562) of the clock's time. */
  uuid(): string;
  bytes(count: number): Buffer;
  /** In [0, 1). */
  fraction(): number;
}
