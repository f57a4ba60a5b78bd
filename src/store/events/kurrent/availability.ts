import type { Clock } from '../../../../actors/ports/clock.ts';
import type { Log } from '../../../../actors/ports/log.ts';
import { reasonOf } from './failures.ts';

/** What the store does with its server; each has its own connection. */
export type Activity = 'appending' | 'reading' | 'following';

export interface Outage {
  /** Milliseconds since 1970. */
  since: number;
  reason: string;
}

/**
 * A failure says nothing any more about now when it is this old: longer than the pauses of those who try for ever. Others
 * may not have had a reason to try since.
 */
const staleMs = 15_000;

/** Knows whether the server answers, and says so once when that changes. */
export class Availability {
  #clock: Clock;
  #log: Log;
  #outages = new Map<Activity, Outage & { lastAt: number }>();

  constructor(clock: Clock, log: Log) {
    this.#clock = clock;
    this.#log = log;
  }

  /** The longest one, while there is any. */
  get outage(): Outage | undefined {
    const from = this.#clock.now() - staleMs;
    return [...this.#outages.values()]
      .filter(({ lastAt }) => lastAt > from)
      .map(({ since, reason }) => ({ since, reason }))
      .toSorted((one, other) => one.since - other.since)[0];
  }

  /** How long there has been nothing but failures; 0 where the last one went well. */
  awayMs(activity: Activity): number {
    const outage = this.#outages.get(activity);
    return outage === undefined ? 0 : this.#clock.now() - outage.since;
  }

  failed(activity: Activity, error: unknown): void {
    const lastAt = this.#clock.now();
    const known = this.#outages.get(activity);
    if (known !== undefined) {
      known.lastAt = lastAt;
      return;
    }
    const reason = reasonOf(error);
    this.#outages.set(activity, { since: lastAt, lastAt, reason });
    this.#log.warn({ activity, reason }, 'the event store is away');
  }

  succeeded(activity: Activity): void {
    const outage = this.#outages.get(activity);
    if (outage === undefined) return;
    this.#outages.delete(activity);
    this.#log.info({ activity, forMs: this.#clock.now() - outage.since }, 'the event store is back');
  }
}
