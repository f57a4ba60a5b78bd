import {
  mustNamePrefixes,
  type ReadAllOptions,
  type ReadOptions,
  type RecordedEvent,
  StoreUnavailableError,
} from '../../../../actors/ports/event-store.ts';
import type { Database, SqlValue, Statement } from '../../database.ts';
import { nextTurn } from './turn.ts';

type EventRow = [
  revision: number,
  position: number,
  id: string,
  type: string,
  data: string,
  metadata: string,
  created: number,
];
/** For queries over several streams. */
type StreamRow = [...EventRow, stream: string];

/** The events of a range of positions. */
export interface EventPage {
  events: RecordedEvent[];
  /** Last position of the range. */
  upTo: bigint;
  /** There was no event after the range when it was read. */
  atEnd: boolean;
}

/** Rows of one query: about 3 ms of the event loop. */
const pageEvents = 500;
/** Positions that one query covers at most, if few of them match. */
const windowPositions = 5000;

const columns = 'e.rev, e.pos, e.id, e.type, e.data, e.metadata, e.created';
const ofStream = `SELECT ${columns} FROM events AS e WHERE e.sid = (SELECT sid FROM streams WHERE name = ?)`;
/** Sorts after every name that begins with the prefix: it ends in the last code point. */
const endOf = (prefix: string): string => `${prefix}\u{10FFFF}`;

/** All reads. They go in pages, so that a long read does not block the event loop. */
export class SqliteReader {
  #database: Database;
  #last: Statement<EventRow>;
  #lastOfEach: Statement<StreamRow>;
  #forwards: Statement<EventRow>;
  #backwards: Statement<EventRow>;
  #head: Statement<[position: number | null]>;
  #firstAfter: Statement<[position: number | null]>;
  #windows = new Map<number, Statement<StreamRow>>();
  #closed = false;

  constructor(database: Database) {
    this.#database = database;
    this.#last = database.prepare(`${ofStream} ORDER BY e.rev DESC LIMIT 1`);
    this.#lastOfEach = database.prepare(
      `SELECT ${columns}, s.name FROM streams AS s
       JOIN events AS e ON e.sid = s.sid AND e.rev = (SELECT max(rev) FROM events WHERE sid = s.sid)
       WHERE s.name > ? AND s.name >= ? AND s.name < ? ORDER BY s.name LIMIT ?`,
    );
    this.#forwards = database.prepare(`${ofStream} AND e.rev >= ? ORDER BY e.rev LIMIT ?`);
    this.#backwards = database.prepare(`${ofStream} AND e.rev <= ? ORDER BY e.rev DESC LIMIT ?`);
    this.#head = database.prepare('SELECT max(pos) FROM events');
    this.#firstAfter = database.prepare('SELECT min(pos) FROM events WHERE pos > ?');
  }

  close(): void {
    this.#closed = true;
  }

  last(stream: string): RecordedEvent | undefined {
    return this.#guarded(() => {
      const row = this.#last.get(stream);
      return row && recorded(stream, row);
    });
  }

  async *lastOfEach(prefix: string): AsyncGenerator<RecordedEvent> {
    for (let after = ''; ; await nextTurn()) {
      const from = after;
      const rows = this.#guarded(() => this.#lastOfEach.all(from, prefix, endOf(prefix), pageEvents));
      for (const row of rows) yield recorded(row[7], row);
      if (rows.length < pageEvents) return;
      after = rows.at(-1)?.[7] ?? after;
    }
  }

  async *read(
    stream: string,
    { direction = 'forwards', from, limit }: ReadOptions = {},
  ): AsyncGenerator<RecordedEvent> {
    const statement = direction === 'forwards' ? this.#forwards : this.#backwards;
    const step = direction === 'forwards' ? 1 : -1;
    let revision = from ?? (direction === 'forwards' ? 0 : Number.MAX_SAFE_INTEGER);
    for (let left = limit ?? Infinity; ; await nextTurn()) {
      const first = revision;
      const wanted = Math.min(left, pageEvents);
      const rows = this.#guarded(() => statement.all(stream, first, wanted));
      for (const row of rows) yield recorded(stream, row);
      left -= rows.length;
      if (rows.length < wanted || left === 0) return;
      revision = (rows.at(-1)?.[0] ?? 0) + step;
    }
  }

  async *readAll({ after = 0n, prefixes, limit = Infinity }: ReadAllOptions = {}): AsyncGenerator<RecordedEvent> {
    mustNamePrefixes({ prefixes });
    let left = limit;
    for (let page: EventPage | undefined; left > 0 && page?.atEnd !== true; await nextTurn()) {
      page = this.page(page?.upTo ?? after, prefixes, Math.min(left, pageEvents));
      left -= page.events.length;
      yield* page.events;
    }
  }

  /** Position of the newest event; 0 if there is none. */
  head(): bigint {
    return BigInt(this.#guarded(() => this.#head.get()?.[0] ?? 0));
  }

  /** The events after a position. It may be empty before the end, if no stream of the range matches. */
  page(after: bigint, prefixes: readonly string[] | undefined, limit = pageEvents): EventPage {
    return this.#guarded(() => {
      const head = Number(this.head());
      const first = this.#firstAfter.get(Number(after))?.[0] ?? undefined;
      if (first === undefined) return { events: [], upTo: after, atEnd: true };
      const end = Math.min(head, first + windowPositions - 1);
      const rows = this.#window(prefixes?.length ?? 0).all(first, end, ...prefixBounds(prefixes), limit);
      const upTo = rows.length < limit ? end : (rows.at(-1)?.[1] ?? end);
      return { events: rows.map((row) => recorded(row[7], row)), upTo: BigInt(upTo), atEnd: upTo >= head };
    });
  }

  #window(prefixes: number): Statement<StreamRow> {
    const known = this.#windows.get(prefixes);
    if (known !== undefined) return known;
    const wanted = Array.from({ length: prefixes }, () => '(s.name >= ? AND s.name < ?)').join(' OR ');
    const statement = this.#database.prepare<StreamRow>(
      `SELECT ${columns}, s.name FROM events AS e CROSS JOIN streams AS s ON s.sid = e.sid
       WHERE e.pos BETWEEN ? AND ? ${wanted === '' ? '' : `AND (${wanted})`} ORDER BY e.pos LIMIT ?`,
    );
    this.#windows.set(prefixes, statement);
    return statement;
  }

  #guarded<T>(work: () => T): T {
    if (this.#closed) throw new StoreUnavailableError('the event store is closed');
    try {
      return work();
    } catch (error) {
      throw new StoreUnavailableError('the event store could not read', { cause: error });
    }
  }
}

const prefixBounds = (prefixes: readonly string[] = []): SqlValue[] =>
  prefixes.flatMap((prefix) => [prefix, endOf(prefix)]);

function recorded(
  stream: string,
  [revision, position, id, type, data, metadata, created]: EventRow | StreamRow,
): RecordedEvent {
  const event: RecordedEvent = {
    stream,
    revision,
    position: BigInt(position),
    id,
    type,
    data: null,
    metadata: null,
    created,
  };
  try {
    [event.data, event.metadata] = [JSON.parse(data), JSON.parse(metadata)];
  } catch {
    event.damage = 'broken-json';
  }
  return event;
}
