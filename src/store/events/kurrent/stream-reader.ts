import { type RecordedEvent as ClientEvent, StreamDeletedError } from '@kurrent/kurrentdb-client';
import { LightAbort } from '../../../../actors/kit/light-abort.ts';
import { sleep } from '../../../../actors/kit/sleep.ts';
import type { Clock, Randomness } from '../../../../actors/ports/clock.ts';
import { type ReadOptions, type RecordedEvent, StoreUnavailableError } from '../../../../actors/ports/event-store.ts';
import type { Availability } from './availability.ts';
import type { KurrentConnection } from './connection.ts';
import { failureReason, judge } from './failures.ts';
import { metadataStream, recordedEvent, type StreamSettings, settingsIn } from './recorded-event.ts';
import { betweenCalls } from './retry-policies.ts';
import { answerOf, type CallDeps } from './server-answer.ts';
import { readStream, type StreamRange } from './stream-read.ts';

/** Timeout of each event: the client has none. */
const answerMs = 2000;
/** A read fails if no event comes in this time, retries included. */
const deadlineMs = 4000;

/** One for all reads: an error costs more than the rest of a read's end. */
const hasEnded = new Error('the read has ended');

/** Reads single streams; `Follower` reads all of them. */
export class KurrentReader {
  #deps: CallDeps;
  #clock: Clock;
  #randomness: Randomness;
  readonly #closing = new LightAbort();

  constructor(connection: KurrentConnection, clock: Clock, randomness: Randomness, availability: Availability) {
    this.#deps = { activity: 'reading', connection, clock, availability };
    this.#clock = clock;
    this.#randomness = randomness;
  }

  close(): void {
    this.#closing.abort(new StoreUnavailableError('the event store is closed'));
  }

  async last(stream: string): Promise<RecordedEvent | undefined> {
    return recordedEvent(await this.newest(stream));
  }

  /** The last event that the server shows, also if it is the mark of an erasure. */
  async newest(stream: string): Promise<ClientEvent | undefined> {
    for await (const event of this.#events({ stream, backwards: true, from: undefined, limit: 1 })) return event;
    return undefined;
  }

  async newestPosition(): Promise<bigint | undefined> {
    for await (const event of this.#events({ stream: undefined, backwards: true, from: undefined, limit: 1 })) {
      return event.position?.commit;
    }
    return undefined;
  }

  /** A stream's metadata and its revision; -1 if it has none. */
  async settings(stream: string): Promise<{ settings: StreamSettings; revision: number }> {
    const event = await this.newest(metadataStream(stream));
    if (event === undefined) return { settings: {}, revision: -1 };
    return { settings: settingsIn(event), revision: Number(event.revision) };
  }

  async *read(
    stream: string,
    { direction = 'forwards', from, limit = Infinity }: ReadOptions = {},
  ): AsyncGenerator<RecordedEvent> {
    const backwards = direction === 'backwards';
    let first = from;
    if (backwards && from !== undefined) {
      // The server would search page by page for a revision that does not exist yet.
      const last = await this.newest(stream);
      first = last && Math.min(from, Number(last.revision));
    }
    for await (const event of this.#events({ stream, backwards, from: first, limit })) {
      const recorded = recordedEvent(event);
      if (recorded !== undefined) yield recorded;
    }
  }

  /** Continues behind the last event after a failure. */
  async *#events(range: StreamRange): AsyncGenerator<ClientEvent> {
    let { from, limit } = range;
    let giveUpAt = this.#clock.elapsed() + deadlineMs;
    for (let failures = 1; limit > 0; failures++) {
      try {
        for await (const event of this.#once({ ...range, from, limit })) {
          yield event;
          from = Number(event.revision) + (range.backwards ? -1 : 1);
          limit -= 1;
          failures = 1;
          giveUpAt = this.#clock.elapsed() + deadlineMs;
          if (from < 0) return;
        }
        return;
      } catch (error) {
        if (error instanceof StreamDeletedError) return;
        const leftMs = giveUpAt - this.#clock.elapsed();
        const verdict = judge(error);
        if (verdict === 'answer' || verdict === 'refused' || leftMs <= 0 || this.#closing.aborted) {
          throw new StoreUnavailableError(`the event store could not be read: ${failureReason(error)}`, {
            cause: error,
          });
        }
        const pauseMs = betweenCalls.delayMs(failures, this.#randomness);
        await sleep(this.#clock, Math.min(pauseMs, leftMs), this.#closing);
      }
    }
  }

  async *#once(range: StreamRange): AsyncGenerator<ClientEvent> {
    this.#closing.throwIfAborted();
    const { client } = this.#deps.connection;
    const over = new LightAbort();
    const events = readStream(client, range, over);
    try {
      for (;;) {
        const next = await answerOf(this.#deps, client, answerMs, events.next());
        if (next.done === true) return;
        yield next.value;
      }
    } finally {
      over.abort(hasEnded);
    }
  }
}
