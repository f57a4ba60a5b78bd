/**
 * The event store that actors and projections use. Adapters live in `src/store/events`; every adapter passes
 * `test/support/store/contract/event-store.ts`.
 */

/** A JSON value; an event holds nothing else. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json | undefined };

export interface NewEvent {
  /**
   * UUID. Appending the same ID again with the same expected revision records one event, which makes retries safe. With
   * `'any'` it may be recorded again.
   */
  id: string;
  /** The fact, in the past tense: `LoggedIn`. */
  type: string;
  data: Json;
  metadata: Json;
}

export interface RecordedEvent extends NewEvent {
  stream: string;
  /** Number within the stream, from 0. */
  revision: number;
  /** Position in the order of the whole store; it grows, with gaps. */
  position: bigint;
  /** When the store recorded it, milliseconds since 1970. */
  created: number;
  /**
   * Set if the stored `data` or `metadata` is not JSON: `broken-json` if it is marked as JSON, else `not-json`. Also set
   * if the event is not what was recorded: `wrong-checksum`. Both are null then.
   */
  damage?: 'broken-json' | 'not-json' | 'wrong-checksum';
}

/**
 * Type of the event that a store may append to a stream that is being erased. It has no content. Only `lastOfEach`
 * shows it, and only for a stream whose erasure was interrupted.
 */
export const erasedType = 'StreamErased';

/**
 * The expected revision of the stream's last event; `'no-stream'` if it must have none, `'any'` to skip the check. A store
 * may record a repeated append with `'any'` a second time: a KurrentDB server recognises it only by what it has in
 * memory.
 */
export type ExpectedRevision = number | 'no-stream' | 'any';

export interface Appended {
  /** Revision of the last event of the append. */
  revision: number;
  /** Position of the last event of the append. */
  position: bigint;
}

export interface ReadOptions {
  /** `forwards` from the first event, or `backwards` from the last. Default `forwards`. */
  direction?: 'forwards' | 'backwards';
  /** First revision to read (inclusive). Default: the stream's first, or its last when reading backwards. */
  from?: number;
  /** Maximum number of events. */
  limit?: number;
}

export interface ReadAllOptions {
  /** Only events after this position (exclusive). Default: from the beginning. */
  after?: bigint;
  /** Only streams whose name begins with one of these, at least one. Default: all. */
  prefixes?: readonly string[];
  limit?: number;
}

export interface Subscription {
  /** Ends the subscription; resolves when a running handler has ended. No event follows. */
  stop(): Promise<void>;
}

export interface SubscribeOptions extends Omit<ReadAllOptions, 'limit'> {
  /** Of the streams with one of the prefixes, only events of these types. A server sends no others. Default: of all types. */
  types?: readonly string[];
  /** Called for each event in the order of positions; the next call waits for the promise. */
  onEvent: (event: RecordedEvent) => void | Promise<void>;
  /** Called once, when every event recorded before the call was delivered. */
  onCaughtUp?: () => void;
  /** The handler threw: the subscription has ended. (An unavailable store is retried, not reported here.) */
  onError?: (error: unknown) => void;
}

/** Reads do not fail because of an event's content: an event that is not JSON is returned with its `damage`. */
export interface EventStore {
  /**
   * Appends all events or none, and resolves when they are durable.
   * @throws {WrongExpectedRevisionError} the stream is at another revision; nothing was appended
   * @throws {StoreUnavailableError} the outcome is unknown: repeat with the same IDs and the same revision
   */
  append(stream: string, expected: ExpectedRevision, events: readonly NewEvent[]): Promise<Appended>;
  /** The last event of a stream; undefined if it has none. */
  last(stream: string): Promise<RecordedEvent | undefined>;
  /** The last event of every stream whose name begins with the prefix, in no particular order. A restart reads it. */
  lastOfEach(prefix: string): AsyncIterable<RecordedEvent>;
  read(stream: string, options?: ReadOptions): AsyncIterable<RecordedEvent>;
  /** @throws {RangeError} an empty list of prefixes */
  readAll(options?: ReadAllOptions): AsyncIterable<RecordedEvent>;
  /**
   * Delivers recorded events, then new ones, without a gap and without polling.
   * @throws {RangeError} an empty list of prefixes or types, or types without prefixes
   */
  subscribeAll(options: SubscribeOptions): Subscription;
  /** Removes the events of a stream before a revision. The numbering continues. */
  truncate(stream: string, before: number): Promise<void>;
  /** Removes a stream's events for good. An unknown stream is no error. */
  erase(stream: string): Promise<void>;
  /** Ends subscriptions, finishes accepted appends, and releases files and connections. */
  close(): Promise<void>;
}

/** The events that a stream still has: all from the first to the last. */
export interface StreamExtent {
  stream: string;
  first: number;
  last: number;
}

/** An overview of a remote store: reading it stream by stream would take many times as long. */
export interface StoreOverview {
  /**
   * The extents of all streams that have events, in no particular order.
   * @param prefix what the names of the streams begin with; default: every stream
   */
  extents(prefix?: string): AsyncIterable<StreamExtent>;
  /** Position of the newest event; undefined if there is none. */
  newestPosition(): Promise<bigint | undefined>;
}

/** The read side of a store. */
export type EventReader = Pick<EventStore, 'last' | 'lastOfEach' | 'read' | 'readAll' | 'close'> &
  Partial<StoreOverview> & {
    /** Checks a store that is a file. @returns what is wrong first; undefined if nothing is */
    findFault?(): string | undefined;
  };

/** Another writer appended. A retry cannot help; reading again can. */
export class WrongExpectedRevisionError extends Error {
  override name = 'WrongExpectedRevisionError';
  readonly stream: string;
  readonly expected: ExpectedRevision;
  /** -1 if the stream has no event. */
  readonly actual: number;

  constructor(stream: string, expected: ExpectedRevision, actual: number) {
    super(`stream ${stream} is at revision ${actual}, expected ${expected}`);
    this.stream = stream;
    this.expected = expected;
    this.actual = actual;
  }
}

/** The store did not answer, or does not know whether it recorded. The same append may be repeated. */
export class StoreUnavailableError extends Error {
  override name = 'StoreUnavailableError';
  readonly retryable = true;
}
