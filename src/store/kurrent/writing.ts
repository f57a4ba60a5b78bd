import {
  type JSONEventData,
  type KurrentDBClient,
  MaxAppendSizeExceededError,
  NO_STREAM,
  WrongExpectedVersionError,
} from '@kurrent/kurrentdb-client';
import type { Clock } from '../../../actors/clock.ts';
import {
  type Appended,
  type ExpectedRevision,
  type NewEvent,
  StoreUnavailableError,
  WrongExpectedRevisionError,
} from '../../../actors/event-store.ts';
import { OneAtATime } from '../../one-at-a-time.ts';
import type { Availability } from './availability.ts';
import type { Connection } from './connection.ts';
import { judge, reasonOf } from './failures.ts';
import { Slots } from './slots.ts';
import { pause, withDeadline } from './waiting.ts';

/** The client waits for an answer to an append for ever. */
const answerMs = 2000;
/** From the call to the end of all tries, where the outage is young: most leader elections are over by then. */
const deadlineMs = 4000;
const firstPauseMs = 50;
const longestPauseMs = 500;
/**
 * Appends under way at the same time. The client writes them all on one call, whose buffer takes 16 messages
 * (`highWaterMark` of Node's object streams). Behind that it queues, and when the connection then breaks, each one in
 * the queue becomes an unhandled rejection: the end of the process.
 */
const appendsUnderWay = 16;
/** An append is one message: see above. The server takes less. */
const messageBytes = 16 * 1024 * 1024;

/** Whatever changes something on the server. */
export class Writer {
  #connection: Connection;
  #clock: Clock;
  #availability: Availability;
  #streams = new OneAtATime();
  #slots = new Slots(appendsUnderWay);
  #underWay = new Set<Promise<unknown>>();
  #closed = false;

  constructor(connection: Connection, clock: Clock, availability: Availability) {
    this.#connection = connection;
    this.#clock = clock;
    this.#availability = availability;
  }

  /**
   * Sends the same events with the same expectation until there is an answer: the server records them once.
   * @throws {RangeError} there are none, or the server does not take so much at once.
   */
  append(stream: string, expected: ExpectedRevision, events: readonly NewEvent[]): Promise<Appended> {
    if (events.length === 0) return Promise.reject(new RangeError('an append needs an event'));
    let proposed: JSONEventData[];
    try {
      proposed = events.map((event) => proposal(event));
    } catch (error) {
      return Promise.reject(error);
    }
    return this.#write(stream, async (client) => {
      const { nextExpectedRevision, position } = await client
        .appendToStream(stream, proposed, {
          streamState: stateOf(expected),
          requiresLeader: true,
          batchAppendSize: messageBytes,
        })
        .catch((error: unknown) => {
          throw translated(error, stream, expected);
        });
      return { revision: Number(nextExpectedRevision), position: position?.commit ?? 0n };
    });
  }

  /** Hides the stream's events and leaves them to the next scavenge. */
  deleteSoftly(stream: string, expected: number): Promise<void> {
    return this.#write(stream, async (client) => {
      await client
        .deleteStream(stream, { expectedRevision: BigInt(expected), requiresLeader: true })
        .catch((error: unknown) => {
          throw translated(error, stream, expected);
        });
    });
  }

  /** Resolves when what was accepted has ended, well or not. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.allSettled(this.#underWay);
  }

  /** In the order of the calls within a stream, also where one of them has to be sent again. */
  async #write<T>(stream: string, work: (client: KurrentDBClient) => Promise<T>): Promise<T> {
    if (this.#closed) throw new StoreUnavailableError('the event store is closed');
    const giveUpAt = this.#clock.now() + deadlineMs;
    const writing = this.#streams.run(stream, () => this.#tryUntil(giveUpAt, work));
    this.#underWay.add(writing);
    try {
      return await writing;
    } finally {
      this.#underWay.delete(writing);
    }
  }

  async #tryUntil<T>(giveUpAt: number, work: (client: KurrentDBClient) => Promise<T>): Promise<T> {
    let pauseMs = firstPauseMs;
    for (let failure: unknown; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
      const leftMs = giveUpAt - this.#clock.now();
      // Nobody waits for what others have waited for in vain: the one try shows when it is over.
      const isHopeless = failure !== undefined && this.#availability.awayMs('appending') >= deadlineMs;
      if (leftMs <= 0 || isHopeless) {
        throw new StoreUnavailableError('the event store did not answer in time', { cause: failure });
      }
      try {
        return await this.#slots.use(() => this.#try(Math.min(leftMs, answerMs), work));
      } catch (error) {
        const verdict = judge(error);
        if (verdict === 'answer') throw error;
        if (verdict === 'refused') throw new StoreUnavailableError(reasonOf(error), { cause: error });
        failure = error;
      }
      await pause(this.#clock, Math.min(pauseMs, giveUpAt - this.#clock.now()));
    }
  }

  async #try<T>(forMs: number, work: (client: KurrentDBClient) => Promise<T>): Promise<T> {
    const { client } = this.#connection;
    try {
      const result = await withDeadline(this.#clock, forMs, work(client));
      this.#availability.succeeded('appending');
      return result;
    } catch (error) {
      const verdict = judge(error);
      if (verdict === 'answer') this.#availability.succeeded('appending');
      else this.#availability.failed('appending', error);
      if (verdict === 'anew') this.#connection.replace(client);
      throw error;
    }
  }
}

/**
 * A copy, made at once: the client would read the event later, and would not survive what JSON cannot carry.
 * @throws {TypeError} the event cannot be written as JSON.
 */
function proposal({ id, type, data, metadata }: NewEvent): JSONEventData {
  return {
    id,
    type,
    contentType: 'application/json',
    data: JSON.parse(JSON.stringify(data)),
    metadata: JSON.parse(JSON.stringify(metadata)),
  };
}

function stateOf(expected: ExpectedRevision): bigint | 'any' | typeof NO_STREAM {
  if (expected === 'any') return 'any';
  return expected === 'no-stream' ? NO_STREAM : BigInt(expected);
}

/** What the server refuses, in the words of the port. */
function translated(error: unknown, stream: string, expected: ExpectedRevision): unknown {
  if (error instanceof MaxAppendSizeExceededError) {
    return new RangeError(`an append is larger than the ${error.maxAppendSize} bytes that the event store takes`);
  }
  if (!(error instanceof WrongExpectedVersionError)) return error;
  const actual = typeof error.actualState === 'bigint' ? Number(error.actualState) : -1;
  return new WrongExpectedRevisionError(stream, expected, actual);
}
