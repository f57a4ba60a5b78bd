import { randomUUID } from 'node:crypto';
import type { Clock } from '../../../actors/ports/clock.ts';
import {
  type Appended,
  type EventStore,
  type ExpectedRevision,
  type NewEvent,
  type ReadAllOptions,
  type ReadOptions,
  type RecordedEvent,
  StoreUnavailableError,
  type SubscribeOptions,
  type Subscription,
  WrongExpectedRevisionError,
} from '../../../actors/ports/event-store.ts';
import { isWanted, mustSayWhatIsWanted } from '../../../actors/ports/wanted-events.ts';
import type { PlantedEvent } from './plant-event.ts';

interface MemoryStream {
  /** Revision of the last event ever appended. */
  last: number;
  events: RecordedEvent[];
}

/** What outlives a store that stands on it. */
export class MemoryDisk {
  readonly streams = new Map<string, MemoryStream>();
  log: RecordedEvent[] = [];
  readonly byId = new Map<string, RecordedEvent>();
  position = 0n;

  /** Puts an event at the end of a stream, its texts as they are; a store that stands on it sees it from then on. */
  plant(name: string, { type, data, metadata }: PlantedEvent): void {
    this.restore({
      id: randomUUID(),
      type,
      ...contentOf(data, metadata),
      stream: name,
      revision: (this.streams.get(name)?.last ?? -1) + 1,
      position: this.position + 1n,
      created: 0,
    });
  }

  /** Puts an event where it was in another store: behind all that are here. */
  restore(event: RecordedEvent): void {
    const stream = this.streams.get(event.stream) ?? { last: -1, events: [] };
    this.streams.set(event.stream, stream);
    stream.last = event.revision;
    stream.events.push(event);
    this.position = event.position;
    this.log.push(event);
    this.byId.set(event.id, event);
  }
}

function contentOf(data: string, metadata = 'null'): Pick<RecordedEvent, 'data' | 'metadata' | 'damage'> {
  try {
    return { data: JSON.parse(data), metadata: JSON.parse(metadata) };
  } catch {
    return { data: null, metadata: null, damage: 'broken-json' };
  }
}

/**
 * Give it the disk of an earlier one, and it has what that one recorded.
 * @param forgets asked for each repeated append that expects "any": whether it is recorded a second time
 */
export function createMemoryStore(
  clock: Pick<Clock, 'now'>,
  disk = new MemoryDisk(),
  forgets: () => boolean = () => false,
): EventStore {
  return new MemoryStore(clock, disk, forgets);
}

/** An event store as plainly as it can be written: the model for the others, and the disk of the simulation. */
class MemoryStore implements EventStore {
  #clock: Pick<Clock, 'now'>;
  #disk: MemoryDisk;
  #subscribers = new Set<MemorySubscription>();
  #forgets: () => boolean;
  #closed = false;

  constructor(clock: Pick<Clock, 'now'>, disk: MemoryDisk, forgets: () => boolean) {
    this.#forgets = forgets;
    this.#clock = clock;
    this.#disk = disk;
  }

  async append(stream: string, expected: ExpectedRevision, events: readonly NewEvent[]): Promise<Appended> {
    this.#mustBeOpen();
    if (events.length === 0) throw new RangeError('an append needs an event');
    const copies = events.map((event) => copy(event));
    // Like every store: nothing is visible before the caller has gone on.
    await Promise.resolve();
    this.#mustBeOpen();
    const last = this.#disk.streams.get(stream)?.last ?? -1;
    const repeated = this.#repeated(stream, expected, copies);
    if (repeated !== undefined) {
      return expected === 'any' && this.#forgets() ? this.#record(stream, copies) : repeated;
    }
    if ((expected !== 'any' && numeric(expected) !== last) || !this.#allNew(copies)) {
      throw new WrongExpectedRevisionError(stream, expected, last);
    }
    return this.#record(stream, copies);
  }

