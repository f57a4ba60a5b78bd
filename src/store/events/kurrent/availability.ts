import type { Clock } from '../../../../actors/ports/clock.ts';
import type { Log } from '../../../../actors/ports/log.ts';
import type { Outage } from '../opened-store.ts';
import { failureReason } from './failures.ts';

/** The kinds of calls to the server; each has its own connection. */
export type Activity = 'appending' | 'reading' | 'following';

/**
 * An older failure says nothing about now, since there may have been no call after it. It is longer than any pause
 * between retries.
 */
const staleMs = 15_000;

interface KnownOutage extends Outage {
  /** The first and the last failure, by the clock's `elapsed()`. */
  from: number;
  lastAt: number;
}

/** Records whether the server answers, and logs each change once. */
export class Availability {
  #clock: Clock;
  #log: Log;
  #outages = new Map<Activity, KnownOutage>();

  constructor(clock: Clock, log: Log) {
    this.#clock = clock;
    this.#log = log;
  }

  /** The longest outage of all activities; undefined if there is none. */
  get outage(): Outage | undefined {
    const newest = this.#clock.elapsed() - staleMs;
    return [...this.#outages.values()]
      .filter(({ lastAt }) => lastAt > newest)
      .map(({ since, reason }) => ({ since, reason }))
      .toSorted((one, other) => one.since - other.since)[0];
  }

  /** Milliseconds since the first failure in a row; 0 if the last call succeeded. */
  awayMs(activity: Activity): number {
    const outage = this.#outages.get(activity);
    return outage === undefined ? 0 : this.#clock.elapsed() - outage.from;
  }

  failed(activity: Activity, error: unknown): void {
    const lastAt = this.#clock.elapsed();
    const known = this.#outages.get(activity);
    if (known !== undefined) {
      known.lastAt = lastAt;
      return;
    }
    const reason = failureReason(error);
    this.#outages.set(activity, { since: this.#clock.now(), from: lastAt, lastAt, reason });
    this.#log.warn({ activity, reason }, 'the event store is away');
  }

  succeeded(activity: Activity): void {
    const outage = this.#outages.get(activity);
    if (outage === undefined) return;
    const forMs = Math.round(this.awayMs(activity));
    this.#outages.delete(activity);
    this.#log.info({ activity, forMs }, 'the event store is back');
  }
}
