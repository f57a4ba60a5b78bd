import { LightAbort } from '../../actors/kit/light-abort.ts';
import { sleep } from '../../actors/kit/sleep.ts';
import type { Clock } from '../../actors/ports/clock.ts';
import type { EventStore, RecordedEvent } from '../../actors/ports/event-store.ts';
import { type Ownership, soleOwner } from '../../actors/ports/ownership.ts';
import { sessionStream, webhookSlots } from '../../actors/session/events.ts';
import type { ProjectionRunner } from '../../projections/projection-runner.ts';
import type { SessionView } from '../../projections/session-view.ts';
import { newChatsStream, paceStream } from '../messaging/pace/pace-events.ts';
import { keptMs, sendStream } from '../messaging/send-events.ts';
import { deliveryStream } from '../webhook/stream/delivery-events.ts';
import { outboxStream, readersStream } from '../webhook/stream/outbox-progress.ts';

export interface Retention {
  /** Prunes now and then once a day; trims 10 minutes later. */
  start(): void;
  /** Resolves when a running run has ended, at its next step. */
  stop(): Promise<void>;
}

export interface RetentionOptions {
  store: Pick<EventStore, 'erase' | 'last' | 'read' | 'truncate'>;
  views: Pick<ProjectionRunner, 'list' | 'remove'>;
  /** Only what this process owns is pruned. Default: the process is alone. */
  ownership?: Pick<Ownership, 'owns'> | undefined;
  clock: Clock;
  /** How long the log of a deleted session is kept, in days. */
  days: number;
  /** Removes finished deliveries recorded up to this time. */
  trimDeliveries?: (sessionId: string, recordedBy: number) => Promise<void>;
  /** Replaces what was counted in the seconds of past days by the sums of these days. @returns how many days */
  sumUsage?: () => Promise<number>;
  log: {
    info(fields: object, message: string): void;
    warn(fields: object, message: string): void;
  };
}

const dayMs = 24 * 60 * 60 * 1000;
/** How far back deliveries can be sent again, and deletions of messages resolved. */
const deliveriesKeptMs = 7 * dayMs;
/**
 * Trimming reads streams of every session. At a start the store has to bring back the sessions first.
 */
const firstTrimMs = 10 * 60 * 1000;
/** Wait after a failed run, for example because the store was away. */
const retryMs = 10 * 60 * 1000;
/** Sessions read at a time, and the maximum erased together. */
const pageSessions = 100;
/** Pause between two pages, which leaves the store to others. */
const pauseMs = 50;

/** The streams of a deleted session; its vault was erased with the deletion. */
const streamsOf = (sessionId: string): string[] => [
  sessionStream(sessionId),
  sendStream(sessionId),
  paceStream(sessionId),
  newChatsStream(sessionId),
  deliveryStream(sessionId),
  readersStream(sessionId),
  ...webhookSlots.map((slot) => outboxStream(sessionId, slot)),
];

/**
 * Prunes the logs of sessions that were deleted long enough ago. Of live sessions it prunes keyed sends older than a
 * day (MS7; a session that keeps sending does so itself) and deliveries older than 7 days. A stream is erased before
 * its view: what a crash leaves is found by the next run, as is a view that was rebuilt from events that a store still
 * shows after their erasure.
 */
export function createRetention(options: RetentionOptions): Retention {
  return new DailyRetention(options);
}

class DailyRetention implements Retention {
  readonly #options: RetentionOptions;
  #running: Promise<unknown> = Promise.resolve();
  readonly #stop = new LightAbort();

  constructor(options: RetentionOptions) {
    this.#options = options;
  }

