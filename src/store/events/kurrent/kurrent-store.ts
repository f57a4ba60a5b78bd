import type { Clock, Randomness } from '../../../../actors/ports/clock.ts';
import {
  type Appended,
  type EventStore,
  type ExpectedRevision,
  type NewEvent,
  type ReadAllOptions,
  type ReadOptions,
  type RecordedEvent,
  type StoreOverview,
  StoreUnavailableError,
  type StreamExtent,
  type SubscribeOptions,
  type Subscription,
} from '../../../../actors/ports/event-store.ts';
import { type Log, silentLog } from '../../../../actors/ports/log.ts';
import { isWanted, mustSayWhatIsWanted } from '../../../../actors/ports/wanted-events.ts';
import type { Outage } from '../opened-store.ts';
import { Availability } from './availability.ts';
import { KurrentConnection } from './connection.ts';
import { connectionString } from './connection-string.ts';
import { type Followed, Follower } from './follower.ts';
import { findExtents, findLastOfEach } from './last-of-each.ts';
import { recordedEvent } from './recorded-event.ts';
import { Remover } from './remover.ts';
import { KurrentReader } from './stream-reader.ts';
import { KurrentWriter } from './writer.ts';

export interface KurrentStoreOptions {
  /** `kurrentdb://…` or `kurrentdb+discover://…`. May carry credentials. */
  url: string;
  clock: Clock;
  randomness: Randomness;
  log?: Log;
}

export interface KurrentStore extends EventStore, StoreOverview {
  /** Why the server does not answer, and since when; undefined if the last calls succeeded. */
  readonly outage: Outage | undefined;
}

/** A read of all streams fails if nothing new comes in this time. */
const readAllDeadlineMs = 10_000;

/**
 * The event store on a KurrentDB server or cluster. The server may be down at this moment.
 * @throws {TypeError} the URL is not a KurrentDB URL.
 */
export function openKurrentStore({ url, clock, randomness, log = silentLog }: KurrentStoreOptions): KurrentStore {
  return new ServerStore(connectionString(url), clock, randomness, log);
}

/** Each activity has its own client: replacing one does not disturb the others. */
class ServerStore implements KurrentStore {
  #connections: readonly KurrentConnection[];
  #availability: Availability;
  #writer: KurrentWriter;
  #reader: KurrentReader;
  #remover: Remover;
  #follower: Follower;
  #running = new Set<Promise<void>>();
  #closing = new AbortController();
  #closed: Promise<void> | undefined;

  constructor(url: string, clock: Clock, randomness: Randomness, log: Log) {
    const [writing, reading, following] = [
      new KurrentConnection(url),
      new KurrentConnection(url),
      new KurrentConnection(url),
    ];
    this.#connections = [writing, reading, following];
    // An invalid URL throws here.
    writing.open();
    this.#availability = new Availability(clock, log);
    this.#reader = new KurrentReader(reading, clock, randomness, this.#availability);
    this.#writer = new KurrentWriter(writing, clock, randomness, this.#availability, this.#reader);
    this.#remover = new Remover(this.#reader, this.#writer, randomness);
    this.#follower = new Follower(following, clock, randomness, this.#availability);
  }

  get outage(): Outage | undefined {
    return this.#availability.outage;
  }

  append(stream: string, expected: ExpectedRevision, events: readonly NewEvent[]): Promise<Appended> {
    return this.#writer.append(stream, expected, events);
  }

  last(stream: string): Promise<RecordedEvent | undefined> {
    return this.#reader.last(stream);
  }

  read(stream: string, options?: ReadOptions): AsyncIterable<RecordedEvent> {
    return this.#reader.read(stream, options);
  }

  async *lastOfEach(prefix: string): AsyncIterable<RecordedEvent> {
    this.#mustBeOpen();
    yield* await findLastOfEach(prefix, (prefixes) => this.#readToEnd(prefixes));
    this.#mustBeOpen();
  }

  async *extents(prefix = ''): AsyncIterable<StreamExtent> {
    this.#mustBeOpen();
    const firstOf = async (stream: string): Promise<number | undefined> => {
      for await (const { revision } of this.#reader.read(stream, { limit: 1 })) return revision;
      return undefined;
    };
    yield* await findExtents(prefix, (prefixes) => this.#readToEnd(prefixes), firstOf);
    this.#mustBeOpen();
  }

  newestPosition(): Promise<bigint | undefined> {
    return this.#reader.newestPosition();
  }

  #readToEnd(prefixes: readonly string[] | undefined, after?: bigint): AsyncIterable<Followed> {
    const { signal } = this.#closing;
    return this.#follower.readToEnd({ after, prefixes, signal, giveUpMs: readAllDeadlineMs });
  }

  async *readAll({ after, prefixes, limit = Infinity }: ReadAllOptions = {}): AsyncIterable<RecordedEvent> {
    this.#mustBeOpen();
    mustSayWhatIsWanted({ prefixes });
    let left = limit;
    if (left <= 0) return;
    for await (const message of this.#readToEnd(prefixes, after)) {
      if ('caughtUp' in message) return;
      for (const each of message.events) {
        const event = recordedEvent(each);
        if (event === undefined) continue;
        yield event;
        left -= 1;
        if (left <= 0) return;
      }
    }
    this.#mustBeOpen();
  }

  subscribeAll(options: SubscribeOptions): Subscription {
    this.#mustBeOpen();
    mustSayWhatIsWanted(options);
    const stopping = new AbortController();
    const signal = AbortSignal.any([stopping.signal, this.#closing.signal]);
    const running = this.#handOver(options, signal);
    this.#running.add(running);
    void running.then(() => this.#running.delete(running));
    return {
      stop: () => {
        stopping.abort();
        return running;
      },
    };
  }

  async #handOver(
    { after, prefixes, types, onEvent, onCaughtUp, onError }: SubscribeOptions,
    signal: AbortSignal,
  ): Promise<void> {
    try {
      for await (const message of this.#follower.follow({ after, prefixes, types, signal })) {
        if (signal.aborted) return;
        if ('caughtUp' in message) {
          onCaughtUp?.();
          continue;
        }
        for (const each of message.events) {
          const event = recordedEvent(each);
          // By type, the server also sends what stands in other streams.
          if (event === undefined || (types !== undefined && !isWanted({ prefixes, types }, event))) continue;
          const handling = onEvent(event);
          if (handling !== undefined) await handling;
          if (signal.aborted) return;
        }
      }
    } catch (error) {
      onError?.(error);
    }
  }

  truncate(stream: string, before: number): Promise<void> {
    return this.#remover.truncate(stream, before);
  }

  erase(stream: string): Promise<void> {
    return this.#remover.erase(stream);
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    this.#closing.abort();
    this.#reader.close();
    await Promise.all([...this.#running, this.#writer.close()]);
    await Promise.all(this.#connections.map((connection) => connection.dispose()));
  }

  #mustBeOpen(): void {
    if (this.#closed !== undefined) throw new StoreUnavailableError('the event store is closed');
  }
}
