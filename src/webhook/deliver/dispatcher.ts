import { KeyedQueue } from '../../../actors/kit/keyed-queue.ts';
import { LightAbort } from '../../../actors/kit/light-abort.ts';
import { mapConcurrent } from '../../../actors/kit/map-concurrent.ts';
import { createRateLimitedLog } from '../../../actors/kit/rate-limited-log.ts';
import { retry } from '../../../actors/kit/retry.ts';
import { storePoll } from '../../../actors/kit/retry-policy.ts';
import { TakenPartitions } from '../../../actors/kit/taken-partitions.ts';
import { allPartitions, NotOwnerError, type OwnedPartitions } from '../../../actors/ports/ownership.ts';
import { firstWebhook } from '../../../actors/session/events.ts';
import { type DeliveriesPage, listDeliveries, type WhichDeliveries } from '../list/list-deliveries.ts';
import { type ActiveWebhook, webhookIn, webhooksIn } from '../places/active-webhooks.ts';
import { endAttempts, releaseMs, stopMs } from '../places/end-attempts.ts';
import { findDueWebhooks, findDueWebhooksOf } from '../places/find-due-webhooks.ts';
import { sessionIdsIn } from '../places/sessions-in.ts';
import type { PlacedEvent } from '../stream/delivery-events.ts';
import { listParked, type ParkedDelivery } from '../stream/list-parked.ts';
import { forWebhook, type OutboxProgress, outboxStream, sessionIdOfOutbox } from '../stream/outbox-progress.ts';
import { isWantedBy } from '../stream/place-marks.ts';
import { type ReplayChoice, replayed } from '../stream/replayed.ts';
import { loadProgress, saveProgress } from '../stream/stored-progress.ts';
import { trimDeliveries } from '../stream/trim-deliveries.ts';
import { AttemptSlots } from './attempt-slots.ts';
import { type Backlog, type DeliveryStatus, statusOf, sumBacklog } from './delivery-status.ts';
import type { DispatcherDeps } from './dispatcher-deps.ts';
import { Outbox, type OutboxDeps } from './outbox.ts';
import { outboxWriter } from './outbox-checkpoint.ts';
import { SameTurn } from './same-turn.ts';
import { sendTest, type TestOutcome } from './send-test.ts';
import { AttemptsOfSessions } from './session-attempts.ts';
import type { DeliveryCounts } from './settle-delivery.ts';

/**
 * Attempts of all sessions together, beyond the one that each may always have: as many as make 2,500 deliveries a second
 * of a backlog to endpoints that take 50 ms.
 */
const maxBeyondTheFirst = 128;
const openedAtOnce = 16;

interface Held {
  sessionId: string;
  slot: number;
  /** Undefined until it is open. */
  outbox: Outbox | undefined;
  /** The last events that were recorded until it is open. */
  recorded: readonly PlacedEvent[];
  unlisten: () => void;
}

/**
 * Delivers recorded events to the webhooks (WH4), each from its own place in the stream of its session (EV2). The outbox of
 * a webhook is opened when a delivery is pending, and ends with its webhook.
 */
export class Dispatcher {
  readonly #deps: OutboxDeps & DispatcherDeps;
  /** By the names of their streams. */
  readonly #held = new Map<string, Held>();
  /** By the same: opening and ending an outbox, one after the other. */
  readonly #changes = new KeyedQueue();
  readonly #counts: DeliveryCounts = { delivered: 0, failed: 0, parked: 0 };
  readonly #stop = new LightAbort();
  readonly #taken: TakenPartitions;

