import { LRUCache } from 'lru-cache';
import { type Appended, type ExpectedRevision, WrongExpectedRevisionError } from '../../actors/event-store.ts';
import type { Database, Statement } from './database.ts';

/** An event on its way to the disk: what it carries is text already. */
export interface EncodedEvent {
  id: string;
  type: string;
  data: string;
  metadata: string;
}

/** One append as it was committed. */
export interface Commit extends Appended {
  stream: string;
  events: readonly EncodedEvent[];
  created: number;
  /** Positions of the events. */
  positions: readonly number[];
}

export type AppendOutcome = { refused: Error } | { repeated: Appended } | { commit: Commit };

/** Where a stream is. */
interface Head {
  sid: number;
  /** Revision of the last event ever appended; -1 for none. */
  last: number;
}

/**
 * Streams whose place is remembered, so that an append need not look it up. Must exceed the number of streams that one
 * transaction writes: a head that moved is written at the end of it.
 */
const rememberedHeads = 20_000;

/** The statements that write, to be called inside of {@link transaction}. */
export class StreamWriter {
  #database: Database;
  #heads = new LRUCache<string, Head>({ max: rememberedHeads });
  /** Heads that the running transaction has moved. */
  #moved = new Set<Head>();
  #dataVersion = -1;

  #findStream: Statement<[sid: number, last: number]>;
  #addStream: Statement<[]>;
  #moveStreams: Statement<[]>;
  #removeStream: Statement<[]>;
  #addEvent: Statement<[]>;
  #findEvent: Statement<[sid: number, revision: number]>;
  #idsBetween: Statement<[id: string, position: number]>;
  #removeBefore: Statement<[]>;

  constructor(database: Database) {
    this.#database = database;
    this.#findStream = database.prepare('SELECT sid, last FROM streams WHERE name = ?');
    this.#addStream = database.prepare('INSERT INTO streams (name, last) VALUES (?, -1)');
    this.#moveStreams = database.prepare(
      'UPDATE streams SET last = moved.value ->> 1 FROM json_each(?) AS moved WHERE sid = moved.value ->> 0',
    );
    this.#removeStream = database.prepare('DELETE FROM streams WHERE sid = ?');
    this.#addEvent = database.prepare(
      'INSERT INTO events (sid, rev, id, type, data, metadata, created) VALUES (?, ?, ?, ?, ?, ?, ?)',
    );
    this.#findEvent = database.prepare('SELECT sid, rev FROM events WHERE id = ?');
    this.#idsBetween = database.prepare(
      'SELECT id, pos FROM events WHERE sid = ? AND rev BETWEEN ? AND ? ORDER BY rev',
    );
    this.#removeBefore = database.prepare('DELETE FROM events WHERE sid = ? AND rev < ?');
  }

  /** Everything that `work` writes, or nothing. */
  transaction<T>(work: () => T): T {
    try {
      return this.#database.transaction(() => {
        this.#forgetStaleHeads();
        const result = work();
        this.#writeMovedHeads();
        return result;
      });
    } catch (error) {
      this.#heads.clear();
      throw error;
    } finally {
      this.#moved.clear();
    }
  }

  /**
   * A used event ID breaks a constraint, and with it the transaction; `checkIds` looks first, and refuses the one
   * append.
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
    this.#moved.add(head);
    const positions = events.map(({ id, type, data, metadata }) => {
      head.last += 1;
      return this.#addEvent.run(head.sid, head.last, id, type, data, metadata, created);
    });
    const position = BigInt(positions.at(-1) ?? 0);
    return { commit: { stream, events, created, positions, revision: head.last, position } };
  }

  truncate(stream: string, before: number): void {
    const head = this.#head(stream);
    if (head !== undefined) this.#removeBefore.run(head.sid, before);
  }

  erase(stream: string): void {
    const head = this.#head(stream);
    if (head === undefined) return;
    this.#removeBefore.run(head.sid, head.last + 1);
    this.#removeStream.run(head.sid);
    this.#heads.delete(stream);
    this.#moved.delete(head);
  }

  /** Two processes on one file are a mistake, but not one that may corrupt it. */
  #forgetStaleHeads(): void {
    const version = this.#database.dataVersion();
    if (version !== this.#dataVersion) this.#heads.clear();
    this.#dataVersion = version;
  }

  #writeMovedHeads(): void {
    if (this.#moved.size === 0) return;
    this.#moveStreams.run(JSON.stringify([...this.#moved].map(({ sid, last }) => [sid, last])));
  }

  /** The old answer, where these very events stand at the expected place already: a retry. */
  #repeated(head: Head, wanted: number | 'any', events: readonly EncodedEvent[]): Appended | undefined {
    const first = wanted === 'any' ? this.#placeOf(head, events[0]) : wanted + 1;
    if (first === undefined || first > head.last) return undefined;
    const revision = first + events.length - 1;
    const found = this.#idsBetween.all(head.sid, first, revision);
    const position = found.at(-1)?.[1];
    const same = found.length === events.length && found.every(([id], index) => id === events[index]?.id);
    return same && position !== undefined ? { revision, position: BigInt(position) } : undefined;
  }

  #placeOf(head: Head, event: EncodedEvent | undefined): number | undefined {
    const [sid, revision] = this.#findEvent.get(event?.id ?? null) ?? [];
    return sid === head.sid ? revision : undefined;
  }

  #anyIdUsed(events: readonly EncodedEvent[]): boolean {
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
