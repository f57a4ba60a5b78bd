import type { RecordedEvent as ClientEvent } from '@kurrent/kurrentdb-client';
import { sleep } from '../../../../actors/kit/sleep.ts';
import type { Clock, Randomness } from '../../../../actors/ports/clock.ts';
import { StoreUnavailableError } from '../../../../actors/ports/event-store.ts';
import type { Availability } from './availability.ts';
import type { KurrentConnection } from './connection.ts';
import { reasonOf } from './failures.ts';
import { betweenSubscriptions } from './retry-policies.ts';
import { type SubscriptionMessage, subscribe } from './subscription.ts';

export interface FollowOptions {
  after: bigint | undefined;
  prefixes: readonly string[] | undefined;
  signal: AbortSignal;
  /** Without anything new in this time it ends with an error; without it, it is tried for ever. */
  giveUpMs?: number;
}

export type Followed = { events: ClientEvent[] } | { caughtUp: true };

/** Goes through everything on the server, and on with what comes. */
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
   * Events in the order of the log, without a gap and without a double, however often the subscription breaks; and once,
   * in its place, that everything has been seen that was there.
   * @throws {StoreUnavailableError} nothing came for as long as the caller would wait.
   */
  async *follow({ after, prefixes, signal, giveUpMs = Infinity }: FollowOptions): AsyncGenerator<Followed> {
    let cursor = after;
    let hasCaughtUp = false;
    let failures = 0;
    let giveUpAt = this.#clock.now() + giveUpMs;
    while (!signal.aborted) {
      try {
        for await (const said of subscribe(this.#connection.client, this.#clock, { after: cursor, prefixes, signal })) {
          this.#availability.succeeded('following');
          failures = 0;
          const followed = hasCaughtUp && 'caughtUp' in said ? undefined : toFollowed(said);
          if (followed !== undefined) yield followed;
          hasCaughtUp ||= 'caughtUp' in said;
          cursor = newer(cursor, said);
          giveUpAt = this.#clock.now() + giveUpMs;
        }
      } catch (error) {
        this.#availability.failed('following', error);
        if (this.#clock.now() >= giveUpAt) {
          throw new StoreUnavailableError(`the event store could not be read: ${reasonOf(error)}`, { cause: error });
        }
        failures += 1;
        await sleep(this.#clock, betweenSubscriptions.delayMs(failures, this.#randomness), signal).catch(() => {});
      }
    }
  }
}

const toFollowed = (said: SubscriptionMessage): Followed | undefined => ('upTo' in said ? undefined : said);

/** Where the next subscription is to begin, once the caller has dealt with what was said. */
function newer(cursor: bigint | undefined, said: SubscriptionMessage): bigint | undefined {
  if ('events' in said) return said.events.at(-1)?.position?.commit ?? cursor;
  if ('upTo' in said && (cursor === undefined || said.upTo > cursor)) return said.upTo;
  return cursor;
}