  constructor(deps: DispatcherDeps) {
    this.#taken = new TakenPartitions(deps.partitionOf);
    this.#deps = {
      ...deps,
      slots: new AttemptSlots(maxBeyondTheFirst),
      attempts: new AttemptsOfSessions((id) => webhooksIn(deps.views.get(id)).length),
      sameTurn: new SameTurn(),
      counts: this.#counts,
      retryLog: createRateLimitedLog(deps.log, deps.clock),
    };
  }

  /** Opens the outbox of each webhook with a pending delivery. Retries while the store is away. */
  async start(): Promise<void> {
    this.#taken.take(allPartitions);
    await this.#openAll(() => findDueWebhooks(this.#deps));
  }

  /** Instead of {@link start} among several nodes: the sessions of these partitions are this process's from now on. */
  async take(partitions: OwnedPartitions): Promise<void> {
    this.#taken.take(partitions);
    const ids = await sessionIdsIn(this.#deps.views, partitions);
    await this.#openAll(() => findDueWebhooksOf(this.#deps, ids));
  }

  async #openAll(find: () => ReturnType<typeof findDueWebhooks>): Promise<void> {
    const due = await this.#read({}, find);
    await mapConcurrent(due ?? [], openedAtOnce, ({ sessionId, slot }) => this.#open(sessionId, slot));
  }

  /**
   * Another process delivers the events of these sessions from now on. Attempts in flight may end, if that takes no time.
   * @param isLost nothing may be saved any more
   */
  async release(partitions: OwnedPartitions, isLost: boolean): Promise<void> {
    this.#taken.release(partitions);
    const leaving = [...this.#held].filter(([, { sessionId }]) => partitions.has(sessionId));
    for (const [name, held] of isLost ? leaving : []) this.#drop(name, held);
    if (isLost) return;
    // A replay that is being recorded, and an outbox that is ending, are not held.
    const busy = [...this.#changes.keys()].filter((name) => partitions.has(sessionIdOfOutbox(name)));
    await Promise.all([this.#endAll(leaving, releaseMs), ...busy.map((name) => this.#changes.ended(name))]);
  }

  async #endAll(held: readonly (readonly [name: string, held: Held])[], maxMs: number): Promise<void> {
    const outboxes = held.map(([, { outbox }]) => outbox);
    const ends = ([name, { sessionId, slot }]: (typeof held)[number]): Promise<void> =>
      this.#changes.run(name, () => this.#end(sessionId, slot, false));
    await endAttempts(this.#deps.clock, maxMs, outboxes, () => Promise.all(held.map(ends)));
  }

  #drop(name: string, { outbox, unlisten }: Held): void {
    outbox?.drop();
    unlisten();
    this.#held.delete(name);
  }

  /** To be called with all events that are recorded for a session, in order. */
  recorded(sessionId: string, events: readonly PlacedEvent[]): void {
    for (const { slot, key } of webhooksIn(this.#deps.views.get(sessionId))) {
      const held = this.#held.get(outboxStream(sessionId, slot));
      if (held?.outbox !== undefined) held.outbox.recorded(events);
      else if (held !== undefined) held.recorded = events;
      else if (this.#serves(sessionId) && events.some((event) => isWantedBy(event, key)))
        void this.#open(sessionId, slot);
    }
  }

  /** @param slot of the webhook. @throws {StoreUnavailableError} */
  async status(sessionId: string, slot = firstWebhook): Promise<DeliveryStatus> {
    const { outbox, progress } = await this.#look(sessionId, slot);
    return statusOf(progress, outbox);
  }

  /** The deliveries that were given up, with numbers after `after` and in their order. @throws {StoreUnavailableError} */
  async parked(sessionId: string, after: number, limit: number, slot = firstWebhook): Promise<ParkedDelivery[]> {
    return listParked(this.#deps, sessionId, (await this.#look(sessionId, slot)).progress, after, limit);
  }

  /** A page of a webhook's deliveries; empty while it is off. @throws {StoreUnavailableError} */
  async list(sessionId: string, query: WhichDeliveries, slot = firstWebhook): Promise<DeliveriesPage> {
    if (webhookIn(this.#deps.views.get(sessionId), slot) === undefined) return { docs: [], after: undefined };
    return listDeliveries(this.#deps, sessionId, (await this.#look(sessionId, slot)).progress, query);
  }

  /**
   * Sends events again, with the same IDs: all from a number on, or some.
   * @throws {StoreUnavailableError} {@link NotOwnerError}
   */
  async replay(sessionId: string, choice: ReplayChoice, slot = firstWebhook): Promise<void> {
    const { views, partitionOf } = this.#deps;
    const term = this.#taken.termOf(sessionId);
    // A gateway that is alone may be before its start.
    const isElsewhere = (): boolean =>
      this.#taken.termOf(sessionId) !== term || (term === undefined && partitionOf !== undefined);
    const rewound = this.#changes.run(outboxStream(sessionId, slot), async () => {
      // Attempts in flight are aborted, and sent again.
      await this.#end(sessionId, slot);
      const webhook = webhookIn(views.get(sessionId), slot);
      if (webhook === undefined) return;
      const progress = forWebhook(await loadProgress(this.#deps, sessionId, slot), webhook.since);
      const chosen = await replayed(this.#deps, sessionId, progress, choice);
      // Another process may have saved a later progress.
      if (isElsewhere()) throw new NotOwnerError(`${sessionId} has left this process`);
      await saveProgress(this.#deps, outboxWriter(this.#deps, sessionId, slot), chosen);
    });
    const opened = rewound.catch(() => {}).then(() => this.#open(sessionId, slot));
    await rewound;
    await opened;
  }

  /** Sends a test at once, outside of the queue. @throws {StoreUnavailableError} */
  test(webhook: ActiveWebhook): Promise<TestOutcome> {
    return sendTest(this.#deps, webhook, this.#stop);
  }

  /** Removes finished deliveries recorded up to this time. @throws {StoreUnavailableError} */
  async trim(sessionId: string, recordedBy: number): Promise<void> {
    const webhooks = webhooksIn(this.#deps.views.get(sessionId));
    const look = async (): Promise<OutboxProgress[]> => {
      const looked = await Promise.all(webhooks.map(({ slot }) => this.#look(sessionId, slot)));
      return looked.map(({ progress }) => progress);
    };
    const trimmed = await trimDeliveries(this.#deps, sessionId, recordedBy, look);
    if (trimmed === undefined) return;
    for (const { slot } of webhooks) this.#held.get(outboxStream(sessionId, slot))?.outbox?.forgetBefore(trimmed);
  }

  /** For the metrics. */
  get backlog(): Backlog & DeliveryCounts {
    return { ...this.#counts, ...this.backlogOf(undefined) };
  }

  /** @param tenant only of its sessions; undefined: of all */
  backlogOf(tenant: string | undefined): Backlog {
    const { views } = this.#deps;
    const isCounted = ({ sessionId }: Held): boolean => tenant === undefined || views.get(sessionId)?.tenant === tenant;
    return sumBacklog(Array.from(this.#held.values()).filter(isCounted), ({ outbox }) => outbox);
  }

  /** Begins no attempt, awaits those in flight for up to 3 s, and saves the outcomes. */
  async stop(): Promise<void> {
    this.#halt('the service is shutting down');
    await this.#endAll([...this.#held], stopMs);
  }

  /** Stops as a killed process would; for tests. */
  crash(): void {
    this.#halt('crashed');
    for (const [name, held] of this.#held) this.#drop(name, held);
  }

  #halt(reason: string): void {
    this.#stop.abort(new Error(reason));
  }

  /** The progress of a webhook's deliveries: that of its outbox if it has one, else the saved one. @throws {StoreUnavailableError} */
  async #look(sessionId: string, slot: number): Promise<{ outbox: Outbox | undefined; progress: OutboxProgress }> {
    const webhook = webhookIn(this.#deps.views.get(sessionId), slot);
    if (webhook !== undefined) await this.#open(sessionId, slot);
    const outbox = this.#held.get(outboxStream(sessionId, slot))?.outbox;
    if (outbox?.isEnding === false) return { outbox, progress: outbox.progress };
    const progress = await loadProgress(this.#deps, sessionId, slot);
    return { outbox: undefined, progress: webhook === undefined ? progress : forWebhook(progress, webhook.since) };
  }

  /** Whether an outbox of the session may be opened here. */
  #serves(sessionId: string): boolean {
    return !this.#stop.aborted && this.#taken.has(sessionId);
  }

  #open(sessionId: string, slot: number): Promise<void> {
    const name = outboxStream(sessionId, slot);
    return this.#changes.run(name, async () => {
      const webhook = webhookIn(this.#deps.views.get(sessionId), slot);
      if (this.#held.has(name) || webhook === undefined || !this.#serves(sessionId)) return;
      const unlisten = this.#deps.views.onChange(sessionId, () => this.#changed(sessionId, slot));
      const held: Held = { sessionId, slot, outbox: undefined, recorded: [], unlisten };
      this.#held.set(name, held);
      const outbox = await this.#read({ session: sessionId, slot }, () => Outbox.open(this.#deps, webhook));
      if (outbox === undefined || !this.#serves(sessionId) || this.#held.get(name) !== held) {
        // After a defect of the gateway, the session's next event triggers the next attempt.
        outbox?.drop();
        unlisten();
        if (this.#held.get(name) === held) this.#held.delete(name);
        return;
      }
      held.outbox = outbox;
      outbox.recorded(held.recorded);
      // The webhook may have been turned off or set again since.
      this.#changed(sessionId, slot);
    });
  }

  /** Reads from the store, with retries while it is away. Undefined if it cannot be read, or the service ends. */
  async #read<T>(fields: object, work: () => Promise<T>): Promise<T | undefined> {
    const { retryLog } = this.#deps;
    try {
      return await retry(this.#deps, storePoll, work, this.#stop, (err) =>
        retryLog.warn({ ...fields, err }, 'what is to be delivered could not be read yet'),
      );
    } catch (err) {
      if (!this.#stop.aborted)
        retryLog.error({ where: 'deliveries', ...fields, err }, 'what is to be delivered cannot be read');
      return undefined;
    }
  }

  #changed(sessionId: string, slot: number): void {
    const name = outboxStream(sessionId, slot);
    const { outbox } = this.#held.get(name) ?? {};
    const webhook = webhookIn(this.#deps.views.get(sessionId), slot);
    if (outbox === undefined || this.#stop.aborted) return;
    if (webhook?.since === outbox.since) return outbox.changed(webhook);
    // At once: what is recorded from here on is another webhook's.
    outbox.cut();
    void this.#changes.run(name, () => this.#end(sessionId, slot)).then(() => this.#open(sessionId, slot));
  }

  async #end(sessionId: string, slot: number, isCut = true): Promise<void> {
    const name = outboxStream(sessionId, slot);
    const held = this.#held.get(name);
    if (held === undefined) return;
    this.#held.delete(name);
    held.unlisten();
    if (isCut) held.outbox?.cut();
    try {
      await held.outbox?.end();
    } catch (err) {
      this.#deps.log.warn({ session: sessionId, err }, 'the progress of deliveries could not be saved');
    }
  }
}
