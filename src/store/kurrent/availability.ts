import type { Clock } from '../../../actors/clock.ts';
import type { Log } from '../../../actors/log.ts';
import { reasonOf } from './failures.ts';

/** What the store does with its server; each has its own connection. */
export type Activity = 'appending' | 'reading' | 'following';

export interface Outage {
  /** Milliseconds since 1970. */
  since: number;
  reason: string;
}

/** Knows whether the server answers, and says so once when that changes. */
export class Availability {
  #clock: Clock;
  #log: Log;
  #outages = new Map<Activity, Outage>();

  constructor(clock: Clock, log: Log) {
    this.#clock = clock;
    this.#log = log;
  }

  /** The longest one, while there is any. */
  get outage(): Outage | undefined {
    return [...this.#outages.values()].toSorted((one, other) => one.since - other.since)[0];
  }

  failed(activity: Activity, error: unknown): void {
    if (this.#outages.has(activity)) return;
    const reason = reasonOf(error);
    this.#outages.set(activity, { since: this.#clock.now(), reason });
    this.#log.warn({ activity, reason }, 'the event store is away');
  }

  succeeded(activity: Activity): void {
    const outage = this.#outages.get(activity);
    if (outage === undefined) return;
    this.#outages.delete(activity);
    this.#log.info({ activity, forMs: this.#clock.now() - outage.since }, 'the event store is back');
  }
}
