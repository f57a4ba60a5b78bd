import { KeyedQueue } from '../../../actors/kit/keyed-queue.ts';
import { mapConcurrent } from '../../../actors/kit/map-concurrent.ts';
import { createRateLimitedLog } from '../../../actors/kit/rate-limited-log.ts';
import { isRetryable } from '../../../actors/kit/retryable.ts';
import type { EventStore } from '../../../actors/ports/event-store.ts';
import type { SessionView, SessionViews } from '../../../projections/session-view.ts';
import type { PlacedEvent } from '../stream/delivery-events.ts';
import { AttemptSlots } from './attempt-slots.ts';
import { findDueSessions } from './find-due-sessions.ts';
import { Outbox, type OutboxDeps } from './outbox.ts';
import { loadOutbox } from './outbox-checkpoint.ts';
import { forWebhook, type OutboxProgress } from './outbox-progress.ts';
import { SameTurn } from './same-turn.ts';
import type { DeliveryCounts } from './settle-delivery.ts';

/**
 * Attempts of all sessions together, beyond the one that each may always have: so many that receivers which take 50 ms are
 * told 2,500 events a second of a backlog.
 */
const mostBeyondTheFirst = 128;
const openedAtOnce = 16;
/** After a store has gone away. */
const storeRetryMs = 1_000;
/** OP2: what is under way at the end has so long; 10 s are for all. */
const endMs = 3_000;

export interface OutboxRegistryDeps extends Omit<OutboxDeps, 'slots' | 'gathering' | 'counts' | 'retryLog'> {
  store: OutboxDeps['store'] & Pick<EventStore, 'lastOfEach'>;
  views: Pick<SessionViews, 'get' | 'onChange'>;
}

/** What all sessions together have come to. */
export interface Backlog extends DeliveryCounts {
  pending: number;
  /** When the oldest of what is due was recorded, milliseconds since 1970. */
  oldestAt: number | undefined;
}

interface Held {
  outbox: Outbox;
  unlisten: () => void;
}

/** The outboxes of all sessions: each is opened when there is something to deliver, and ends with its webhook. */
export class OutboxRegistry {
  readonly #parts: OutboxDeps & OutboxRegistryDeps;
  readonly #held = new Map<string, Held>();
  /** What opens and ends a session's outbox. */
  readonly #changes = new KeyedQueue();
  readonly #counts: DeliveryCounts = { delivered: 0, failed: 0, parked: 0 };
  #isRunning = false;

  constructor(parts: OutboxRegistryDeps) {
    const slots = new AttemptSlots(mostBeyondTheFirst);
    const retryLog = createRateLimitedLog(parts.log, parts.clock);
    this.#parts = { ...parts, slots, gathering: new SameTurn(), counts: this.#counts, retryLog };
  }

