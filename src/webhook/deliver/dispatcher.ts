import { LightAbort } from '../../../actors/kit/light-abort.ts';
import type { SessionView } from '../../../projections/session-view.ts';
import { testPayload } from '../payload/payload-of.ts';
import { type DeliveryMetadata, deliveryStream, type PlacedEvent } from '../stream/delivery-events.ts';
import { eventFrom, firstRevision } from '../stream/find-revision.ts';
import { listParked, type ParkedDelivery } from '../stream/list-parked.ts';
import { countParked } from '../stream/parked.ts';
import { send } from './attempt.ts';
import { loadOutbox, saveOutbox } from './outbox-checkpoint.ts';
import { forWebhook, type OutboxProgress } from './outbox-progress.ts';
import { type Backlog, OutboxRegistry, type OutboxRegistryDeps } from './outbox-registry.ts';
import { rewind } from './rewind.ts';
import { EndpointOf, UnreadableEndpointError, type WebhookEndpoint } from './webhook-endpoint.ts';

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

/** Delivers what is recorded to the webhooks (WH4). */
export class Dispatcher {
  readonly #parts: OutboxRegistryDeps;
  readonly #outboxes: OutboxRegistry;
  readonly #stop = new LightAbort();

  constructor(parts: OutboxRegistryDeps) {
    this.#parts = parts;
    this.#outboxes = new OutboxRegistry(parts);
  }

  /** Takes up what is due. Resolves when all of it is known; tries for as long as the store is away. */
  start(): Promise<void> {
    return this.#outboxes.start();
  }

  /** To be told of everything that is recorded for a session, in order. */
  recorded(sessionId: string, events: readonly PlacedEvent[]): void {
    this.#outboxes.recorded(sessionId, events);
  }

  /** @throws {StoreUnavailableError} */
  async status(sessionId: string): Promise<WebhookStatus> {
    const { outbox, state } = await this.#outboxes.look(sessionId);
    return {
      pending: outbox?.ledger.pending ?? 0,
      lastDelivered: state.lastDelivered?.at,
      lastError: state.lastError?.message ?? '',
      parked: countParked(state.parked),
    };
  }

  /** What was given up, in order of its numbers; those after one of them. @throws {StoreUnavailableError} */
  async parked(sessionId: string, after: number, limit: number): Promise<ParkedDelivery[]> {
    const { state } = await this.#outboxes.look(sessionId);
    return listParked(this.#parts.store, sessionId, state, after, limit);
  }

  /** Sends everything from a number on again, under the same IDs. @throws {StoreUnavailableError} */
  async replay(sessionId: string, from: number): Promise<void> {
    const { store, views } = this.#parts;
    await this.#outboxes.between(sessionId, async () => {
      const { webhookSince } = views.get(sessionId) ?? {};
      if (webhookSince === undefined) return;
      const left = forWebhook(await loadOutbox(store, sessionId), webhookSince);
      await saveOutbox(this.#parts, sessionId, await rewind(store, sessionId, left, from));
    });
  }

  /** Sends a test, at once and whatever else is due. */
  async test(view: SessionView): Promise<TestOutcome> {
    const { sealer, clock, random } = this.#parts;
    const id = random.uuid();
    const fail = (error: string): TestOutcome => ({ id, delivered: false, status: 0, error });
    let receiver: WebhookEndpoint | undefined;
    try {
      receiver = await new EndpointOf(sealer).get(view);
    } catch (error) {
      if (error instanceof UnreadableEndpointError) return fail(error.message);
      throw error;
    }
    if (receiver === undefined) return fail('webhook is off');
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
    const { state, isOn } = await this.#outboxes.look(sessionId);
    const due = isOn ? firstDue(state) : Infinity;
    const before = Math.min(await firstRevision(store, sessionId, last.revision, isKept), due, last.revision);
    await store.truncate(deliveryStream(sessionId), before);
    const kept = await eventFrom(store, sessionId, before);
    if (kept !== undefined) this.#outboxes.forgetBefore(sessionId, kept.metadata.seq);
  }

  /** For the metrics. */
  get backlog(): Backlog {
    return this.#outboxes.backlog;
  }

  /** Begins nothing new, lets what is under way end for a moment, and records what has come of it. */
  stop(): Promise<void> {
    this.#stop.abort(new Error('the service is shutting down'));
    return this.#outboxes.stop();
  }

  /** Lets go of everything as a dead process would; for tests. */
  crash(): void {
    this.#stop.abort(new Error('crashed'));
    this.#outboxes.crash();
  }
}

/** Revision of the first event that is not done with. */
const firstDue = ({ upTo, chats }: OutboxProgress): number =>
  Math.min(upTo.revision + 1, ...Object.values(chats).map(({ from }) => from));
