import { LruMap } from '../../../../actors/kit/lru-map.ts';
import {
  type Appended,
  type ExpectedRevision,
  WrongExpectedRevisionError,
} from '../../../../actors/ports/event-store.ts';
import type { Database, SqlValue, Statement } from '../../database.ts';
import { checksumOf, type EncodedEvent } from './encoded-event.ts';

/** A committed append; its events have consecutive positions. */
export interface Commit extends Appended {
  stream: string;
  events: readonly EncodedEvent[];
  created: number;
}

export type AppendOutcome = { refused: Error } | { repeated: Appended } | { commit: Commit };

interface Head {
  sid: number;
  /** Revision of the last event ever appended; -1 for none. */
  last: number;
}

/** Streams whose head is cached, so that an append needs no query: more than one transaction writes to. */
const maxCachedHeads = 20_000;

/** Rows of one INSERT: measured, more are not faster. */
const rowsPerInsert = 16;
const columnsOfRow = 9;
const insertRows = (rows: number): string =>
  `INSERT INTO events (pos, sid, rev, id, type, data, metadata, created, checksum)
   VALUES ${Array.from({ length: rows }, () => '(?, ?, ?, ?, ?, ?, ?, ?, ?)').join(', ')}`;

/**
 * Writes to streams, inside of {@link transaction}. Appended events are gathered and inserted together: before
 * a statement reads or removes them, and at the end.
 */
export class StreamWriter {
  #database: Database;
  #heads = new LruMap<string, Head>(maxCachedHeads);
  /** Position of the newest event ever. */
  #position = 0;
  #dataVersion = -1;
  /** Values of the rows that have not been inserted yet. */
  #gathered: SqlValue[] = [];

  #newestPosition: Statement<[position: number]>;
  #findStream: Statement<[sid: number, last: number]>;
  #addStream: Statement<[]>;
  #removeStream: Statement<[]>;
  #addEvent: Statement<[]>;
  #addEvents: Statement<[]>;
  #findEvent: Statement<[sid: number, revision: number]>;
  #idsBetween: Statement<[id: string, position: number]>;
  #removeBefore: Statement<[]>;
  #noteRemoved: Statement<[]>;

