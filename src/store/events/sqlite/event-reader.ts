import { nextTurn } from '../../../../actors/kit/next-turn.ts';
import {
  type ReadAllOptions,
  type ReadOptions,
  type RecordedEvent,
  StoreUnavailableError,
} from '../../../../actors/ports/event-store.ts';
import { mustSayWhatIsWanted } from '../../../../actors/ports/wanted-events.ts';
import { DamagedDatabaseError, type Database, type OnDamaged, type SqlValue, type Statement } from '../../database.ts';
import { checksumOf } from './encoded-event.ts';
import { PagedQuery } from './paged-query.ts';

type EventRow = [
  revision: number,
  position: number,
  id: string,
  type: string,
  data: string,
  metadata: string,
  created: number,
  checksum: number | null,
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

/** Positions that one query covers at most, if few of them match. */
const windowPositions = 5000;

const columnsOf = (database: Database): string =>
  `e.rev, e.pos, e.id, e.type, e.data, e.metadata, e.created, ${hasChecksums(database) ? 'e.checksum' : 'NULL'}`;
const ofStream = 'FROM events AS e WHERE e.sid = (SELECT sid FROM streams WHERE name = ?)';
/** Sorts after every name that begins with the prefix: it ends in the last code point. */
const endOf = (prefix: string): string => `${prefix}\u{10FFFF}`;

const hasChecksums = (database: Database): boolean =>
  database.prepare("SELECT 1 FROM pragma_table_info('events') WHERE name = 'checksum'").get() !== undefined;

/** All reads. They go in pages, so that a long read does not block the event loop. */
export class SqliteReader {
  #database: Database;
  #onDamaged: OnDamaged;
  #last: Statement<EventRow>;
  #lastOfEach: PagedQuery<StreamRow>;
  #forwards: PagedQuery<EventRow>;
  #backwards: PagedQuery<EventRow>;
  #head: Statement<[position: number | null]>;
  #newest: Statement<[position: number]>;
  #firstAfter: Statement<[position: number | null]>;
  #windows = new Map<number, PagedQuery<StreamRow>>();
  readonly #columns: string;
  #closed = false;

  /** @param onDamaged called each time that a read finds the file damaged */
  constructor(database: Database, onDamaged: OnDamaged = () => {}) {
    this.#database = database;
    this.#onDamaged = onDamaged;
    const columns = columnsOf(database);
    this.#columns = columns;
    this.#last = database.prepare(`SELECT ${columns} ${ofStream} ORDER BY e.rev DESC LIMIT 1`);
    this.#lastOfEach = new PagedQuery(database, {
      columns: `${columns}, s.name`,
      body: `FROM streams AS s
       JOIN events AS e ON e.sid = s.sid AND e.rev = (SELECT max(rev) FROM events WHERE sid = s.sid)
       WHERE s.name > ? AND s.name >= ? AND s.name < ?`,
      order: 's.name',
    });
    this.#forwards = new PagedQuery(database, { columns, body: `${ofStream} AND e.rev >= ?`, order: 'e.rev' });
    this.#backwards = new PagedQuery(database, { columns, body: `${ofStream} AND e.rev <= ?`, order: 'e.rev DESC' });
    this.#head = database.prepare('SELECT max(pos) FROM events');
    this.#newest = database.prepare("SELECT seq FROM sqlite_sequence WHERE name = 'events'");
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
      const { rows, isLast } = this.#guarded(() => this.#lastOfEach.page(Infinity, from, prefix, endOf(prefix)));
      for (const row of rows) yield recorded(row[8], row);
      if (isLast) return;
      after = rows.at(-1)?.[8] ?? after;
    }
  }

  async *read(
    stream: string,
    { direction = 'forwards', from, limit }: ReadOptions = {},
  ): AsyncGenerator<RecordedEvent> {
    const query = direction === 'forwards' ? this.#forwards : this.#backwards;
    const step = direction === 'forwards' ? 1 : -1;
    let revision = from ?? (direction === 'forwards' ? 0 : Number.MAX_SAFE_INTEGER);
    for (let left = limit ?? Infinity; left > 0; await nextTurn()) {
      const [first, wanted] = [revision, left];
      const { rows, isLast } = this.#guarded(() => query.page(wanted, stream, first));
      for (const row of rows) yield recorded(stream, row);
      left -= rows.length;
      if (isLast || rows.length === 0 || left === 0) return;
      revision = (rows.at(-1)?.[0] ?? 0) + step;
    }
  }

  async *readAll({ after = 0n, prefixes, limit = Infinity }: ReadAllOptions = {}): AsyncGenerator<RecordedEvent> {
    mustSayWhatIsWanted({ prefixes });
    let left = limit;
    for (let page: EventPage | undefined; left > 0 && page?.atEnd !== true; await nextTurn()) {
      page = this.page(page?.upTo ?? after, prefixes, left);
      left -= page.events.length;
      yield* page.events;
    }
  }

  /** Position of the newest event; 0 if there is none. */
  head(): bigint {
    return BigInt(this.#guarded(() => this.#head.get()?.[0] ?? 0));
  }

  /** Position of the newest event ever, also if it was removed; 0 if there was none. */
  newestPosition(): bigint {
    return BigInt(this.#guarded(() => this.#newest.get()?.[0] ?? 0));
  }

  /** The events after a position. It may be empty before the end, if no stream of the range matches. */
  page(after: bigint, prefixes: readonly string[] | undefined, limit = Infinity): EventPage {
    return this.#guarded(() => {
      const head = Number(this.head());
      const first = this.#firstAfter.get(Number(after))?.[0] ?? undefined;
      if (first === undefined) return { events: [], upTo: after, atEnd: true };
      const end = Math.min(head, first + windowPositions - 1);
      const { rows, isLast } = this.#window(prefixes?.length ?? 0).page(limit, first, end, ...prefixBounds(prefixes));
      const upTo = isLast ? end : (rows.at(-1)?.[1] ?? end);
      return { events: rows.map((row) => recorded(row[8], row)), upTo: BigInt(upTo), atEnd: upTo >= head };
    });
  }

  #window(prefixes: number): PagedQuery<StreamRow> {
    const known = this.#windows.get(prefixes);
    if (known !== undefined) return known;
    const wanted = Array.from({ length: prefixes }, () => '(s.name >= ? AND s.name < ?)').join(' OR ');
    const query = new PagedQuery<StreamRow>(this.#database, {
      columns: `${this.#columns}, s.name`,
      body: `FROM events AS e CROSS JOIN streams AS s ON s.sid = e.sid
       WHERE e.pos BETWEEN ? AND ? ${wanted === '' ? '' : `AND (${wanted})`}`,
      order: 'e.pos',
    });
    this.#windows.set(prefixes, query);
    return query;
  }

  #guarded<T>(work: () => T): T {
    if (this.#closed) throw new StoreUnavailableError('the event store is closed');
    try {
      return work();
    } catch (error) {
      if (error instanceof DamagedDatabaseError) {
        this.#onDamaged(error);
        throw error;
      }
      throw new StoreUnavailableError('the event store could not read', { cause: error });
    }
  }
}

const prefixBounds = (prefixes: readonly string[] = []): SqlValue[] =>
  prefixes.flatMap((prefix) => [prefix, endOf(prefix)]);

function recorded(
  stream: string,
  [revision, position, id, type, data, metadata, created, checksum]: EventRow | StreamRow,
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
  if (checksum !== null && checksum !== checksumOf({ stream, revision, id, type, created, data, metadata })) {
    event.damage = 'wrong-checksum';
    return event;
  }
  try {
    [event.data, event.metadata] = [JSON.parse(data), JSON.parse(metadata)];
  } catch {
    event.damage = 'broken-json';
  }
  return event;
}
