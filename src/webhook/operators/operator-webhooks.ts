import { KeyedQueue } from '../../../actors/kit/keyed-queue.ts';
import { LightAbort } from '../../../actors/kit/light-abort.ts';
import { createRateLimitedLog } from '../../../actors/kit/rate-limited-log.ts';
import { retry } from '../../../actors/kit/retry.ts';
import { storePoll } from '../../../actors/kit/retry-policy.ts';
import { TakenPartitions } from '../../../actors/kit/taken-partitions.ts';
import { allPartitions, NotOwnerError, type OwnedPartitions } from '../../../actors/ports/ownership.ts';
import type { KeyRegistry } from '../../keys/key-registry.ts';
import { AttemptSlots } from '../deliver/attempt-slots.ts';
import { type Backlog, type DeliveryStatus, sumBacklog } from '../deliver/delivery-status.ts';
import { sendOperatorTest, type TestOutcome } from '../deliver/send-test.ts';
import type { DeliveryCounts } from '../deliver/settle-delivery.ts';
import { endAttempts, releaseMs, stopMs } from '../places/end-attempts.ts';
import { OperatorOutbox } from './operator-outbox.ts';
import type { OperatorOutboxDeps } from './operator-outbox-deps.ts';
import type { OperatorReplay } from './operator-replay.ts';
import type { OperatorWebhook } from './operator-webhook.ts';
import type { OperatorWebhookBook, OperatorWebhookWish } from './operator-webhook-book.ts';
import { type ParkedEvent, placeStream } from './place-codec.ts';

/** Attempts of all operators' webhooks together, beyond the one that each may always have. */
const maxBeyondTheFirst = 64;

export interface OperatorWebhooksDeps
  extends Omit<OperatorOutboxDeps, 'slots' | 'retryLog' | 'endpointOf' | 'endpointGone' | 'counts'> {
  /** Its events are read in the pass of the views. */
  book: OperatorWebhookBook;
  keys: Pick<KeyRegistry, 'isActive' | 'onEnd'>;
  /** The number of the partition that a webhook's ID is in. For {@link OperatorWebhooks.take}. */
  partitionOf?: ((id: string) => number) | undefined;
}

const nothingKnown: DeliveryStatus = {
  pending: 0,
  lastDelivered: undefined,
  lastError: '',
  lastFailed: undefined,
  nextAttempt: undefined,
  parked: 0,
};

/** A webhook that is on. */
interface Running {
  outbox: OperatorOutbox;
  /** Stops listening for the end of its key. */
  forget: () => void;
}

/**
 * Operators' webhooks (EV2): each receives the `session.*` events of all sessions that its key may see. They are read from the
 * log of sessions itself.
 */
export class OperatorWebhooks {
  readonly book: OperatorWebhookBook;
  readonly #deps: OperatorWebhooksDeps & OperatorOutboxDeps;
  readonly #running = new Map<string, Running>();
  /** By webhook: starting and ending it, one after the other. */
  readonly #changes = new KeyedQueue();
  readonly #stop = new LightAbort();
  readonly #counts: DeliveryCounts = { delivered: 0, failed: 0, parked: 0 };
  readonly #taken: TakenPartitions;

