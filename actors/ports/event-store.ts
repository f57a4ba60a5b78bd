/**
 * The event store as the actors and the projections need it. Adapters live in `src/store/`; every adapter passes
 * `test/support/store/contract/event-store.ts`.
 */

/** What JSON can carry; nothing else enters an event. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json | undefined };

export interface NewEvent {
  /** UUID. The same ID sent again with the same expected revision is one event: that is how a retry is safe. */
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
  /** Place in the order of the whole store; grows, with gaps. */
  position: bigint;
  /** When the store recorded it, milliseconds since 1970. */
  created: number;
  /**
   * Set if what the store has for `data` or `metadata` is not JSON: `broken-json` if it is marked as JSON, else `not-json`.
   * Then both are null.
   */
  damage?: 'broken-json' | 'not-json';
}

/**
 * Type of the event that a store may put at the end of a stream that is being erased. It says nothing. Of all reads
 * `lastOfEach` alone shows it, and only of a stream whose erasure was interrupted.
 */
export const erasedType = 'StreamErased';

/** The revision that the stream's last event must have; `'no-stream'` where it must have none, `'any'` to not care. */
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
  /** At most so many events. */
  limit?: number;
}

export interface ReadAllOptions {
  /** Only events after this position (exclusive). Default: from the beginning. */
  after?: bigint;
  /** Only streams whose name begins with one of these. Default: all. */
  prefixes?: readonly string[];
  limit?: number;
}

export interface Subscription {
  /** Ends it; resolves when a handler that is running has ended. No event is handed over after that. */
  stop(): Promise<void>;
}

export interface SubscribeOptions extends Omit<ReadAllOptions, 'limit'> {
  /** Called for one event after the other, in order of position; the next one waits for the promise. */
  onEvent: (event: RecordedEvent) => void | Promise<void>;
  /** Called once, when everything recorded at the time of the call has been handed over. */
  onCaughtUp?: () => void;
  /** The handler threw: the subscription has ended. (A store that goes away is retried, not reported here.) */
  onError?: (error: unknown) => void;
}

/** No read fails because of what an event holds: one that is not JSON is handed over with its `damage`. */
export interface EventStore {
  /**
   * Appends all events or none, durably, and resolves only then.
   * @throws {WrongExpectedRevisionError} the stream is elsewhere: nothing was appended.
   * @throws {StoreUnavailableError} outcome unknown: send the same IDs with the same revision again.
   */
  append(stream: string, expected: ExpectedRevision, events: readonly NewEvent[]): Promise<Appended>;
  /** The last event of a stream, or undefined where it has none. */
  last(stream: string): Promise<RecordedEvent | undefined>;
  /** The last event of every stream whose name begins with the prefix, in no particular order: what a restart reads. */
  lastOfEach(prefix: string): AsyncIterable<RecordedEvent>;
  read(stream: string, options?: ReadOptions): AsyncIterable<RecordedEvent>;
  readAll(options?: ReadAllOptions): AsyncIterable<RecordedEvent>;
  /** Hands over what is recorded, then what comes, without a gap and without polling. */
  subscribeAll(options: SubscribeOptions): Subscription;
  /** Removes the events of a stream before a revision. The numbering goes on. */
  truncate(stream: string, before: number): Promise<void>;
  /** Removes a stream's events for good. An unknown stream is no error. */
  erase(stream: string): Promise<void>;
  /** Ends subscriptions, finishes what was accepted, lets go of the files or connections. */
  close(): Promise<void>;
}

/** Which events of a stream are there: all from the first to the last. */
export interface StreamExtent {
  stream: string;
  first: number;
  last: number;
}

/** What a store far away says of all that it holds: asking for it stream by stream would take many times as long. */
export interface StoreOverview {
  /** Of every stream that shows an event, in no particular order. */
  extents(): AsyncIterable<StreamExtent>;
  /** Of the newest event of all; undefined where there is none. */
  newestPosition(): Promise<bigint | undefined>;
}

/** A store that is only read. */
export type EventReader = Pick<EventStore, 'last' | 'lastOfEach' | 'read' | 'readAll' | 'close'> &
  Partial<StoreOverview>;

/** Somebody else has appended: retrying cannot help, reading again can. */
export class WrongExpectedRevisionError extends Error {
  override name = 'WrongExpectedRevisionError';
  readonly stream: string;
  readonly expected: ExpectedRevision;
  /** -1 where the stream has no event. */
  readonly actual: number;

  constructor(stream: string, expected: ExpectedRevision, actual: number) {
    super(`stream ${stream} is at revision ${actual}, expected ${expected}`);
    this.stream = stream;
    this.expected = expected;
    this.actual = actual;
  }
}

/** The store did not answer, or could not say whether it recorded: the same append may be sent again. */
export class StoreUnavailableError extends Error {
  override name = 'StoreUnavailableError';
  readonly retryable = true;
}
