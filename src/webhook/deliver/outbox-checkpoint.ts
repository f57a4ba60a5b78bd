import { isRetryable } from '../../../actors/kit/retryable.ts';
import type { Clock, Randomness, TimerHandle } from '../../../actors/ports/clock.ts';
import type { EventStore, Json } from '../../../actors/ports/event-store.ts';
import type { Log } from '../../../actors/ports/log.ts';
import { emptyProgress, type OutboxProgress, outboxMoved, outboxStream } from './outbox-progress.ts';

/** What many deliveries came to is one event. All outboxes save at the same moments: what they save is one commit. */
const intervalMs = 250;
/** After a store has gone away. */
const retryMs = 1_000;
/** So many events before the last one are removed at once. */
const keptEvents = 16;

export interface OutboxCheckpointDeps {
  store: Pick<EventStore, 'append' | 'last' | 'truncate'>;
  clock: Clock;
  random: Pick<Randomness, 'uuid'>;
  log: Log;
  /** For what is retried. */
  retryLog: Log;
}

/** Keeps the state of an outbox on disk, a moment behind. */
export class OutboxCheckpoint {
  readonly #parts: OutboxCheckpointDeps;
  readonly #sessionId: string;
  readonly #state: () => OutboxProgress;
  #timer: TimerHandle | undefined;
  #saving: Promise<void> | undefined;
  #isNewer = false;
  #appended = 0;
  #isCut = false;

  constructor(parts: OutboxCheckpointDeps, sessionId: string, state: () => OutboxProgress) {
    this.#parts = parts;
    this.#sessionId = sessionId;
    this.#state = state;
  }

  /** The state has changed. */
  note(): void {
    if (this.#isCut) return;
    this.#isNewer = true;
    if (this.#saving === undefined) this.#saveIn(this.#untilNextMs());
  }

  /** Saves what is not saved yet, once. @throws {StoreUnavailableError} */
  async flush(): Promise<void> {
    this.#cancel();
    await this.#saving?.catch(() => {});
    this.#cancel();
    if (this.#isNewer) await this.#append();
  }

  /** Saves no more. */
  cut(): void {
    this.#isCut = true;
    this.#isNewer = false;
    this.#cancel();
  }

  #saveIn(ms: number): void {
    this.#timer ??= this.#parts.clock.setTimeout(() => {
      this.#timer = undefined;
      this.#saving = this.#save();
    }, ms);
  }

  async #save(): Promise<void> {
    let nextMs = this.#untilNextMs();
    try {
      await this.#append();
    } catch (error) {
      const fields = { session: this.#sessionId, err: error };
      this.#saving = undefined;
      // After a fault of the gateway, the next change is the next try.
      if (!isRetryable(error)) return this.#parts.retryLog.error(fields, 'deliveries cannot be noted');
      this.#parts.retryLog.warn(fields, 'deliveries could not be noted yet');
      nextMs = retryMs;
    }
    this.#saving = undefined;
    if (this.#isNewer && !this.#isCut) this.#saveIn(nextMs);
  }

  #untilNextMs(): number {
    return intervalMs - (this.#parts.clock.now() % intervalMs);
  }

  async #append(): Promise<void> {
    const state = this.#state();
    this.#isNewer = false;
    try {
      const revision = await saveOutbox(this.#parts, this.#sessionId, state);
      this.#appended += 1;
      if (this.#appended % keptEvents === 0) {
        await this.#parts.store.truncate(outboxStream(this.#sessionId), revision);
      }
    } catch (error) {
      this.#isNewer = true;
      throw error;
    }
  }

  #cancel(): void {
    if (this.#timer !== undefined) this.#parts.clock.clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}

/** As it was recorded last. @throws {StoreUnavailableError} */
export async function loadOutbox(store: Pick<EventStore, 'last'>, sessionId: string): Promise<OutboxProgress> {
  const last = await store.last(outboxStream(sessionId));
  return last === undefined ? emptyProgress : (last.data as unknown as OutboxProgress);
}

/** @returns its revision. @throws {StoreUnavailableError} */
export async function saveOutbox(
  { store, clock, random }: Omit<OutboxCheckpointDeps, 'log' | 'retryLog'>,
  sessionId: string,
  state: OutboxProgress,
): Promise<number> {
  const data = state as unknown as Json;
  const event = { id: random.uuid(), type: outboxMoved, data, metadata: { at: clock.now() } };
  const { revision } = await store.append(outboxStream(sessionId), 'any', [event]);
  return revision;
}