  #record(name: string, events: readonly NewEvent[]): Appended {
    const stream = this.#disk.streams.get(name) ?? { last: -1, events: [] };
    this.#disk.streams.set(name, stream);
    const created = this.#clock.now();
    for (const event of events) {
      stream.last += 1;
      this.#disk.position += 1n;
      const recorded = { ...event, stream: name, revision: stream.last, position: this.#disk.position, created };
      stream.events.push(recorded);
      this.#disk.log.push(recorded);
      this.#disk.byId.set(event.id, recorded);
    }
    for (const subscriber of this.#subscribers) subscriber.wake();
    return { revision: stream.last, position: this.#disk.position };
  }

  #allNew(events: readonly NewEvent[]): boolean {
    const ids = new Set(events.map(({ id }) => id));
    return ids.size === events.length && !events.some(({ id }) => this.#disk.byId.has(id));
  }

  /** The old answer, where these very events are already there, one after the other, at the expected place. */
  #repeated(stream: string, expected: ExpectedRevision, events: readonly NewEvent[]): Appended | undefined {
    const first = this.#disk.byId.get(events[0]?.id ?? '');
    if (first?.stream !== stream) return undefined;
    if (expected !== 'any' && first.revision !== numeric(expected) + 1) return undefined;
    const found = events.map(({ id }) => this.#disk.byId.get(id));
    if (!found.every((event, index) => event?.stream === stream && event.revision === first.revision + index)) {
      return undefined;
    }
    const last = found.at(-1) ?? first;
    return { revision: last.revision, position: last.position };
  }

  async last(stream: string): Promise<RecordedEvent | undefined> {
    this.#mustBeOpen();
    const last = this.#disk.streams.get(stream)?.events.at(-1);
    return last && copyRecorded(last);
  }

  async *lastOfEach(prefix: string): AsyncIterable<RecordedEvent> {
    this.#mustBeOpen();
    for (const [name, { events }] of this.#disk.streams) {
      const last = events.at(-1);
      if (last !== undefined && name.startsWith(prefix)) yield copyRecorded(last);
    }
  }

  async *read(stream: string, options: ReadOptions = {}): AsyncIterable<RecordedEvent> {
    this.#mustBeOpen();
    const { direction = 'forwards', from, limit = Infinity } = options;
    const events = this.#disk.streams.get(stream)?.events ?? [];
    const wanted =
      direction === 'forwards'
        ? events.filter(({ revision }) => revision >= (from ?? 0))
        : events.filter(({ revision }) => revision <= (from ?? Infinity)).toReversed();
    for (const event of wanted.slice(0, limit)) yield copyRecorded(event);
  }

  async *readAll({ after = 0n, prefixes, limit = Infinity }: ReadAllOptions = {}): AsyncIterable<RecordedEvent> {
    mustSayWhatIsWanted({ prefixes });
    this.#mustBeOpen();
    const wanted = this.#disk.log.filter((event) => event.position > after && isWanted({ prefixes }, event));
    for (const event of wanted.slice(0, limit)) yield copyRecorded(event);
  }

  subscribeAll(options: SubscribeOptions): Subscription {
    this.#mustBeOpen();
    mustSayWhatIsWanted(options);
    const subscriber = new MemorySubscription(options, this.#disk.position, (after) => this.#firstAfter(after));
    this.#subscribers.add(subscriber);
    subscriber.wake();
    return {
      stop: () => {
        this.#subscribers.delete(subscriber);
        return subscriber.stop();
      },
    };
  }

  #firstAfter(after: bigint): RecordedEvent | undefined {
    const newest = this.#disk.log.at(-1);
    if (newest === undefined || newest.position <= after) return undefined;
    let low = 0;
    let high = this.#disk.log.length - 1;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#disk.log[middle]?.position ?? 0n) > after) high = middle;
      else low = middle + 1;
    }
    return this.#disk.log[low];
  }

  async truncate(stream: string, before: number): Promise<void> {
    await Promise.resolve();
    this.#mustBeOpen();
    this.#remove(stream, (event) => event.revision < before);
  }

  async erase(stream: string): Promise<void> {
    await Promise.resolve();
    this.#mustBeOpen();
    this.#remove(stream, () => true);
    this.#disk.streams.delete(stream);
  }

  #remove(name: string, goes: (event: RecordedEvent) => boolean): void {
    const stream = this.#disk.streams.get(name);
    if (stream === undefined) return;
    const gone = new Set(stream.events.filter((event) => goes(event)));
    if (gone.size === 0) return;
    stream.events = stream.events.filter((event) => !gone.has(event));
    this.#disk.log = this.#disk.log.filter((event) => !gone.has(event));
    for (const { id } of gone) this.#disk.byId.delete(id);
  }

  async close(): Promise<void> {
    await Promise.resolve();
    this.#closed = true;
    await Promise.all([...this.#subscribers].map((subscriber) => subscriber.stop()));
  }

  #mustBeOpen(): void {
    if (this.#closed) throw new StoreUnavailableError('the event store is closed');
  }
}

/** Follows the log by position: what it has not handed over yet, it looks up when it gets there. */
class MemorySubscription {
  #options: SubscribeOptions;
  #target: bigint;
  #cursor: bigint;
  #next: (after: bigint) => RecordedEvent | undefined;
  #caughtUp = false;
  #stopped = false;
  #running: Promise<void> | undefined;

  constructor(options: SubscribeOptions, target: bigint, next: (after: bigint) => RecordedEvent | undefined) {
    this.#options = options;
    this.#target = target;
    this.#cursor = options.after ?? 0n;
    this.#next = next;
  }

  wake(): void {
    this.#running ??= this.#run();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#running;
  }

  async #run(): Promise<void> {
    await Promise.resolve();
    try {
      for (;;) {
        if (this.#stopped) return;
        const event = this.#next(this.#cursor);
        if (!this.#caughtUp && (event === undefined || event.position > this.#target)) {
          this.#caughtUp = true;
          this.#options.onCaughtUp?.();
          continue;
        }
        if (event === undefined) break;
        if (isWanted(this.#options, event)) await this.#options.onEvent(copyRecorded(event));
        this.#cursor = event.position;
      }
      this.#running = undefined;
    } catch (error) {
      this.#stopped = true;
      this.#options.onError?.(error);
    }
  }
}

const numeric = (expected: number | 'no-stream'): number => (expected === 'no-stream' ? -1 : expected);

/** What JSON makes of it, so that nobody holds a part of the store. */
function copy({ id, type, data, metadata }: NewEvent): NewEvent {
  return { id, type, data: JSON.parse(JSON.stringify(data)), metadata: JSON.parse(JSON.stringify(metadata)) };
}

function copyRecorded(event: RecordedEvent): RecordedEvent {
  return { ...event, ...copy(event) };
}
