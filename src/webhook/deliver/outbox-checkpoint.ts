import { LastEventWriter } from '../../../actors/kit/last-event-writer.ts';
import { isRetryable } from '../../../actors/kit/retryable.ts';
import type { Clock, TimerHandle } from '../../../actors/ports/clock.ts';
import type { ReportUnreadable } from '../../../actors/ports/event-codec.ts';
import type { EventStore } from '../../../actors/ports/event-store.ts';
import type { Log } from '../../../actors/ports/log.ts';
import { mustOwn, type Ownership, soleOwner } from '../../../actors/ports/ownership.ts';
import type { ActiveWebhook } from '../places/active-webhooks.ts';
import { type OutboxProgress, outboxStream } from '../stream/outbox-progress.ts';
import { reportOvertaken, type SaveProgressDeps, saveProgress } from '../stream/stored-progress.ts';

/**
 * One event records the outcomes of many deliveries. All outboxes save at the same moments, in one commit.
 */
const intervalMs = 250;
/** A save for each interval and for this many chats that are behind: a second for 2,000 of them writes 190 KB. */
const chatsPerInterval = 500;
/** After the store has failed. */
const retryMs = 1_000;
/** Every 16th save truncates the events before it. */
const savesPerTruncation = 16;

export interface OutboxCheckpointDeps extends SaveProgressDeps {
  store: Pick<EventStore, 'append' | 'last' | 'read' | 'truncate'>;
  /** Default: the process is alone. */
  ownership?: Pick<Ownership, 'owns'> | undefined;
  clock: Clock;
  reportUnreadable: ReportUnreadable;
  /** For what is retried. */
  retryLog: Log;
}

/** The owner's writer of the progress of a webhook. */
export const outboxWriter = (
  { store, ownership = soleOwner }: Pick<OutboxCheckpointDeps, 'store' | 'ownership'>,
  sessionId: string,
  slot: number,
): LastEventWriter =>
  new LastEventWriter({ store, mustOwn: () => mustOwn(ownership, sessionId) }, outboxStream(sessionId, slot));

/** What the progress of an outbox is about, read at each use. */
export interface OutboxPlace {
  place: () => Pick<OutboxProgress, 'upTo' | 'chats' | 'replay'>;
  /** Chats that are behind. */
  chatCount: () => number;
}

/**
 * The progress of one outbox: in memory, and on disk up to 250 ms later. With thousands of chats that are behind it is
 * large, and saved up to 5 s later.
 */
export class OutboxCheckpoint {
  readonly #deps: OutboxCheckpointDeps;
  readonly #sessionId: string;
  readonly #slot: number;
  readonly #place: OutboxPlace;
  readonly #writer: LastEventWriter;
  #progress: OutboxProgress;
  #timer: TimerHandle | undefined;
  #saving: Promise<void> | undefined;
  #isNewer = false;
  #saves = 0;
  /** Revision of the last save; undefined if this process has not saved yet. */
  #savedAt: number | undefined;
  #isCut = false;

  constructor(
    deps: OutboxCheckpointDeps,
    { sessionId, slot }: Pick<ActiveWebhook, 'sessionId' | 'slot'>,
    progress: OutboxProgress,
    place: OutboxPlace,
  ) {
    this.#deps = deps;
    this.#sessionId = sessionId;
    this.#slot = slot;
    this.#progress = progress;
    this.#place = place;
    this.#writer = outboxWriter(deps, sessionId, slot);
  }

  /** The current progress. */
  get progress(): OutboxProgress {
    return { ...this.#progress, ...this.#place.place() };
  }

  get parked(): OutboxProgress['parked'] {
    return this.#progress.parked;
  }

  get retried(): OutboxProgress['retried'] {
    return this.#progress.retried;
  }

  change(changed: Partial<Omit<OutboxProgress, 'since' | 'upTo' | 'chats' | 'replay'>>): void {
    this.#progress = { ...this.#progress, ...changed };
    this.placeChanged();
  }

  placeChanged(): void {
    if (this.#isCut) return;
    this.#isNewer = true;
    if (this.#saving === undefined) this.#saveIn(this.#untilNextMs());
  }

  /** Saves unsaved progress, without retries. @throws {StoreUnavailableError} */
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
    if (this.#isNewer) this.#saveIn(this.#untilNextMs());
  }

  #failed(error: unknown): void {
    const { retryLog } = this.#deps;
    const fields = { session: this.#sessionId, err: error };
    // After a defect of the gateway, the next change triggers the next save.
    if (!isRetryable(error))
      return retryLog.error({ where: 'deliveries', ...fields }, 'the progress of deliveries cannot be saved');
    retryLog.warn(fields, 'the progress of deliveries could not be saved yet');
    if (!this.#isCut) this.#saveIn(retryMs);
  }

  #untilNextMs(): number {
    const untilMs = intervalMs - (this.#deps.clock.elapsed() % intervalMs);
    return untilMs + intervalMs * Math.floor(this.#place.chatCount() / chatsPerInterval);
  }

  async #append(): Promise<void> {
    const { progress } = this;
    this.#isNewer = false;
    try {
      const revision = await saveProgress(this.#deps, this.#writer, progress);
      // Before they are truncated.
      if (revision - 1 !== this.#savedAt) {
        await reportOvertaken(this.#deps, this.#sessionId, this.#slot, revision);
      }
      this.#savedAt = revision;
      this.#saves += 1;
      if (this.#saves % savesPerTruncation === 0) {
        // The save before stays too, in case this one becomes unreadable.
        await this.#deps.store.truncate(outboxStream(this.#sessionId, this.#slot), revision - 1);
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