  constructor(database: Database) {
    this.#database = database;
    this.#newestPosition = database.prepare("SELECT seq FROM sqlite_sequence WHERE name = 'events'");
    this.#findStream = database.prepare(
      `SELECT sid, max(removed, coalesce((SELECT max(rev) FROM events WHERE events.sid = streams.sid), -1))
       FROM streams WHERE name = ?`,
    );
    this.#addStream = database.prepare('INSERT INTO streams (name) VALUES (?)');
    this.#removeStream = database.prepare('DELETE FROM streams WHERE sid = ?');
    this.#addEvent = database.prepare(insertRows(1));
    this.#addEvents = database.prepare(insertRows(rowsPerInsert));
    this.#findEvent = database.prepare('SELECT sid, rev FROM events WHERE id = ?');
    this.#idsBetween = database.prepare(
      'SELECT id, pos FROM events WHERE sid = ? AND rev BETWEEN ? AND ? ORDER BY rev',
    );
    this.#removeBefore = database.prepare('DELETE FROM events WHERE sid = ? AND rev < ?');
    this.#noteRemoved = database.prepare('UPDATE streams SET removed = max(removed, ?) WHERE sid = ?');
  }

  /** Commits all that `work` writes, or nothing. */
  transaction<T>(work: () => T): T {
    try {
      return this.#database.transaction(() => {
        this.#noticeOthers();
        const result = work();
        this.#insertGathered();
        return result;
      });
    } catch (error) {
      this.#dataVersion = -1;
      this.#gathered = [];
      throw error;
    }
  }

  /**
   * A used event ID breaks a constraint, and with it the transaction. With `checkIds` the IDs are checked first, and only
   * this append is refused.
   */
  append(
    stream: string,
    expected: ExpectedRevision,
    events: readonly EncodedEvent[],
    { created, checkIds }: { created: number; checkIds: boolean },
  ): AppendOutcome {
    const found = this.#head(stream);
    const wanted = expected === 'no-stream' ? -1 : expected;
    const repeated = found && this.#repeated(found, wanted, events);
    if (repeated !== undefined) return { repeated };
    const last = found?.last ?? -1;
    if ((wanted !== 'any' && wanted !== last) || (checkIds && this.#anyIdUsed(events))) {
      return { refused: new WrongExpectedRevisionError(stream, expected, last) };
    }
    const head = found ?? this.#newHead(stream);
    for (const { id, type, data, metadata } of events) {
      head.last += 1;
      this.#position += 1;
      const checksum = checksumOf({ stream, revision: head.last, id, type, created, data, metadata });
      this.#gathered.push(this.#position, head.sid, head.last, id, type, data, metadata, created, checksum);
    }
    return { commit: { stream, events, created, revision: head.last, position: BigInt(this.#position) } };
  }

  truncate(stream: string, before: number): void {
    const head = this.#head(stream);
    if (head === undefined) return;
    this.#insertGathered();
    this.#removeBefore.run(head.sid, before);
    this.#noteRemoved.run(Math.min(before - 1, head.last), head.sid);
  }

  erase(stream: string): void {
    const head = this.#head(stream);
    if (head === undefined) return;
    this.#insertGathered();
    this.#removeBefore.run(head.sid, head.last + 1);
    this.#removeStream.run(head.sid);
    this.#heads.delete(stream);
  }

  /** Drops the caches if another process has written the file. That is an operator's mistake; the file stays sound. */
  #noticeOthers(): void {
    const version = this.#database.dataVersion();
    if (version === this.#dataVersion) return;
    this.#dataVersion = version;
    this.#heads.clear();
    this.#position = this.#newestPosition.get()?.[0] ?? 0;
  }

  #insertGathered(): void {
    const values = this.#gathered;
    if (values.length === 0) return;
    this.#gathered = [];
    const together = rowsPerInsert * columnsOfRow;
    let at = 0;
    for (; at + together <= values.length; at += together) this.#addEvents.runList(values.slice(at, at + together));
    for (; at < values.length; at += columnsOfRow) this.#addEvent.runList(values.slice(at, at + columnsOfRow));
  }

  /** The result of the first attempt, if these events are already recorded at the expected place. */
  #repeated(head: Head, wanted: number | 'any', events: readonly EncodedEvent[]): Appended | undefined {
    const first = wanted === 'any' ? this.#placeOf(head, events[0]) : wanted + 1;
    if (first === undefined || first > head.last) return undefined;
    const revision = first + events.length - 1;
    this.#insertGathered();
    const found = this.#idsBetween.all(head.sid, first, revision);
    const position = found.at(-1)?.[1];
    const same = found.length === events.length && found.every(([id], index) => id === events[index]?.id);
    return same && position !== undefined ? { revision, position: BigInt(position) } : undefined;
  }

  #placeOf(head: Head, event: EncodedEvent | undefined): number | undefined {
    this.#insertGathered();
    const [sid, revision] = this.#findEvent.get(event?.id ?? null) ?? [];
    return sid === head.sid ? revision : undefined;
  }

  #anyIdUsed(events: readonly EncodedEvent[]): boolean {
    this.#insertGathered();
    const ids = new Set(events.map(({ id }) => id));
    return ids.size < events.length || events.some(({ id }) => this.#findEvent.get(id) !== undefined);
  }

  #head(stream: string): Head | undefined {
    const known = this.#heads.get(stream);
    if (known !== undefined) return known;
    const row = this.#findStream.get(stream);
    return row && this.#remember(stream, { sid: row[0], last: row[1] });
  }

  #newHead(stream: string): Head {
    return this.#remember(stream, { sid: this.#addStream.run(stream), last: -1 });
  }

  #remember(stream: string, head: Head): Head {
    this.#heads.set(stream, head);
    return head;
  }
}
