import {
  jsonEvent,
  type KurrentDBClient,
  MaxAppendSizeExceededError,
  NO_STREAM,
  WrongExpectedVersionError,
} from '@kurrent/kurrentdb-client';
import { KeyedQueue } from '../../../../actors/kit/keyed-queue.ts';
import { Semaphore } from '../../../../actors/kit/semaphore.ts';
import { sleep } from '../../../../actors/kit/sleep.ts';
import type { Clock, Randomness } from '../../../../actors/ports/clock.ts';
import {
  type Appended,
  type ExpectedRevision,
  type NewEvent,
  StoreUnavailableError,
  WrongExpectedRevisionError,
} from '../../../../actors/ports/event-store.ts';
import type { Availability } from './availability.ts';
import { type Append, BatchCall, type KurrentEvent } from './batch-append.ts';
import type { KurrentConnection } from './connection.ts';
import { judge, reasonOf } from './failures.ts';
import { betweenCalls } from './retry-policies.ts';
import { type AnswerLine, answerOf } from './server-answer.ts';

/** The client waits for an answer to an append for ever. */
const answerMs = 2000;
/** From the call to the end of all tries, where the outage is young: most leader elections are over by then. */
const deadlineMs = 4000;
/** Appends under way at the same time: more would wait at the server, where waiting for an answer is not endless. */
const appendsUnderWay = 256;
/** What goes on the wire at once; the server takes less. */
const longestAppendBytes = 16 * 1024 * 1024;

/** Whatever changes something on the server. */
export class KurrentWriter {
  #line: AnswerLine;
  #clock: Clock;
  #randomness: Randomness;
  #availability: Availability;
  #streams = new KeyedQueue();
  #slots = new Semaphore(appendsUnderWay);
  #underWay = new Set<Promise<unknown>>();
  #closed = false;

  constructor(connection: KurrentConnection, clock: Clock, randomness: Randomness, availability: Availability) {
    this.#line = { activity: 'appending', connection, clock, availability };
    this.#clock = clock;
    this.#randomness = randomness;
    this.#availability = availability;
  }

  /**
   * Sends the same events with the same expectation until there is an answer: the server records them once.
   * @throws {RangeError} there are none, or the server does not take so much at once.
   */
  append(stream: string, expected: ExpectedRevision, events: readonly NewEvent[]): Promise<Appended> {
    if (events.length === 0) return Promise.reject(new RangeError('an append needs an event'));
    let encoded: KurrentEvent[];
    try {
      encoded = encode(events);
    } catch (error) {
      return Promise.reject(error);
    }
    return this.#write(stream, (client) => sendAppend(client, { stream, expected, events: encoded }));
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
    let failure: unknown;
    for (let failures = 1; ; failures++) {
      const leftMs = giveUpAt - this.#clock.now();
      // Nobody waits for what others have waited for in vain: the one try shows when it is over.
      const isHopeless = failure !== undefined && this.#availability.awayMs('appending') >= deadlineMs;
      if (leftMs <= 0 || isHopeless) {
        throw new StoreUnavailableError('the event store did not answer in time', { cause: failure });
      }
      try {
        return await this.#slots.run(() => this.#try(Math.min(leftMs, answerMs), work));
      } catch (error) {
        const verdict = judge(error);
        if (verdict === 'answer') throw error;
        if (verdict === 'refused') throw new StoreUnavailableError(reasonOf(error), { cause: error });
        failure = error;
      }
      const pauseMs = betweenCalls.delayMs(failures, this.#randomness);
      await sleep(this.#clock, Math.min(pauseMs, giveUpAt - this.#clock.now()));
    }
  }

  #try<T>(forMs: number, work: (client: KurrentDBClient) => Promise<T>): Promise<T> {
    const { client } = this.#line.connection;
    return answerOf(this.#line, client, forMs, work(client));
  }
}

/**
 * A copy, made at once: the caller may change the event afterwards.
 * @throws {TypeError} an event cannot be written as JSON. @throws {RangeError} they are too large.
 */
function encode(events: readonly NewEvent[]): KurrentEvent[] {
  const encoded = events.map(({ id, type, data, metadata }) => ({
    id,
    type,
    data: Buffer.from(JSON.stringify(data)),
    metadata: Buffer.from(metadata === null ? '' : JSON.stringify(metadata)),
  }));
  const bytes = encoded.reduce((sum, { data, metadata }) => sum + data.length + metadata.length, 0);
  if (bytes > longestAppendBytes) throw tooLarge(longestAppendBytes);
  return encoded;
}

async function sendAppend(client: KurrentDBClient, append: Append): Promise<Appended> {
  const call = await BatchCall.of(client);
  try {
    return await (call === undefined ? appendAlone(client, append) : call.append(append));
  } catch (error) {
    throw translated(error, append.stream, append.expected);
  }
}

/** A call for each append, as servers before 21.10 have it. */
async function appendAlone(client: KurrentDBClient, { stream, expected, events }: Append): Promise<Appended> {
  const proposed = events.map(({ data, metadata, ...event }) =>
    jsonEvent({
      ...event,
      data: JSON.parse(String(data)),
      ...(metadata.length > 0 && { metadata: JSON.parse(String(metadata)) }),
    }),
  );
  const { nextExpectedRevision, position } = await client.appendToStream(stream, proposed, {
    streamState: stateOf(expected),
    requiresLeader: true,
  });
  return { revision: Number(nextExpectedRevision), position: position?.commit ?? 0n };
}

function stateOf(expected: ExpectedRevision): bigint | 'any' | typeof NO_STREAM {
  if (expected === 'any') return 'any';
  return expected === 'no-stream' ? NO_STREAM : BigInt(expected);
}

/** What the server refuses, in the words of the port. */
function translated(error: unknown, stream: string, expected: ExpectedRevision): unknown {
  if (error instanceof MaxAppendSizeExceededError) {
    return tooLarge(error.maxAppendSize);
  }
  if (!(error instanceof WrongExpectedVersionError)) return error;
  const actual = typeof error.actualState === 'bigint' ? Number(error.actualState) : -1;
  return new WrongExpectedRevisionError(stream, expected, actual);
}

const tooLarge = (mostBytes: number): RangeError =>
  new RangeError(`an append is larger than the ${mostBytes} bytes that the event store takes`);
