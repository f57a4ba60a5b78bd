import type { Log } from '../log.ts';
import { Problem } from '../problem.ts';

const firstWaitMs = 1000;
const maxWaitMs = 60_000;

/** Counts the failures of each lane in a row, and says how long to wait: 1 s, doubled up to a minute, or what was asked for. */
export class Attempts {
  readonly #failures = new Map<string, number>();
  readonly #log: Log;

  constructor(log: Log) {
    this.#log = log;
  }

  succeeded(lane: string): void {
    this.#failures.delete(lane);
  }

  /** @returns milliseconds */
  failed(lane: string, error: Problem): number {
    const count = this.#failures.get(lane) ?? 0;
    this.#failures.set(lane, count + 1);
    const waitMs = error.retryAfterMs ?? Math.min(maxWaitMs, firstWaitMs * 2 ** count);
    this.#log('warn', 'it is tried again', { lane, reason: error.message, waitMs });
    return waitMs;
  }
}

/** An error as a problem: a defect of the bridge is logged, and tried again like an outage. */
export function problemFrom(error: unknown): Problem {
  if (error instanceof Problem) return error;
  return new Problem(error instanceof Error ? `${error.name}: ${error.message}` : String(error), { isRetryable: true });
}
