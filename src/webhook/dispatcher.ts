import type { EventStore } from '../../actors/event-store.ts';
import type { SessionView, SessionViews } from '../../projections/session-view.ts';
import { inParallel } from '../in-parallel.ts';
import { OneAtATime } from '../one-at-a-time.ts';
import { Stop } from '../stop-signal.ts';
import { send } from './attempt.ts';
import { AttemptSlots } from './attempt-slots.ts';
import { type DeliveryMetadata, deliveryStream, type PlacedEvent } from './delivery-events.ts';
import { eventFrom, firstRevision } from './find-revision.ts';
import { listParked, type ParkedDelivery } from './list-parked.ts';
import { type DeliveryCounts, Outbox, type OutboxParts } from './outbox.ts';
import { loadOutbox, saveOutbox } from './outbox-record.ts';
import { forWebhook, type OutboxState, outboxPrefix } from './outbox-state.ts';
import { countParked } from './parked.ts';
import { testPayload } from './payload-of.ts';
import { ReceiverOf } from './receiver.ts';
import { rewind } from './rewind.ts';

/** Attempts of all sessions together, beyond the one that each may always have. */
const mostBeyondTheFirst = 64;
const openedAtOnce = 16;
/** After a store has gone away. */
const storeRetryMs = 1_000;
/** OP2: what is under way at the end has so long; 10 s are for all. */
const endMs = 3_000;

export interface DispatcherParts extends Omit<OutboxParts, 'slots' | 'counts'> {
  store: OutboxParts['store'] & Pick<EventStore, 'lastOfEach'>;
  views: Pick<SessionViews, 'get' | 'onChange'>;
}

/** How a session's webhook is doing. Times in milliseconds since 1970. */
export interface WebhookStatus {
  pending: number;
  lastDelivered: number | undefined;
  /** Empty where nothing has failed. */
  lastError: string;
  parked: number;
}

export interface TestOutcome {
  id: string;
  delivered: boolean;
  /** What the receiver answered; 0 where it did not. */
  status: number;
  error: string;
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

/** Delivers what is recorded to the webhooks (WH4). */
export class Dispatcher {
  readonly #parts: OutboxParts & DispatcherParts;
  readonly #held = new Map<string, Held>();
  /** What opens and ends a session's outbox. */
  readonly #changes = new OneAtATime();
  readonly #counts: DeliveryCounts = { delivered: 0, failed: 0, parked: 0 };
  readonly #stop = new Stop();
  #isRunning = false;

  constructor(parts: DispatcherParts) {
    this.#parts = { ...parts, slots: new AttemptSlots(mostBeyondTheFirst), counts: this.#counts };
  }

