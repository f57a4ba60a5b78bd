import type { Clock } from '../../../../actors/ports/clock.ts';
import {
  type Appended,
  type EventReader,
  type ExpectedRevision,
  type NewEvent,
  type ReadAllOptions,
  type ReadOptions,
  type RecordedEvent,
  type StoreOverview,
  StoreUnavailableError,
  type SubscribeOptions,
  type Subscription,
} from '../../../../actors/ports/event-store.ts';
import { type Log, silentLog } from '../../../../actors/ports/log.ts';
import { mustSayWhatIsWanted } from '../../../../actors/ports/wanted-events.ts';
import {
  DamagedDatabaseError,
  type Database,
  type OnDamaged,
  openDatabase,
  openDatabaseForReading,
} from '../../database.ts';
import type { OpenedStore, Outage } from '../opened-store.ts';
import { ErasureCheckpoint } from './erasure-checkpoint.ts';
import { SqliteReader } from './event-reader.ts';
import { GroupCommit } from './group-commit.ts';
import type { Commit } from './stream-writer.ts';
import { Subscribers } from './subscribers.ts';
import { WriteOutage } from './write-outage.ts';

/**
 * Positions are never used twice (AUTOINCREMENT), also after the newest events are removed. `removed` does the same for
 * revisions: it is the stream's highest truncated revision, or -1.
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
  // Events of earlier versions have none.
  'ALTER TABLE events ADD COLUMN checksum INTEGER',
];

/** Before checksums. A new version can check an old file before it renews it. */
const firstFormat = 1;

export interface SqliteStoreOptions {
  /** Created if it does not exist, readable to its owner only. */
  file: string;
  clock: Clock;
  log?: Log;
  /** Called once if the file turns out to be damaged while it is open. */
  onDamaged?: OnDamaged;
}

/**
 * The embedded event store: one SQLite file, one process.
 * @throws {NewerDatabaseError} a newer version of this program has written the file. @throws {DamagedDatabaseError}
 */
export function openSqliteStore({ file, clock, log = silentLog, onDamaged }: SqliteStoreOptions): SqliteEventStore {
  const database = openDatabase({ file, migrations, durability: 'full', secureDelete: true });
  const fault = database.findFault();
  if (fault !== undefined) {
    database.close();
    throw new DamagedDatabaseError(file, fault);
  }
  const checkpoint = new ErasureCheckpoint({ database, clock, log }, file);
  try {
    // An earlier process may have died after an erasure, before it emptied the log.
    checkpoint.run();
  } catch {
    // The checkpoint has said so, and tries again.
  }
  return new SqliteStore({ database, clock, log, checkpoint, onDamaged: once(onDamaged) });
}

function once(onDamaged: OnDamaged = () => {}): OnDamaged {
  let isReported = false;
  return (error) => {
    if (isReported) return;
    isReported = true;
    onDamaged(error);
  };
}

/**
 * Opens the file read-only; a gateway may be writing it.
 * @throws {UnsuitableDatabaseError} it does not exist, or has an older format. @throws {NewerDatabaseError}
 */
export function openSqliteReader(file: string): EventReader {
  const database = openDatabaseForReading(file, migrations, firstFormat);
  const reader = new SqliteReader(database);
  return {
    last: async (stream) => reader.last(stream),
    lastOfEach: (prefix) => reader.lastOfEach(prefix),
    read: (stream, options) => reader.read(stream, options),
    readAll: (options) => reader.readAll(options),
    findFault: () => database.findFault('whole'),
    close: async () => {
      reader.close();
      database.close();
    },
  };
}

interface SqliteStoreDeps {
  database: Database;
  clock: Clock;
  log: Log;
  checkpoint: ErasureCheckpoint;
  onDamaged: OnDamaged;
}

/** Its newest position counts removed events too. */
type SqliteEventStore = OpenedStore & Pick<StoreOverview, 'newestPosition'>;

class SqliteStore implements SqliteEventStore {
  #database: Database;
  #checkpoint: ErasureCheckpoint;
  #writing: GroupCommit;
  #outage: WriteOutage;
  #reader: SqliteReader;
  #subscribers: Subscribers;
  #closing: Promise<void> | undefined;

  constructor({ database, clock, log, checkpoint, onDamaged }: SqliteStoreDeps) {
    this.#database = database;
    this.#checkpoint = checkpoint;
    this.#reader = new SqliteReader(database, onDamaged);
    this.#subscribers = new Subscribers(this.#reader, clock);
    const onCommitted = (commits: readonly Commit[]): void => {
      for (const commit of commits) this.#subscribers.publish(commit.stream, () => recordedEvents(commit));
    };
    this.#outage = new WriteOutage({ clock, log, probe: () => this.#writing.probe() });
    this.#writing = new GroupCommit({ database, clock, checkpoint, onDamaged, outage: this.#outage, onCommitted });
  }

  get outage(): Outage | undefined {
    return this.#outage.outage;
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

  async newestPosition(): Promise<bigint> {
    return this.#reader.newestPosition();
  }

  subscribeAll(options: SubscribeOptions): Subscription {
    if (this.#closing !== undefined) throw new StoreUnavailableError('the event store is closed');
    mustSayWhatIsWanted(options);
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
    this.#outage.stop();
    this.#checkpoint.stop();
    await this.#subscribers.close();
    this.#reader.close();
    this.#database.close();
  }
}

/** Parses the events as a reader does: subscribers share no object with the code that appended them. */
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