  /** Takes up what is due. Resolves when all of it is known; tries for as long as the store is away. */
  async start(): Promise<void> {
    this.#isRunning = true;
    const due = await this.#whileStoreIsAway({}, () => findDueSessions(this.#parts));
    await mapConcurrent(due ?? [], openedAtOnce, (id) => this.#open(id));
  }

  /** To be told of everything that is recorded for a session, in order. */
  recorded(sessionId: string, events: readonly PlacedEvent[]): void {
    const held = this.#held.get(sessionId);
    if (held !== undefined) held.outbox.offer(events);
    else if (this.#isRunning) void this.#open(sessionId);
  }

  /** How a session's deliveries stand: its outbox where one is open. @throws {StoreUnavailableError} */
  async look(sessionId: string): Promise<{ outbox: Outbox | undefined; state: OutboxProgress; isOn: boolean }> {
    const view = this.#parts.views.get(sessionId);
    const isOn = view?.webhookSince !== undefined;
    if (isOn && this.#isRunning) await this.#open(sessionId);
    const outbox = this.#held.get(sessionId)?.outbox;
    if (outbox?.isOpen) return { outbox, state: outbox.ledger.state(), isOn };
    const left = await loadOutbox(this.#parts.store, sessionId);
    return { outbox: undefined, state: isOn ? forWebhook(left, view.webhookSince ?? 0) : left, isOn };
  }

  /**
   * Has something done while a session has no outbox: what is under way is cut off, and comes again.
   * @throws what it throws
   */
  async between(sessionId: string, work: () => Promise<void>): Promise<void> {
    const done = this.#changes.run(sessionId, async () => {
      await this.#end(sessionId);
      await work();
    });
    const opened = done.catch(() => {}).then(() => this.#open(sessionId));
    await done;
    await opened;
  }

  /** What has been removed from a session's stream is nobody's any more. */
  forgetBefore(sessionId: string, seq: number): void {
    this.#held.get(sessionId)?.outbox.ledger.forgetBefore(seq);
  }

  /** For the metrics. */
  get backlog(): Backlog {
    let pending = 0;
    let oldestAt: number | undefined;
    for (const { outbox } of this.#held.values()) {
      const { ledger } = outbox;
      pending += ledger.pending;
      const { oldestAt: own } = ledger.queues;
      if (own !== undefined) oldestAt = Math.min(oldestAt ?? Infinity, own);
    }
    return { ...this.#counts, pending, oldestAt };
  }

  /** Begins nothing new, lets what is under way end for a moment, and records what has come of it. */
  async stop(): Promise<void> {
    this.#isRunning = false;
    const { clock } = this.#parts;
    const all = [...this.#held.values()];
    const timer = clock.setTimeout(() => {
      for (const { outbox } of all) outbox.cut();
    }, endMs);
    await Promise.all([...this.#held.keys()].map((id) => this.#changes.run(id, () => this.#end(id, false))));
    clock.clearTimeout(timer);
  }

  /** Lets go of everything as a dead process would; for tests. */
  crash(): void {
    this.#isRunning = false;
    for (const { outbox, unlisten } of this.#held.values()) {
      outbox.drop();
      unlisten();
    }
    this.#held.clear();
  }

  #open(sessionId: string): Promise<void> {
    return this.#changes.run(sessionId, async () => {
      const view = this.#parts.views.get(sessionId);
      if (this.#held.has(sessionId) || view?.webhookSince === undefined || !this.#isRunning) return;
      await this.#take(view);
    });
  }

  /** Opens an outbox, for as long as it takes. */
  async #take(view: SessionView): Promise<void> {
    const { id } = view;
    const outbox = new Outbox(this.#parts, id);
    const unlisten = this.#parts.views.onChange(id, () => this.#changed(id));
    this.#held.set(id, { outbox, unlisten });
    await this.#whileStoreIsAway({ session: id }, () => outbox.open(view));
    if (outbox.isOpen) {
      // It may have been turned off or set anew meanwhile.
      this.#changed(id);
    } else if (this.#isRunning) {
      // A fault of the gateway: the session's next event is the next try.
      unlisten();
      this.#held.delete(id);
    }
  }

  /** Retries until it is done. Undefined if it cannot be, or the service ends before. */
  async #whileStoreIsAway<T>(fields: object, work: () => Promise<T>): Promise<T | undefined> {
    const { retryLog } = this.#parts;
    while (this.#isRunning) {
      try {
        return await work();
      } catch (err) {
        if (!isRetryable(err)) {
          retryLog.error({ ...fields, err }, 'what is to be delivered cannot be read');
          return undefined;
        }
        retryLog.warn({ ...fields, err }, 'what is to be delivered could not be read yet');
        await this.#pause();
      }
    }
    return undefined;
  }

  #changed(sessionId: string): void {
    const { outbox } = this.#held.get(sessionId) ?? {};
    const view = this.#parts.views.get(sessionId);
    if (outbox === undefined || !this.#isRunning) return;
    if (view?.webhookSince !== undefined && view.webhookSince === outbox.since) return outbox.changed(view);
    void this.#changes.run(sessionId, () => this.#end(sessionId)).then(() => this.#open(sessionId));
  }

  async #end(sessionId: string, isCut = true): Promise<void> {
    const held = this.#held.get(sessionId);
    if (held === undefined) return;
    this.#held.delete(sessionId);
    held.unlisten();
    if (isCut) held.outbox.cut();
    try {
      await held.outbox.end();
    } catch (error) {
      this.#parts.log.warn({ session: sessionId, err: error }, 'deliveries were made that could not be noted');
    }
  }

  #pause(): Promise<void> {
    return new Promise((resolve) => void this.#parts.clock.setTimeout(resolve, storeRetryMs));
  }
}