  constructor(deps: OperatorWebhooksDeps) {
    this.book = deps.book;
    this.#taken = new TakenPartitions(deps.partitionOf);
    this.#deps = {
      ...deps,
      counts: this.#counts,
      slots: new AttemptSlots(maxBeyondTheFirst),
      retryLog: createRateLimitedLog(deps.log, deps.clock),
      endpointOf: (webhook) => this.book.endpointOf(webhook),
      endpointGone: (id) => this.#gone(id),
    };
  }

  /** Begins to deliver. To be called when the views have caught up. Retries while the store is away. */
  async start(): Promise<void> {
    this.#taken.take(allPartitions);
    await retry(this.#deps, storePoll, () => this.book.eraseRemoved(), this.#stop);
    await Promise.all(this.book.list().map(({ id }) => this.#runLogged(id)));
  }

  /**
   * Instead of {@link start} among several nodes: the webhooks in these partitions are this process's from now on. Those that
   * other processes add and change are seen in the book. Retries while the store is away.
   */
  async take(partitions: OwnedPartitions): Promise<void> {
    this.#taken.take(partitions);
    this.book.onSeen((id) => this.#seen(id));
    await retry(this.#deps, storePoll, () => this.book.eraseRemoved(), this.#stop);
    const taken = this.book.list().filter(({ id }) => partitions.has(id));
    await Promise.all(taken.map(({ id }) => this.#runLogged(id)));
  }

  /** Another process has these webhooks from now on. @param isLost nothing may be saved any more */
  async release(partitions: OwnedPartitions, isLost: boolean): Promise<void> {
    this.#taken.release(partitions);
    const leaving = [...this.#running].filter(([id]) => partitions.has(id));
    for (const [, { outbox }] of isLost ? leaving : []) outbox.drop();
    await this.#endAll(leaving, releaseMs);
  }

  async #endAll(running: readonly (readonly [id: string, running: Running])[], maxMs: number): Promise<void> {
    const outboxes = running.map(([, { outbox }]) => outbox);
    const end = (): Promise<unknown> => Promise.all(running.map(([id]) => this.#changes.run(id, () => this.#end(id))));
    await endAttempts(this.#deps.clock, maxMs, outboxes, end);
  }

  /** A webhook was added, changed or removed, by this process or another one. */
  #seen(id: string): void {
    if (this.book.get(id) === undefined) this.#running.get(id)?.outbox.drop();
    void this.#runLogged(id);
  }

  /** As `#run`, but never rejects: one webhook that cannot be started stops no other. */
  async #runLogged(id: string): Promise<void> {
    try {
      await this.#run(id);
    } catch (err) {
      if (this.#stop.aborted) return;
      this.#deps.log.error({ where: 'deliveries', webhook: id, err }, 'an operators’ webhook could not be started');
    }
  }

  /** @throws {StoreUnavailableError} and what `mayStill` throws */
  async add(...wish: Parameters<OperatorWebhookBook['add']>): Promise<OperatorWebhook> {
    const webhook = await this.book.add(...wish);
    await this.#run(webhook.id);
    return webhook;
  }

  /** Undefined if there is none any more. @throws {StoreUnavailableError} */
  async change(id: string, wish: OperatorWebhookWish, author: string): Promise<OperatorWebhook | undefined> {
    const webhook = await this.book.change(id, wish, author);
    if (webhook !== undefined) await this.#run(id);
    return webhook;
  }

  /** False if there is none any more. @throws {StoreUnavailableError} */
  async remove(id: string, author: string, reason?: string, only?: OperatorWebhook): Promise<boolean> {
    const isRemoved = await this.book.remove(id, author, reason, only);
    if (!isRemoved) return false;
    await this.#changes.run(id, async () => {
      this.#running.get(id)?.outbox.drop();
      await this.#end(id);
      await this.book.erase(id);
    });
    return true;
  }

  /** Whether it gets nothing because its key may not be used any more. */
  isPaused({ keyId }: OperatorWebhook): boolean {
    return keyId !== undefined && !this.#deps.keys.isActive(keyId);
  }

  /** Of a webhook that waits for a key, nothing is known. */
  status({ id }: OperatorWebhook): DeliveryStatus {
    return this.#running.get(id)?.outbox.status ?? nothingKnown;
  }

  /** The newest events that were given up. */
  parked({ id }: OperatorWebhook): readonly ParkedEvent[] {
    return this.#running.get(id)?.outbox.progress.parked ?? [];
  }

  /** What all webhooks have to deliver, and what became of it since the start. */
  get backlog(): Backlog & DeliveryCounts {
    const running = Array.from(this.#running.values(), ({ outbox }) => outbox);
    return {
      ...sumBacklog(running, ({ status, oldestAt }) => ({ pending: status.pending, oldestAt })),
      ...this.#counts,
    };
  }

  /**
   * Events are sent once more, under the same IDs. Resolves when that is recorded.
   * @returns false if the webhook waits for a key
   * @throws {UntoldSessionError} {TooManyReplayedError} {@link StoreUnavailableError}
   * @throws {NotOwnerError} it has left this process, or is not open here yet
   */
  async replay(webhook: OperatorWebhook, choice: OperatorReplay): Promise<boolean> {
    const running = this.#running.get(webhook.id);
    if (running === undefined && this.isPaused(webhook)) return false;
    if (running === undefined) throw new NotOwnerError(`webhook ${webhook.id} is not delivered to here`);
    await running.outbox.replay(choice);
    return true;
  }

  /** Sends a test at once, outside of the queue. */
  test(webhook: OperatorWebhook): Promise<TestOutcome> {
    return sendOperatorTest(this.#deps, placeStream(webhook.id), this.book.endpointOf(webhook), this.#stop);
  }

  /** Begins no attempt, awaits those in flight for up to 3 s, and saves the outcomes. */
  async stop(): Promise<void> {
    this.#halt('the service is shutting down');
    await this.#endAll([...this.#running], stopMs);
  }

  /** Stops as a killed process would; for tests. */
  crash(): void {
    this.#halt('crashed');
    for (const { outbox, forget } of this.#running.values()) {
      outbox.drop();
      forget();
    }
    this.#running.clear();
  }

  #halt(reason: string): void {
    if (!this.#stop.aborted) this.#stop.abort(new Error(reason));
  }

  /** Starts it, or hands it its new settings; a webhook whose key may not be used is ended. */
  #run(id: string): Promise<void> {
    return this.#changes.run(id, async () => {
      const webhook = this.book.get(id);
      const running = this.#running.get(id);
      if (this.#stop.aborted) return;
      if (webhook === undefined || this.isPaused(webhook)) return this.#end(id);
      if (!this.#taken.has(id)) return;
      if (running !== undefined) {
        running.forget();
        running.forget = this.#listenForEndOfKey(webhook);
        running.outbox.changed(webhook);
        return;
      }
      const outbox = await this.#open(webhook);
      if (outbox === undefined || this.isPaused(webhook)) return;
      this.#running.set(id, { outbox, forget: this.#listenForEndOfKey(webhook) });
      outbox.start();
    });
  }

  /** @returns stops listening */
  #listenForEndOfKey({ id, keyId }: OperatorWebhook): () => void {
    return keyId === undefined ? () => {} : this.#deps.keys.onEnd(keyId, () => void this.#runLogged(id));
  }

  /** Undefined if its partition is released before it is open. Retries while the store is away. */
  async #open(webhook: OperatorWebhook): Promise<OperatorOutbox | undefined> {
    const term = this.#taken.termOf(webhook.id);
    const isOver = (): boolean => this.#stop.aborted || this.#taken.termOf(webhook.id) !== term;
    const open = async (): Promise<OperatorOutbox | undefined> =>
      isOver() ? undefined : await OperatorOutbox.open(this.#deps, webhook);
    const outbox = await retry(this.#deps, storePoll, open, this.#stop);
    return isOver() ? undefined : outbox;
  }

  async #end(id: string): Promise<void> {
    const running = this.#running.get(id);
    if (running === undefined) return;
    this.#running.delete(id);
    running.forget();
    await running.outbox.end();
  }

  async #gone(id: string): Promise<void> {
    const webhook = this.book.get(id);
    if (webhook !== undefined) await this.remove(id, 'gateway', 'receiver-gone', webhook);
  }
}