  /** Takes up what is due. Resolves when all of it is known; tries for as long as the store is away. */
  async start(): Promise<void> {
    this.#isRunning = true;
    for (let due: string[] | undefined; due === undefined && this.#isRunning; ) {
      try {
        due = await this.#due();
        await inParallel(due, openedAtOnce, (id) => this.#open(id));
      } catch (error) {
        this.#parts.log.warn({ err: error }, 'what is to be delivered could not be read yet');
        await this.#pause();
      }
    }
  }

  /** To be told of everything that is recorded for a session, in order. */
  recorded(sessionId: string, events: readonly PlacedEvent[]): void {
    const held = this.#held.get(sessionId);
    if (held !== undefined) held.outbox.offer(events);
    else if (this.#isRunning) void this.#open(sessionId);
  }

  /** @throws {StoreUnavailableError} */
  async status(sessionId: string): Promise<WebhookStatus> {
    const { outbox, state } = await this.#look(sessionId);
    return {
      pending: outbox?.pending ?? 0,
      lastDelivered: state.lastDelivered?.at,
      lastError: state.lastError?.message ?? '',
      parked: countParked(state.parked),
    };
  }

  /** What was given up, in order of its numbers; those after one of them. @throws {StoreUnavailableError} */
  async parked(sessionId: string, after: number, limit: number): Promise<ParkedDelivery[]> {
    const { state } = await this.#look(sessionId);
    return listParked(this.#parts.store, sessionId, state, after, limit);
  }

  /** Sends everything from a number on again, under the same IDs. @throws {StoreUnavailableError} */
  async replay(sessionId: string, from: number): Promise<void> {
    const { store, views } = this.#parts;
    const rewound = this.#changes.run(sessionId, async () => {
      await this.#end(sessionId);
      const { webhookSince } = views.get(sessionId) ?? {};
      if (webhookSince === undefined) return;
      const left = forWebhook(await loadOutbox(store, sessionId), webhookSince);
      await saveOutbox(this.#parts, sessionId, await rewind(store, sessionId, left, from));
    });
    const opened = rewound.catch(() => {}).then(() => this.#open(sessionId));
    await rewound;
    await opened;
  }

  /** Sends a test, at once and whatever else is due. */
  async test(view: SessionView): Promise<TestOutcome> {
    const { sealer, clock, random } = this.#parts;
    const id = random.uuid();
    const receiver = await new ReceiverOf(sealer).get(view);
    if (receiver === undefined) return { id, delivered: false, status: 0, error: 'webhook is off' };
    const payload = testPayload({ id: view.id, generatedId: receiver.generatedId }, id, clock.now());
    const outcome = await send(this.#parts, receiver, payload, this.#stop);
    const delivered = outcome.kind === 'delivered';
    return { id, delivered, status: outcome.status, error: delivered ? '' : outcome.error };
  }

  /** Removes what was recorded by then, and is done with, from the delivery stream. @throws {StoreUnavailableError} */
  async trim(sessionId: string, recordedBy: number): Promise<void> {
    const { store } = this.#parts;
    const isKept = ({ at }: DeliveryMetadata): boolean => at > recordedBy;
    const first = await eventFrom(store, sessionId, 0);
    if (first === undefined || isKept(first.metadata)) return;
    const last = await store.last(deliveryStream(sessionId));
    if (last === undefined) return;
    const { state, isOn } = await this.#look(sessionId);
    const due = isOn ? firstDue(state) : Infinity;
    const before = Math.min(await firstRevision(store, sessionId, last.revision, isKept), due, last.revision);
    await store.truncate(deliveryStream(sessionId), before);
    const kept = await eventFrom(store, sessionId, before);
    if (kept !== undefined) this.#held.get(sessionId)?.outbox.forgetBefore(kept.metadata.seq);
  }

  /** For the metrics. */
  get backlog(): Backlog {
    let pending = 0;
    let oldestAt: number | undefined;
    for (const { outbox } of this.#held.values()) {
      pending += outbox.pending;
      const { oldestAt: own } = outbox;
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
    this.#stop.abort(new Error('the service is shutting down'));
    await Promise.all([...this.#held.keys()].map((id) => this.#changes.run(id, () => this.#end(id, false))));
    clock.clearTimeout(timer);
  }

  /** Lets go of everything as a dead process would; for tests. */
  crash(): void {
    this.#isRunning = false;
    this.#stop.abort(new Error('crashed'));
    for (const { outbox, unlisten } of this.#held.values()) {
      outbox.drop();
      unlisten();
    }
    this.#held.clear();
  }

  /** Sessions of which something is due, or may be. */
  async #due(): Promise<string[]> {
    const { store, views } = this.#parts;
    const upTo = new Map<string, number>();
    for await (const { stream, data } of store.lastOfEach(outboxPrefix)) {
      const state = data as unknown as OutboxState;
      const hasBehind = Object.keys(state.chats).length > 0;
      upTo.set(stream.slice(outboxPrefix.length), hasBehind ? -1 : state.upTo.seq);
    }
    const prefix = deliveryStream('');
    const due: string[] = [];
    for await (const { stream, metadata } of store.lastOfEach(prefix)) {
      const id = stream.slice(prefix.length);
      const { seq } = metadata as unknown as DeliveryMetadata;
      if (seq > (upTo.get(id) ?? 0) && views.get(id)?.webhook !== undefined) due.push(id);
    }
    return due;
  }

  async #look(sessionId: string): Promise<{ outbox: Outbox | undefined; state: OutboxState; isOn: boolean }> {
    const view = this.#parts.views.get(sessionId);
    const isOn = view?.webhookSince !== undefined;
    if (isOn && this.#isRunning) await this.#open(sessionId);
    const outbox = this.#held.get(sessionId)?.outbox;
    if (outbox?.isOpen) return { outbox, state: outbox.state(), isOn };
    const left = await loadOutbox(this.#parts.store, sessionId);
    return { outbox: undefined, state: isOn ? forWebhook(left, view.webhookSince ?? 0) : left, isOn };
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
    while (this.#isRunning) {
      try {
        await outbox.open(view);
        break;
      } catch (error) {
        this.#parts.log.warn({ session: id, err: error }, 'what is to be delivered could not be read yet');
        await this.#pause();
      }
    }
    // It may have been turned off or set anew meanwhile.
    this.#changed(id);
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

/** Revision of the first event that is not done with. */
const firstDue = ({ upTo, chats }: OutboxState): number =>
  Math.min(upTo.revision + 1, ...Object.values(chats).map(({ from }) => from));
