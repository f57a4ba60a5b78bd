import type { Clock } from '../../../../actors/ports/clock.ts';
import {
  type Appended,
  type ExpectedRevision,
  type NewEvent,
  StoreUnavailableError,
} from '../../../../actors/ports/event-store.ts';
import { type Database, isConstraintError } from '../../database.ts';
import { type AppendOutcome, type Commit, type EncodedEvent, StreamWriter } from './stream-writer.ts';

interface Waiting<T> {
  resolve: (value: T) => void;
  reject: (error: Error) => void;
}

type Operation =
  | ({ kind: 'append'; stream: string; expected: ExpectedRevision; events: EncodedEvent[] } & Waiting<Appended>)
  | ({ kind: 'truncate'; stream: string; before: number } & Waiting<void>)
  | ({ kind: 'erase'; stream: string } & Waiting<void>);

/** For each operation; undefined for what is not an append. */
type Outcomes = readonly (AppendOutcome | undefined)[];

/** Longer transactions would keep the event loop for too long; the rest comes in its next turn. */
const eventsPerCommit = 1000;

/**
 * Everything that writes. What comes within one turn of the event loop goes to the disk as one transaction, in order:
 * that is one fsync for all of it. One refused append does not touch its neighbours.
 */
export class GroupCommit {
  #database: Database;
  #writer: StreamWriter;
  #clock: Pick<Clock, 'now'>;
  #onCommitted: (commits: Commit[]) => void;
  #queue: Operation[] = [];
  #scheduled = false;
  #closed = false;
  /** Something was erased, and SQLite's log still holds it. */
  #logHoldsErased = false;

  /** `onCommitted` is called with each transaction's appends when they are durable and their callers answered. */
  constructor(database: Database, clock: Pick<Clock, 'now'>, onCommitted: (commits: Commit[]) => void) {
    this.#database = database;
    this.#writer = new StreamWriter(database);
    this.#clock = clock;
    this.#onCommitted = onCommitted;
  }

  append(stream: string, expected: ExpectedRevision, events: readonly NewEvent[]): Promise<Appended> {
    return new Promise((resolve, reject) => {
      if (events.length === 0) throw new RangeError('an append needs an event');
      this.#enqueue({ kind: 'append', stream, expected, events: events.map(encode), resolve, reject });
    });
  }

  truncate(stream: string, before: number): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#enqueue({ kind: 'truncate', stream, before, resolve, reject });
    });
  }

  erase(stream: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#enqueue({ kind: 'erase', stream, resolve, reject });
    });
  }

  /** Writes what was accepted; later calls are refused. */
  close(): void {
    this.#closed = true;
    while (this.#queue.length > 0) this.#flush();
  }

  #enqueue(operation: Operation): void {
    if (this.#closed) {
      operation.reject(new StoreUnavailableError('the event store is closed'));
      return;
    }
    this.#queue.push(operation);
    this.#schedule();
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      this.#flush();
      if (this.#queue.length > 0) this.#schedule();
    });
  }

  #flush(): void {
    const batch = this.#nextBatch();
    if (batch.length === 0) return;
    const outcomes = this.#write(batch);
    if (outcomes instanceof StoreUnavailableError) {
      for (const { reject } of batch) reject(outcomes);
      return;
    }
    this.#answer(batch, outcomes, this.#emptyLog());
    this.#onCommitted(outcomes.flatMap((outcome) => (outcome && 'commit' in outcome ? [outcome.commit] : [])));
  }

  #nextBatch(): Operation[] {
    let events = 0;
    const end = this.#queue.findIndex((operation) => {
      events += operation.kind === 'append' ? operation.events.length : 1;
      return events > eventsPerCommit;
    });
    // A single append larger than the limit still goes, alone.
    return this.#queue.splice(0, end === -1 ? this.#queue.length : Math.max(1, end));
  }

  /** The table itself finds a reused event ID; only then is it worth asking before each append. */
  #write(batch: readonly Operation[], checkIds = false): Outcomes | StoreUnavailableError {
    try {
      return this.#transaction(batch, checkIds);
    } catch (error) {
      if (!checkIds && isConstraintError(error)) return this.#write(batch, true);
      return new StoreUnavailableError('the event store could not write', { cause: error });
    }
  }

  #transaction(batch: readonly Operation[], checkIds: boolean): Outcomes {
    const created = this.#clock.now();
    const outcomes = this.#writer.transaction(() =>
      batch.map((operation) => {
        if (operation.kind === 'append') {
          return this.#writer.append(operation.stream, operation.expected, operation.events, { created, checkIds });
        }
        if (operation.kind === 'truncate') this.#writer.truncate(operation.stream, operation.before);
        else this.#writer.erase(operation.stream);
        return undefined;
      }),
    );
    this.#logHoldsErased ||= batch.some(({ kind }) => kind === 'erase');
    return outcomes;
  }

  /** What was erased is overwritten in the file; the log has to go for it to be gone. Undefined when it is. */
  #emptyLog(): StoreUnavailableError | undefined {
    if (!this.#logHoldsErased) return undefined;
    try {
      if (!this.#database.checkpoint()) throw new Error('another process is reading');
      this.#logHoldsErased = false;
      return undefined;
    } catch (error) {
      return new StoreUnavailableError('what was erased is still in the log of the event store', { cause: error });
    }
  }

  #answer(batch: readonly Operation[], outcomes: Outcomes, erased: StoreUnavailableError | undefined): void {
    for (const [index, operation] of batch.entries()) {
      const outcome = outcomes[index];
      if (operation.kind === 'append' && outcome !== undefined) answerAppend(operation, outcome);
      else if (operation.kind === 'truncate') operation.resolve();
      else if (operation.kind === 'erase' && erased !== undefined) operation.reject(erased);
      else if (operation.kind === 'erase') operation.resolve();
    }
  }
}

function answerAppend(waiting: Waiting<Appended>, outcome: AppendOutcome): void {
  if ('refused' in outcome) {
    waiting.reject(outcome.refused);
    return;
  }
  const { revision, position } = 'commit' in outcome ? outcome.commit : outcome.repeated;
  waiting.resolve({ revision, position });
}

function encode({ id, type, data, metadata }: NewEvent): EncodedEvent {
  return { id, type, data: JSON.stringify(data), metadata: JSON.stringify(metadata) };
}
