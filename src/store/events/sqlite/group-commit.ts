import type { Clock } from '../../../../actors/ports/clock.ts';
import {
  type Appended,
  type ExpectedRevision,
  type NewEvent,
  StoreUnavailableError,
} from '../../../../actors/ports/event-store.ts';
import { DamagedDatabaseError, type Database, isConstraintError, type OnDamaged } from '../../database.ts';
import type { EncodedEvent } from './encoded-event.ts';
import type { ErasureCheckpoint } from './erasure-checkpoint.ts';
import { type AppendOutcome, type Commit, StreamWriter } from './stream-writer.ts';
import { writeShare } from './turn.ts';
import type { WriteOutage } from './write-outage.ts';

interface Waiting<T> {
  resolve: (value: T) => void;
  reject: (error: Error) => void;
}

type Operation =
  | ({ kind: 'append'; stream: string; expected: ExpectedRevision; events: EncodedEvent[] } & Waiting<Appended>)
  | ({ kind: 'truncate'; stream: string; before: number } & Waiting<void>)
  | ({ kind: 'erase'; stream: string } & Waiting<void>);

/** Takes several pages: a disk that has room for less is full. */
const probeEvent: EncodedEvent = { id: 'probe', type: 'Probed', data: `"${'x'.repeat(16_384)}"`, metadata: '{}' };
const probeStream = 'probe';

/** One for each operation; undefined if it is not an append. */
type Outcomes = readonly (AppendOutcome | undefined)[];

export interface GroupCommitDeps {
  database: Database;
  clock: Pick<Clock, 'now'>;
  /** Empties the log after an erasure. */
  checkpoint: Pick<ErasureCheckpoint, 'run'>;
  onDamaged: OnDamaged;
  /** Learns whether transactions succeed. */
  outage: Pick<WriteOutage, 'failed' | 'succeeded'>;
  /** Gets each transaction's appends when they are durable and their promises are resolved. */
  onCommitted: (commits: Commit[]) => void;
}

/**
 * All writes. Those of one turn of the event loop are one transaction, in order, with one fsync. A refused append does
 * not affect the others.
 */
export class GroupCommit {
  readonly #deps: GroupCommitDeps;
  readonly #writer: StreamWriter;
  #queue: Operation[] = [];
  #scheduled = false;
  #closed = false;

  constructor(deps: GroupCommitDeps) {
    this.#deps = deps;
    this.#writer = new StreamWriter(deps.database);
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

  /**
   * Writes as an append does, and takes it back: nothing of it is ever seen.
   * @throws why nothing can be written
   */
  probe(): void {
    const created = this.#deps.clock.now();
    this.#writer.transaction(() => {
      this.#writer.append(probeStream, 'any', [probeEvent], { created, checkIds: false });
      this.#writer.erase(probeStream);
    });
  }

  /** Writes what was accepted; later calls fail. */
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
    if (outcomes instanceof Error) {
      for (const { reject } of batch) reject(outcomes);
      return;
    }
    const hasErased = batch.some(({ kind }) => kind === 'erase');
    this.#answer(batch, outcomes, hasErased ? this.#emptyLog() : undefined);
    this.#deps.onCommitted(outcomes.flatMap((outcome) => (outcome && 'commit' in outcome ? [outcome.commit] : [])));
  }

  /** Longer transactions would block the event loop for too long. The rest follows in the next turn. */
  #nextBatch(): Operation[] {
    let [events, characters] = [0, 0];
    const end = this.#queue.findIndex((operation) => {
      const appended = operation.kind === 'append' ? operation.events : [];
      events += Math.max(1, appended.length);
      for (const { data, metadata } of appended) characters += data.length + metadata.length;
      return events > writeShare.events || characters > writeShare.characters;
    });
    // An append above the limit is written alone.
    return this.#queue.splice(0, end === -1 ? this.#queue.length : Math.max(1, end));
  }

  /** A reused event ID breaks a constraint of the table. Only then is the batch repeated with a check of each append. */
  #write(batch: readonly Operation[], checkIds = false): Outcomes | StoreUnavailableError | DamagedDatabaseError {
    const { outage } = this.#deps;
    try {
      const outcomes = this.#transaction(batch, checkIds);
      outage.succeeded();
      return outcomes;
    } catch (error) {
      if (!checkIds && isConstraintError(error)) return this.#write(batch, true);
      if (error instanceof DamagedDatabaseError) {
        this.#deps.onDamaged(error);
        return error;
      }
      outage.failed(error);
      return new StoreUnavailableError('the event store could not write', { cause: error });
    }
  }

  #transaction(batch: readonly Operation[], checkIds: boolean): Outcomes {
    const created = this.#deps.clock.now();
    return this.#writer.transaction(() =>
      batch.map((operation) => {
        if (operation.kind === 'append') {
          return this.#writer.append(operation.stream, operation.expected, operation.events, { created, checkIds });
        }
        if (operation.kind === 'truncate') this.#writer.truncate(operation.stream, operation.before);
        else this.#writer.erase(operation.stream);
        return undefined;
      }),
    );
  }

  /** Returns the error if that fails. */
  #emptyLog(): StoreUnavailableError | undefined {
    try {
      this.#deps.checkpoint.run();
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
