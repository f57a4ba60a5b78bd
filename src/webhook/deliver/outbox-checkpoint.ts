import { isRetryable } from '../../../actors/kit/retryable.ts';
import type { Clock, TimerHandle } from '../../../actors/ports/clock.ts';
import type { EventStore } from '../../../actors/ports/event-store.ts';
import type { Log } from '../../../actors/ports/log.ts';
import { type OutboxProgress, outboxStream } from '../stream/outbox-progress.ts';
import { type SaveProgressDeps, saveProgress } from '../stream/stored-progress.ts';

/**
 * One event records what came of many deliveries. All outboxes save at the same moments: what they save is one commit.
 */
const intervalMs = 250;
/** After the store has failed. */
const retryMs = 1_000;
/** Every 16th save removes the events before it: not each one truncates the stream. */
const savesPerTruncation = 16;

export interface OutboxCheckpointDeps extends SaveProgressDeps {
  store: Pick<EventStore, 'append' | 'truncate'>;
  clock: Clock;
  /** For what is retried. */
  retryLog: Log;
}

/** The progress of one outbox: in memory, and on disk up to 250 ms later. */
export class OutboxCheckpoint {
  readonly #deps: OutboxCheckpointDeps;
  readonly #sessionId: string;
  readonly #place: () => Pick<OutboxProgress, 'upTo' | 'chats'>;
  #progress: OutboxProgress;
  #timer: TimerHandle | undefined;
  #saving: Promise<void> | undefined;
  #isNewer = false;
  #saves = 0;
  #isCut = false;

  /** @param place how far the deliveries are: read whenever it is asked for or saved */
  constructor(
    deps: OutboxCheckpointDeps,
    sessionId: string,
    progress: OutboxProgress,
    place: () => Pick<OutboxProgress, 'upTo' | 'chats'>,
  ) {
    this.#deps = deps;
    this.#sessionId = sessionId;
    this.#progress = progress;
    this.#place = place;
  }

  /** As it is now. */
  get progress(): OutboxProgress {
    return { ...this.#progress, ...this.#place() };
  }

  get parked(): OutboxProgress['parked'] {
    return this.#progress.parked;
  }

  change(changed: Partial<Omit<OutboxProgress, 'since' | 'upTo' | 'chats'>>): void {
    this.#progress = { ...this.#progress, ...changed };
    this.placeChanged();
  }

  placeChanged(): void {
    if (this.#isCut) return;
    this.#isNewer = true;
    if (this.#saving === undefined) this.#saveIn(this.#untilNextMs());
  }

  /** Saves once what is not saved yet. @throws {StoreUnavailableError} */
  async flush(): Promise<void> {
    this.#cancel();
    await this.#saving?.catch(() => {});
    this.#cancel();
    if (this.#isNewer) await this.#append();
  }

  /** Saves nothing more. */
  cut(): void {
    this.#isCut = true;
    this.#isNewer = false;
    this.#cancel();
  }

  #saveIn(ms: number): void {
    this.#timer ??= this.#deps.clock.setTimeout(() => {
      this.#timer = undefined;
      this.#saving = this.#save();
    }, ms);
  }

  async #save(): Promise<void> {
    let error: unknown;
    try {
      await this.#append();
    } catch (failure) {
      error = failure;
    }
    this.#saving = undefined;
    if (error !== undefined) return this.#failed(error);
    if (this.#isNewer && !this.#isCut) this.#saveIn(this.#untilNextMs());
  }

  #failed(error: unknown): void {
    const { retryLog } = this.#deps;
    const fields = { session: this.#sessionId, err: error };
    // After a fault of the gateway, the next change is the next try.
    if (!isRetryable(error)) return retryLog.error(fields, 'the progress of deliveries cannot be saved');
    retryLog.warn(fields, 'the progress of deliveries could not be saved yet');
    if (!this.#isCut) this.#saveIn(retryMs);
  }

  #untilNextMs(): number {
    return intervalMs - (this.#deps.clock.now() % intervalMs);
  }

  async #append(): Promise<void> {
    const { progress } = this;
    this.#isNewer = false;
    try {
      const revision = await saveProgress(this.#deps, this.#sessionId, progress);
      this.#saves += 1;
      if (this.#saves % savesPerTruncation === 0) {
        // The one before stays too, should this one become unreadable.
        await this.#deps.store.truncate(outboxStream(this.#sessionId), revision - 1);
      }
    } catch (error) {
      this.#isNewer = true;
      throw error;
    }
  }

  #cancel(): void {
    if (this.#timer !== undefined) this.#deps.clock.clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
