import type { EventStore } from '../../../actors/ports/event-store.ts';
import type { SessionView } from '../../../projections/session-view.ts';
import { deliveryStream, type PlacedEvent, placed } from '../stream/delivery-events.ts';
import { type DeliveryPlace, DeliveryReader } from '../stream/delivery-reader.ts';
import { cutParked } from '../stream/parked.ts';
import { ChatQueues } from './chat-queues.ts';
import { loadOutbox, OutboxCheckpoint, type OutboxCheckpointDeps } from './outbox-checkpoint.ts';
import { emptyProgress, forWebhook, type OutboxProgress } from './outbox-progress.ts';

export interface OutboxLedgerDeps extends OutboxCheckpointDeps {
  store: OutboxCheckpointDeps['store'] & Pick<EventStore, 'read'>;
}

/** What is due in a session, and what has become of the rest. Every change of it is recorded a moment later. */
export class OutboxLedger {
  readonly #parts: OutboxLedgerDeps;
  readonly #id: string;
  readonly #record: OutboxCheckpoint;
  #state: OutboxProgress = emptyProgress;
  #queues = new ChatQueues({});
  #reader: DeliveryReader | undefined;
  /** The last of what was recorded while it was opened. */
  #offered: DeliveryPlace | undefined;

  constructor(parts: OutboxLedgerDeps, sessionId: string) {
    this.#parts = parts;
    this.#id = sessionId;
    this.#record = new OutboxCheckpoint(parts, sessionId, () => this.state());
  }

  /** Takes up what was left; once. @throws {StoreUnavailableError} */
  async open({ webhookSince = 0 }: Pick<SessionView, 'webhookSince'>): Promise<void> {
    const { store } = this.#parts;
    const left = await loadOutbox(store, this.#id);
    const last = await store.last(deliveryStream(this.#id));
    this.#state = forWebhook(left, webhookSince);
    this.#queues = new ChatQueues(this.#state.chats);
    const found: DeliveryPlace = last === undefined ? this.#state.upTo : placeOf(placed(last));
    const end = this.#offered !== undefined && this.#offered.revision > found.revision ? this.#offered : found;
    this.#reader = new DeliveryReader(store, this.#id, this.#queues, this.#state, end);
  }

  get isOpen(): boolean {
    return this.#reader !== undefined;
  }

  get queues(): ChatQueues {
    return this.#queues;
  }

  /** There is nothing in the stream that has not been looked at. */
  get isAtEnd(): boolean {
    return this.#reader?.isAtEnd !== false;
  }

  get pending(): number {
    const { upTo = { seq: 0 }, end = { seq: 0 } } = this.#reader ?? {};
    return this.#queues.count + end.seq - upTo.seq;
  }

  /** As it is recorded. */
  state(): OutboxProgress {
    return { ...this.#state, upTo: this.#reader?.upTo ?? this.#state.upTo, chats: this.#queues.behind() };
  }

  /** What has just been recorded. */
  offer(events: readonly PlacedEvent[]): void {
    const last = events.at(-1);
    if (this.#reader !== undefined) this.#reader.offer(events);
    else if (last !== undefined) this.#offered = placeOf(last);
  }

  /** Reads what there is room for; see {@link DeliveryReader.fill}. @throws {StoreUnavailableError} */
  async fill(onDue: () => void, isOver: () => boolean): Promise<void> {
    const before = this.#reader?.upTo;
    await this.#reader?.fill(() => this.#parts.clock.now(), onDue, isOver);
    if (before !== this.#reader?.upTo) this.#record.note();
  }

  change(changed: (state: OutboxProgress) => OutboxProgress): void {
    this.#state = changed(this.#state);
    this.#record.note();
  }

  /** What is older than that has been removed from the stream. */
  forgetBefore(seq: number): void {
    if (!this.isOpen) return;
    this.change((state) => ({ ...state, parked: cutParked(state.parked, seq, Infinity) }));
  }

  /** Records what is not recorded yet. @throws {StoreUnavailableError} */
  flush(): Promise<void> {
    return this.#record.flush();
  }

  /** Nothing is recorded any more. */
  cut(): void {
    this.#record.cut();
  }
}

const placeOf = ({ revision, metadata: { seq } }: PlacedEvent): DeliveryPlace => ({ revision, seq });