  start(): void {
    const { clock } = this.#options;
    const trimming = sleep(clock, firstTrimMs, this.#stop).then(() => this.#runDaily(() => this.#trim()));
    this.#running = Promise.allSettled([this.#runDaily(() => this.#prune()), trimming]);
  }

  async stop(): Promise<void> {
    this.#stop.abort(new Error('the gateway is closing'));
    await this.#running;
  }

  /** Ends when it is stopped. @throws the reason */
  async #runDaily(work: () => Promise<void>): Promise<never> {
    const { clock } = this.#options;
    for (;;) {
      this.#stop.throwIfAborted();
      const begunAt = clock.elapsed();
      const restMs = (await this.#succeeds(work)) ? begunAt + dayMs - clock.elapsed() : retryMs;
      await sleep(clock, restMs, this.#stop);
    }
  }

  /** @returns whether all of it was done */
  async #succeeds(work: () => Promise<void>): Promise<boolean> {
    try {
      await work();
      return true;
    } catch (error) {
      this.#options.log.warn({ err: error }, 'logs of deleted sessions could not be pruned yet');
      return false;
    }
  }

  async #trim(): Promise<void> {
    const startedAt = this.#options.clock.now();
    await this.#trimSends(startedAt - keptMs);
    await this.#trimDeliveries(startedAt - deliveriesKeptMs);
    const days = (await this.#options.sumUsage?.()) ?? 0;
    if (days > 0) this.#options.log.info({ days }, 'the usage of past days was summed');
  }

  /** Erases the sessions that were deleted long enough ago. */
  async #prune(): Promise<void> {
    const { clock, log, days } = this.#options;
    const deletedBy = clock.now() - days * dayMs;
    let pruned = 0;
    for await (const page of this.#pages('ended')) {
      const due = page.filter(({ since }) => since <= deletedBy).map(({ id }) => id);
      const { ownership = soleOwner } = this.#options;
      const own = due.filter((id) => ownership.owns(id));
      await this.#erase(own);
      await this.#removeErased(due.filter((id) => !own.includes(id)));
      pruned += own.length;
    }
    if (pruned > 0) log.info({ sessions: pruned }, 'logs of deleted sessions were pruned');
  }

  /** One event stays, because the stream's numbering depends on it. */
  async #trimSends(sentBy: number): Promise<void> {
    for await (const page of this.#pages()) {
      await Promise.all(page.map(({ id }) => this.#trimStream(sendStream(id), sentBy)));
    }
  }

  async #trimStream(stream: string, recordedBy: number): Promise<void> {
    const { store } = this.#options;
    const ends: RecordedEvent[] = [];
    for await (const event of store.read(stream, { direction: 'backwards', limit: 2 })) ends.push(event);
    const [last, before] = ends;
    // Of a stream that is trimmed, nothing is before the last event.
    if (last === undefined || before === undefined || last.created > recordedBy) return;
    await store.truncate(stream, last.revision);
  }

  async #trimDeliveries(recordedBy: number): Promise<void> {
    const { trimDeliveries } = this.#options;
    if (trimDeliveries === undefined) return;
    for await (const page of this.#pages()) {
      await Promise.all(page.map(({ id }) => trimDeliveries(id, recordedBy)));
    }
  }

  /** Deleted sessions, or all live ones, page by page. Ends early when it is stopped. */
  async *#pages(state?: 'ended'): AsyncGenerator<SessionView[]> {
    const { views, ownership = soleOwner } = this.#options;
    let after: string | undefined;
    while (!this.#stop.aborted) {
      const page: SessionView[] = views.list({ after, limit: pageSessions, ...(state && { state }) });
      yield state === 'ended' ? page : page.filter(({ id }) => ownership.owns(id));
      after = page.at(-1)?.id;
      if (page.length < pageSessions) break;
      await sleep(this.#options.clock, pauseMs, this.#stop).catch(() => {});
    }
  }

  /** Their owners erase them: what is left of them here is their views. */
  async #removeErased(ids: readonly string[]): Promise<void> {
    const { store, views } = this.#options;
    const ends = await Promise.all(ids.map((id) => store.last(sessionStream(id))));
    const erased = ids.filter((_, place) => ends[place] === undefined);
    if (erased.length > 0) views.remove(erased);
  }

  async #erase(ids: readonly string[]): Promise<void> {
    const { store, views } = this.#options;
    if (ids.length === 0) return;
    await Promise.all(ids.flatMap((id) => streamsOf(id)).map((stream) => store.erase(stream)));
    views.remove(ids);
  }
}
