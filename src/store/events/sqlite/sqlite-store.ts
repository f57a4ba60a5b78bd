import type { Clock } from '../../../../actors/ports/clock.ts';
import {
  type Appended,
  type EventReader,
  type EventStore,
  type ExpectedRevision,
  type NewEvent,
  type ReadAllOptions,
  type ReadOptions,
  type RecordedEvent,
  StoreUnavailableError,
  type SubscribeOptions,
  type Subscription,
} from '../../../../actors/ports/event-store.ts';
import { type Database, openDatabase, openDatabaseForReading } from '../../database.ts';
import { SqliteReader } from './event-reader.ts';
import { GroupCommit } from './group-commit.ts';
import type { Commit } from './stream-writer.ts';
import { Subscribers } from './subscribers.ts';

/**
 * Positions are never used twice (AUTOINCREMENT), also when the newest events are removed; `removed` does the same for
 * the revisions of a stream: the highest one that was truncated, or -1.
 */
const migrations = [
  `CREATE TABLE streams (
     sid INTEGER PRIMARY KEY,
     name TEXT NOT NULL UNIQUE,
     removed INTEGER NOT NULL DEFAULT -1
   );
   CREATE TABLE events (
     pos INTEGER PRIMARY KEY AUTOINCREMENT,
     sid INTEGER NOT NULL,
     rev INTEGER NOT NULL,
     id TEXT NOT NULL UNIQUE,
     type TEXT NOT NULL,
     data TEXT NOT NULL,
     metadata TEXT NOT NULL,
     created INTEGER NOT NULL,
     UNIQUE (sid, rev)
   )`,
];

export interface SqliteStoreOptions {
  /** Made, readable to its owner only, where it does not exist. */
  file: string;
  clock: Clock;
}

/**
 * The embedded event store: one SQLite file, one process.
 * @throws {NewerDatabaseError} a newer version of this program has written the file.
 */
export function openSqliteStore({ file, clock }: SqliteStoreOptions): EventStore {
  const database = openDatabase({ file, migrations, durability: 'full', secureDelete: true });
  // A process may have died between an erasure and the emptying of the log.
  database.checkpoint();
  return new SqliteStore(database, clock);
}

/**
 * The same file for reading alone; a gateway may be writing it meanwhile.
 * @throws {UnsuitableDatabaseError} there is none, or of an older version. @throws {NewerDatabaseError}
 */
export function openSqliteReader(file: string): EventReader {
  const database = openDatabaseForReading(file, migrations);
  const reader = new SqliteReader(database);
  return {
    last: async (stream) => reader.last(stream),
    lastOfEach: (prefix) => reader.lastOfEach(prefix),
    read: (stream, options) => reader.read(stream, options),
    readAll: (options) => reader.readAll(options),
    close: async () => {
      reader.close();
      database.close();
    },
  };
}

class SqliteStore implements EventStore {
  #database: Database;
  #writing: GroupCommit;
  #reader: SqliteReader;
  #subscribers: Subscribers;
  #closing: Promise<void> | undefined;

  constructor(database: Database, clock: Clock) {
    this.#database = database;
    this.#reader = new SqliteReader(database);
    this.#subscribers = new Subscribers(this.#reader, clock);
    this.#writing = new GroupCommit(database, clock, (commits) => {
      for (const commit of commits) this.#subscribers.publish(commit.stream, () => recordedEvents(commit));
    });
  }

  append(stream: string, expected: ExpectedRevision, events: readonly NewEvent[]): Promise<Appended> {
    return this.#writing.append(stream, expected, events);
  }

  async last(stream: string): Promise<RecordedEvent | undefined> {
    return this.#reader.last(stream);
  }

  lastOfEach(prefix: string): AsyncIterable<RecordedEvent> {
    return this.#reader.lastOfEach(prefix);
  }

  read(stream: string, options?: ReadOptions): AsyncIterable<RecordedEvent> {
    return this.#reader.read(stream, options);
  }

  readAll(options?: ReadAllOptions): AsyncIterable<RecordedEvent> {
    return this.#reader.readAll(options);
  }

  subscribeAll(options: SubscribeOptions): Subscription {
    if (this.#closing !== undefined) throw new StoreUnavailableError('the event store is closed');
    return this.#subscribers.add(options);
  }

  truncate(stream: string, before: number): Promise<void> {
    return this.#writing.truncate(stream, before);
  }

  erase(stream: string): Promise<void> {
    return this.#writing.erase(stream);
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#writing.close();
    await this.#subscribers.close();
    this.#reader.close();
    this.#database.close();
  }
}

/** What a reader would get: nobody shares an object with who appended it. */
function recordedEvents({ stream, events, created, revision, position }: Commit): RecordedEvent[] {
  const before = events.length - 1;
  return events.map(({ id, type, data, metadata }, index) => ({
    stream,
    revision: revision - before + index,
    position: position - BigInt(before - index),
    id,
    type,
    data: JSON.parse(data),
    metadata: JSON.parse(metadata),
    created,
  }));
}
