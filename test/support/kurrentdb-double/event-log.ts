import { randomUUID } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { decideAppend, type Expected, expectedName, StreamDeletedFault, WrongVersionFault } from './append-decision.ts';
import type { AppendMemory } from './append-memory.ts';
import { deletedStream, isDeleted, parseStreamMetadata, type StreamMetadata, visibleFrom } from './stream-metadata.ts';

/** An event as a client proposes it. */
export interface ProposedEvent {
  id: string;
  type: string;
  isJson: boolean;
  data: Uint8Array;
  metadata: Uint8Array;
}

export interface LoggedEvent extends ProposedEvent {
  stream: string;
  revision: number;
  /** Both commit and prepare position. */
  position: bigint;
  /** Milliseconds since 1970. */
  created: number;
}

/** Where an append has ended. */
export type AppendPlace = Pick<LoggedEvent, 'revision' | 'position'>;

export interface LoggedStream {
  /** By revision; holes where a scavenge has been. */
  events: (LoggedEvent | undefined)[];
  last: number;
  metadata: StreamMetadata;
  tombstoned: boolean;
}

/** The overhead of a record in the server's log, about. */
const recordBytes = 120;

/** What a KurrentDB node keeps on its disk: every event in one order, and by stream. Outlives the server on top of it. */
export class EventLog extends EventEmitter<{ committed: [] }> {
  /** In order of position. */
  all: LoggedEvent[] = [];
  #streams = new Map<string, LoggedStream>();
  #end = 0n;
  #now: () => number;

  constructor(now: () => number = Date.now) {
    super();
    this.setMaxListeners(0);
    this.#now = now;
    // A new database is not empty.
    this.#record('$user-admin', [systemEvent('$UserCreated', { loginName: 'admin' })]);
    this.#record('$$$stats-127.0.0.1:2113', [systemEvent('$metadata', { $maxAge: 86_400 })]);
    this.#record('$scavenges', [systemEvent('$scavengeIndexInitialized', {})]);
  }

  stream(name: string): LoggedStream | undefined {
    return this.#streams.get(name);
  }

  /** -1 where there never was an event. */
  lastRevision(name: string): number {
    return this.#streams.get(name)?.last ?? -1;
  }

  /** The revisions that a reader sees; undefined where there is no stream for it: never written, or deleted softly. */
  visible(name: string): { stream: LoggedStream; from: number } | undefined {
    const stream = this.#streams.get(name);
    if (stream === undefined || stream.last < 0 || isDeleted(stream.metadata)) return undefined;
    const from = visibleFrom(name.startsWith('$$') ? { maxCount: 1 } : stream.metadata, stream, this.#now());
    return { stream, from };
  }

  /** Where in `all` the first event at or behind a position is. */
  indexOf(position: bigint): number {
    let low = 0;
    let high = this.all.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.all[middle]?.position ?? 0n) < position) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /**
   * All or nothing; the place of its last event, also where a repetition was recognised. An append of nothing takes a
   * place in the log, and leaves the stream where it is (-1: it does not exist).
   * @param memory recognises repetitions, and is told of what is recorded
   * @throws {WrongVersionFault | StreamDeletedFault}
   */
  append(
    name: string,
    expected: Expected,
    events: readonly ProposedEvent[],
    memory: Pick<AppendMemory, 'find' | 'add'>,
  ): AppendPlace {
    const repeated = decideAppend(this, name, expected, events, memory);
    if (repeated !== undefined) return repeated;
    if (events.length === 0) {
      const position = this.#end;
      this.#end += BigInt(recordBytes + name.length);
      return { revision: this.lastRevision(name), position };
    }
    if (isDeleted(this.#streams.get(name)?.metadata ?? {})) this.#reopen(name);
    const last = this.#record(name, events);
    const stream = this.#streams.get(name);
    for (const event of stream?.events.slice(-events.length) ?? []) if (event !== undefined) memory.add(event);
    this.emit('committed');
    return last;
  }

  /** Hides what there is; the stream can be written again and counts on. */
  deleteSoftly(name: string, expected: Expected): bigint {
    this.#mustBeAt(name, expected);
    const metadata = { ...this.#streams.get(name)?.metadata.written, $tb: deletedStream };
    const { position } = this.#record(`$$${name}`, [systemEvent('$metadata', metadata)]);
    this.emit('committed');
    return position;
  }

  /** Closes the stream for ever. */
  tombstone(name: string, expected: Expected): bigint {
    this.#mustBeAt(name, expected);
    const { position } = this.#record(name, [systemEvent('$streamDeleted', {})]);
    const stream = this.#streams.get(name);
    if (stream !== undefined) stream.tombstoned = true;
    this.emit('committed');
    return position;
  }

  /** Takes out of the log what no stream shows, but for the last event of each stream: it holds the number. */
  scavenge(): void {
    const kept = new Set<LoggedEvent>();
    for (const [name, { events, last }] of this.#streams) {
      const from = this.visible(name)?.from ?? Infinity;
      for (const event of events) if (event !== undefined && event.revision >= from) kept.add(event);
      const newest = events[last];
      if (newest !== undefined) kept.add(newest);
    }
    for (const event of this.all) {
      if (kept.has(event)) continue;
      const stream = this.#streams.get(event.stream);
      if (stream !== undefined) stream.events[event.revision] = undefined;
    }
    this.all = this.all.filter((event) => kept.has(event));
  }

  #mustBeAt(name: string, expected: Expected): void {
    const stream = this.#streams.get(name);
    if (stream?.tombstoned === true) throw new StreamDeletedFault(name);
    const last = stream?.last ?? -1;
    if (expected !== 'any' && expected !== 'exists' && expected !== last) {
      throw new WrongVersionFault(name, expectedName(expected), last);
    }
  }

  /** The first append after a soft deletion makes what comes visible, and nothing older. */
  #reopen(name: string): void {
    const stream = this.#streams.get(name);
    const metadata = { ...stream?.metadata.written, $tb: (stream?.last ?? -1) + 1 };
    this.#record(`$$${name}`, [systemEvent('$metadata', metadata)]);
  }

  #record(name: string, events: readonly ProposedEvent[]): LoggedEvent {
    const stream = this.#streams.get(name) ?? { events: [], last: -1, metadata: {}, tombstoned: false };
    this.#streams.set(name, stream);
    let recorded: LoggedEvent | undefined;
    for (const event of events) {
      stream.last += 1;
      recorded = { ...event, stream: name, revision: stream.last, position: this.#end, created: this.#now() };
      this.#end += BigInt(recordBytes + name.length + event.type.length + event.data.length + event.metadata.length);
      stream.events[stream.last] = recorded;
      this.all.push(recorded);
    }
    if (recorded === undefined) throw new RangeError('a record needs an event');
    if (name.startsWith('$$')) this.#describe(name.slice(2), recorded.data);
    return recorded;
  }

  #describe(name: string, metadata: Uint8Array): void {
    const stream = this.#streams.get(name) ?? { events: [], last: -1, metadata: {}, tombstoned: false };
    this.#streams.set(name, stream);
    stream.metadata = parseStreamMetadata(metadata);
  }
}

function systemEvent(type: string, data: object): ProposedEvent {
  // The number that means a deletion is beyond what JSON.stringify can write.
  const text = JSON.stringify(data, (_, value: unknown) => (typeof value === 'bigint' ? `#${value}#` : value));
  return {
    id: randomUUID(),
    type,
    isJson: true,
    data: Buffer.from(text.replace(/"#(\d+)#"/, '$1')),
    metadata: new Uint8Array(),
  };
}
