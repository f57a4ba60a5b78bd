import type { RecordedEvent as ClientEvent } from '@kurrent/kurrentdb-client';
import { sleep } from '../../../../actors/kit/sleep.ts';
import type { Clock, Randomness } from '../../../../actors/ports/clock.ts';
import { StoreUnavailableError } from '../../../../actors/ports/event-store.ts';
import type { Availability } from './availability.ts';
import type { KurrentConnection } from './connection.ts';
import { failureReason } from './failures.ts';
import { readLog } from './log-read.ts';
import { betweenSubscriptions } from './retry-policies.ts';
import { type SubscriptionMessage, subscribe } from './subscription.ts';

export interface FollowOptions {
  after: bigint | undefined;
  prefixes: readonly string[] | undefined;
  types?: readonly string[] | undefined;
  signal: AbortSignal;
  /** The read fails if no event arrives in this time. Without it, the read is retried until the signal is aborted. */
  giveUpMs?: number;
}

export type Followed = { events: ClientEvent[] } | { caughtUp: true };

/** Reads all events of the server, and then follows new ones. */
export class Follower {
  #connection: KurrentConnection;
  #clock: Clock;
  #randomness: Randomness;
  #availability: Availability;

  constructor(connection: KurrentConnection, clock: Clock, randomness: Randomness, availability: Availability) {
    this.#connection = connection;
    this.#clock = clock;
    this.#randomness = randomness;
    this.#availability = availability;
  }

  /**
   * Events in the order of the log, up to the last that was there at the start; then `caughtUp`. A read that breaks, or
   * that is silent because few events match, is continued by a subscription.
   * @throws {StoreUnavailableError} nothing new came within `giveUpMs`.
   */
  async *readToEnd(options: Omit<FollowOptions, 'types'>): AsyncGenerator<Followed> {
    let cursor = options.after;
    try {
      for await (const events of readLog(this.#connection.client, this.#clock, options)) {
        this.#availability.succeeded('following');
        if (events.length > 0) yield { events };
        cursor = events.at(-1)?.position?.commit ?? cursor;
      }
      if (!options.signal.aborted) yield { caughtUp: true };
      return;
    } catch {
      // The subscription finds out whether the server is away.
    }
    yield* this.follow({ ...options, after: cursor });
  }

  /**
   * Events in the order of the log, without gaps or repetitions, however often the subscription breaks. `caughtUp` comes
   * once, after the last event that was there at the start.
   * @throws {StoreUnavailableError} nothing new came within `giveUpMs`.
   */
  async *follow({ after, prefixes, types, signal, giveUpMs = Infinity }: FollowOptions): AsyncGenerator<Followed> {
    let cursor = after;
    let hasCaughtUp = false;
    let failures = 0;
    let giveUpAt = this.#clock.elapsed() + giveUpMs;
    while (!signal.aborted) {
      try {
        const options = { after: cursor, prefixes, types, signal };
        for await (const message of subscribe(this.#connection.client, this.#clock, options)) {
          this.#availability.succeeded('following');
          failures = 0;
          if (!('upTo' in message) && !(hasCaughtUp && 'caughtUp' in message)) yield message;
          hasCaughtUp ||= 'caughtUp' in message;
          cursor = newer(cursor, message);
          giveUpAt = this.#clock.elapsed() + giveUpMs;
        }
      } catch (error) {
        this.#availability.failed('following', error);
        if (this.#clock.elapsed() >= giveUpAt) {
          throw new StoreUnavailableError(`the event store could not be read: ${failureReason(error)}`, {
            cause: error,
          });
        }
        failures += 1;
        await sleep(this.#clock, betweenSubscriptions.delayMs(failures, this.#randomness), signal).catch(() => {});
      }
    }
  }
}

/** Where the next subscription begins, after the caller has handled the message. */
function newer(cursor: bigint | undefined, message: SubscriptionMessage): bigint | undefined {
  if ('events' in message) return message.events.at(-1)?.position?.commit ?? cursor;
  if ('upTo' in message && (cursor === undefined || message.upTo > cursor)) return message.upTo;
  return cursor;
}
