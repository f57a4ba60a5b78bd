import {
  InvalidArgumentError,
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
import { type Append, BatchCall, type KurrentEvent, type ServerAppended } from './batch-append.ts';
import type { KurrentConnection } from './connection.ts';
import { failureReason, judge } from './failures.ts';
import { betweenCalls } from './retry-policies.ts';
import { answerOf, type CallDeps } from './server-answer.ts';
import type { KurrentReader } from './stream-reader.ts';

/** Timeout of one attempt: the client has none. */
const answerMs = 2000;
/** From the call to the end of all attempts: most leader elections are over by then. */
const deadlineMs = 4000;
/** Appends in flight. More would wait at the server, and run into its timeout. */
const maxAppendsInFlight = 256;
/** Upper bound on this side; the server's own limit is lower. */
const maxAppendBytes = 16 * 1024 * 1024;

/** Makes all changes on the server. */
export class KurrentWriter {
  #deps: CallDeps;
  #clock: Clock;
  #randomness: Randomness;
  #availability: Availability;
  #reader: Pick<KurrentReader, 'read'>;
  #streams = new KeyedQueue();
  #slots = new Semaphore(maxAppendsInFlight);
  #inFlight = new Set<Promise<unknown>>();
  #closed = false;

  /** @param reader looks up the position of an append that is answered without it */
  constructor(
    connection: KurrentConnection,
    clock: Clock,
    randomness: Randomness,
    availability: Availability,
    reader: Pick<KurrentReader, 'read'>,
  ) {
    this.#reader = reader;
    this.#deps = { activity: 'appending', connection, clock, availability };
    this.#clock = clock;
    this.#randomness = randomness;
    this.#availability = availability;
  }

  /**
   * Sends the same events with the same expected revision until the server answers: it records them once.
   * @throws {RangeError} there are no events, they are too large for one append, or the server says that the request is
   * bad.
   */
  async append(stream: string, expected: ExpectedRevision, events: readonly NewEvent[]): Promise<Appended> {
    if (events.length === 0) throw new RangeError('an append needs an event');
    const encoded = encode(events);
    const answer = await this.#write(stream, (client) => sendAppend(client, { stream, expected, events: encoded }));
    const { revision, position = await this.#positionOf(stream, revision) } = answer;
    return { revision, position };
  }

  /** Hides the stream's events; the next scavenge removes them. */
  deleteSoftly(stream: string, expected: number): Promise<void> {
    return this.#write(stream, async (client) => {
      await client
        .deleteStream(stream, { expectedRevision: BigInt(expected), requiresLeader: true })
        .catch((error: unknown) => {
          throw translated(error, stream, expected);
        });
    });
  }

  /** Resolves when all accepted calls have ended. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.allSettled(this.#inFlight);
  }

  async #positionOf(stream: string, revision: number): Promise<bigint> {
    for await (const event of this.#reader.read(stream, { from: revision, limit: 1 })) {
      if (event.revision === revision) return event.position;
    }
    throw new StoreUnavailableError('the event store did not say where it has recorded');
  }

  /** Keeps the order of the calls within a stream, also if one is sent again. */
  async #write<T>(stream: string, work: (client: KurrentDBClient) => Promise<T>): Promise<T> {
    if (this.#closed) throw new StoreUnavailableError('the event store is closed');
    const giveUpAt = this.#clock.elapsed() + deadlineMs;
    const writing = this.#streams.run(stream, () => this.#tryUntil(giveUpAt, work));
    this.#inFlight.add(writing);
    try {
      return await writing;
    } finally {
      this.#inFlight.delete(writing);
    }
  }

  async #tryUntil<T>(giveUpAt: number, work: (client: KurrentDBClient) => Promise<T>): Promise<T> {
    let failure: unknown;
    for (let failures = 1; ; failures++) {
      const leftMs = giveUpAt - this.#clock.elapsed();
      // During a long outage a call makes one attempt only, which notices the end of the outage.
      const isHopeless = failure !== undefined && this.#availability.awayMs('appending') >= deadlineMs;
      if (leftMs <= 0 || isHopeless) {
        throw new StoreUnavailableError('the event store did not answer in time', { cause: failure });
      }
      try {
        return await this.#slots.run(() => this.#try(Math.min(leftMs, answerMs), work));
      } catch (error) {
        const verdict = judge(error);
        if (verdict === 'answer') throw error;
        if (verdict === 'refused') throw new StoreUnavailableError(failureReason(error), { cause: error });
        failure = error;
      }
      const pauseMs = betweenCalls.delayMs(failures, this.#randomness);
      await sleep(this.#clock, Math.min(pauseMs, giveUpAt - this.#clock.elapsed()));
    }
  }

  #try<T>(forMs: number, work: (client: KurrentDBClient) => Promise<T>): Promise<T> {
    const { client } = this.#deps.connection;
    return answerOf(this.#deps, client, forMs, work(client));
  }
}

/**
 * Encodes at once: the caller may change the event afterwards.
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
  if (bytes > maxAppendBytes) throw tooLarge(maxAppendBytes);
  return encoded;
}

async function sendAppend(client: KurrentDBClient, append: Append): Promise<ServerAppended> {
  const call = await BatchCall.of(client);
  try {
    return await (call === undefined ? appendAlone(client, append) : call.append(append));
  } catch (error) {
    throw translated(error, append.stream, append.expected);
  }
}

/** One call an append, for servers before 21.10. */
async function appendAlone(client: KurrentDBClient, { stream, expected, events }: Append): Promise<ServerAppended> {
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
  return { revision: Number(nextExpectedRevision), ...(position && { position: position.commit }) };
}

function stateOf(expected: ExpectedRevision): bigint | 'any' | typeof NO_STREAM {
  if (expected === 'any') return 'any';
  return expected === 'no-stream' ? NO_STREAM : BigInt(expected);
}

/** A refusal as the port's error. */
function translated(error: unknown, stream: string, expected: ExpectedRevision): unknown {
  if (error instanceof MaxAppendSizeExceededError) {
    return tooLarge(error.maxAppendSize);
  }
  if (error instanceof InvalidArgumentError) {
    return new RangeError(`the event store takes no such append: ${error.message}`, { cause: error });
  }
  if (!(error instanceof WrongExpectedVersionError)) return error;
  const actual = typeof error.actualState === 'bigint' ? Number(error.actualState) : -1;
  return new WrongExpectedRevisionError(stream, expected, actual);
}

const tooLarge = (maxBytes: number): RangeError =>
  new RangeError(`an append is larger than the ${maxBytes} bytes that the event store takes`);
