import type { Randomness, TimerHandle } from '../../actors/clock.ts';
import type { SessionView, SessionViews } from '../../projections/session-view.ts';
import { Stop } from '../stop-signal.ts';
import { type AttemptParts, attempt, type Outcome } from './attempt.ts';
import type { AttemptSlots } from './attempt-slots.ts';
import { type Chat, ChatQueues, type Due } from './chat-queues.ts';
import { deliveryStream, type PlacedEvent, placed } from './delivery-events.ts';
import { DeliveryReader, type Place } from './delivery-reader.ts';
import { loadOutbox, OutboxRecord, type RecordParts } from './outbox-record.ts';
import { emptyOutbox, forWebhook, type OutboxState } from './outbox-state.ts';
import { addParked, countParked, cutParked } from './parked.ts';
import { isSameWebhook, ReceiverOf } from './receiver.ts';
import { nextAttemptAt, patienceMs } from './retry-schedule.ts';

/** At once to one receiver: that many chats side by side. */
const mostUnderWay = 8;
/** After a store has gone away. */
const storeRetryMs = 1_000;

/** What all outboxes together have come to, since the start. */
export interface DeliveryCounts {
  delivered: number;
  failed: number;
  parked: number;
}

export interface OutboxParts extends AttemptParts, RecordParts {
  store: AttemptParts['store'] & RecordParts['store'];
  views: Pick<SessionViews, 'get'>;
  random: Pick<Randomness, 'uuid' | 'fraction'>;
  slots: AttemptSlots;
  counts: DeliveryCounts;
  /** Turns the webhook off because its receiver said so. */
  receiverGone: (sessionId: string) => Promise<void>;
}

class Stopped extends Error {
  override name = 'Stopped';
}

/** The deliveries of one session to the webhook that it has now. Another webhook is another outbox. */
export class Outbox {
  readonly #parts: OutboxParts;
  readonly #id: string;
  readonly #receiver: ReceiverOf;
  readonly #record: OutboxRecord;
  readonly #stop = new Stop();
  readonly #running = new Set<Promise<void>>();
  readonly #ready = new Set<Chat>();
  #state: OutboxState = emptyOutbox;
  #queues = new ChatQueues({});
  #reader: DeliveryReader | undefined;
  #view: SessionView | undefined;
  #timer: TimerHandle | undefined;
  /** The last of what was recorded while it was opened. */
  #offered: Place | undefined;
  #isEnding = false;

  constructor(parts: OutboxParts, sessionId: string) {
    this.#parts = parts;
    this.#id = sessionId;
    this.#receiver = new ReceiverOf(parts.sealer);
    this.#record = new OutboxRecord(parts, sessionId, () => this.state());
  }

  /**
   * Takes up what was left and goes on with it; once.
   * @throws {StoreUnavailableError}
   */
  async open(view: SessionView): Promise<void> {
    const { store } = this.#parts;
    this.#view = view;
    const left = await loadOutbox(store, this.#id);
    const last = await store.last(deliveryStream(this.#id));
    if (this.#isEnding) return;
    this.#state = forWebhook(left, view.webhookSince ?? 0);
    this.#queues = new ChatQueues(this.#state.chats);
    const found: Place = last === undefined ? this.#state.upTo : placeOf(placed(last));
    const end = this.#offered !== undefined && this.#offered.revision > found.revision ? this.#offered : found;
    this.#reader = new DeliveryReader(store, this.#id, this.#queues, this.#state, end);
    this.#goOn();
  }

  get isOpen(): boolean {
    return this.#reader !== undefined && !this.#isEnding;
  }

  /** Since when the webhook has been set that this is for. */
  get since(): number | undefined {
    return this.#view?.webhookSince;
  }

  /** As it is recorded a moment later. */
  state(): OutboxState {
    return { ...this.#state, upTo: this.#reader?.upTo ?? this.#state.upTo, chats: this.#queues.behind() };
  }

  get pending(): number {
    const { upTo = { seq: 0 }, end = { seq: 0 } } = this.#reader ?? {};
    return this.#queues.count + end.seq - upTo.seq;
  }

  get parked(): number {
    return countParked(this.#state.parked);
  }

  /** When the oldest of what is at hand was recorded. */
  get oldestAt(): number | undefined {
    let oldest: number | undefined;
    for (const { due } of this.#queues.chats.values()) {
      if (due[0] !== undefined) oldest = Math.min(oldest ?? Infinity, due[0].at);
    }
    return oldest;
  }

  /** What has just been recorded. */
  offer(events: readonly PlacedEvent[]): void {
    const last = events.at(-1);
    if (this.#reader === undefined) {
      if (last !== undefined) this.#offered = placeOf(last);
      return;
    }
    this.#reader.offer(events);
    this.#goOn();
  }

  /** The webhook has another URL or token: what waits is tried there at once. */
  changed(view: SessionView): void {
    const isOther = this.#view !== undefined && !isSameWebhook(this.#view, view);
    this.#view = view;
    if (!isOther) return;
    for (const { failing } of this.#queues.chats.values()) if (failing) failing.nextAt = 0;
    this.#goOn();
  }

  /** Nothing new is begun, what is under way ends, and is recorded. @throws {StoreUnavailableError} */
  async end(): Promise<void> {
    this.#halt();
    await Promise.all(this.#running);
    await this.#record.flush();
  }

  /** Cuts off what is under way: it counts as not delivered. */
  cut(): void {
    this.#halt();
    this.#stop.abort(new Stopped('deliveries have ended'));
  }

  /** Nothing is recorded any more either. */
  drop(): void {
    this.cut();
    this.#record.cut();
  }

  /** What is older than that has been removed from the stream. */
  forgetBefore(seq: number): void {
    this.#state = { ...this.#state, parked: cutParked(this.#state.parked, seq, Infinity) };
    this.#record.note();
  }

  #halt(): void {
    this.#isEnding = true;
    if (this.#timer !== undefined) this.#parts.clock.clearTimeout(this.#timer);
    this.#parts.slots.forget(this.#pump);
  }

  #goOn(): void {
    if (!this.isOpen) return;
    this.#findReady();
    this.#pump();
    void this.#fill();
  }

  async #fill(): Promise<void> {
    const { clock, log } = this.#parts;
    try {
      const before = this.#reader?.upTo;
      await this.#reader?.fill(
        () => clock.now(),
        () => {
          this.#findReady();
          this.#pump();
        },
        () => this.#isEnding,
      );
      if (before !== this.#reader?.upTo) this.#record.note();
      this.#findReady();
      this.#pump();
    } catch (error) {
      log.warn({ session: this.#id, err: error }, 'deliveries could not be read yet');
      this.#wakeAt(clock.now() + storeRetryMs);
    }
  }

  /** Chats whose turn has come; for the others, when it comes. */
  #findReady(): void {
    const now = this.#parts.clock.now();
    for (const chat of this.#queues.chats.values()) {
      if (chat.isUnderWay || this.#ready.has(chat)) continue;
      const nextAt = chat.failing?.nextAt ?? 0;
      if (nextAt > now) this.#wakeAt(nextAt);
      else if (chat.due.length > 0) this.#ready.add(chat);
    }
  }

  #wakeAt(at: number): void {
    const { clock } = this.#parts;
    if (this.#isEnding || (this.#timer !== undefined && this.#timer.dueAt <= at)) return;
    if (this.#timer !== undefined) clock.clearTimeout(this.#timer);
    this.#timer = clock.setTimeout(() => {
      this.#timer = undefined;
      this.#goOn();
    }, at - clock.now());
  }

  readonly #pump = (): void => {
    for (const chat of this.#ready) {
      if (this.#isEnding || this.#running.size >= mostUnderWay) return;
      if (!this.#parts.slots.take(this.#running.size, this.#pump)) return;
      this.#ready.delete(chat);
      this.#start(chat);
    }
  };

  #start(chat: Chat): void {
    chat.isUnderWay = true;
    const running = this.#deliver(chat).finally(() => {
      chat.isUnderWay = false;
      this.#parts.slots.release(this.#running.size);
      this.#running.delete(running);
      this.#next(chat);
    });
    this.#running.add(running);
  }

  /** What one attempt changes is about its own chat alone. */
  #next(chat: Chat): void {
    if (this.#isEnding) return;
    const nextAt = chat.failing?.nextAt ?? 0;
    if (nextAt > this.#parts.clock.now()) this.#wakeAt(nextAt);
    else if (chat.due.length > 0) this.#ready.add(chat);
    this.#pump();
    // Else there is nothing to be read that was not there before.
    if (chat.due.length === 0 || this.#reader?.isAtEnd === false) void this.#fill();
  }

  async #deliver(chat: Chat): Promise<void> {
    const { clock, log } = this.#parts;
    const [due] = chat.due;
    const view = this.#view;
    if (due === undefined) return;
    try {
      const receiver = await this.#receiver.get(view);
      // The session has been deleted: who follows it ends this.
      if (receiver === undefined) return this.#wait(chat, clock.now() + patienceMs);
      const outcome = await attempt(this.#parts, this.#id, receiver, due, this.#stop);
      if (outcome.kind === 'gone' && (await this.#turnedOff(view, due, outcome))) return;
      this.#settle(chat, due, outcome);
    } catch (error) {
      if (error instanceof Stopped) return;
      log.warn({ session: this.#id, err: error }, 'a delivery could not be tried yet');
      this.#wait(chat, clock.now() + storeRetryMs);
    }
  }

  #settle(chat: Chat, due: Due, outcome: Outcome): void {
    const { clock, counts } = this.#parts;
    const now = clock.now();
    if (outcome.kind === 'failed' || outcome.kind === 'gone') this.#failed(chat, due, outcome);
    else {
      if (outcome.kind === 'delivered') {
        counts.delivered += 1;
        this.#state = { ...this.#state, lastDelivered: { seq: due.seq, at: now } };
      }
      chat.failing = undefined;
      this.#queues.shift(chat);
    }
    this.#record.note();
  }

  #failed(chat: Chat, due: Due, outcome: Outcome & { error: string }): void {
    const { clock, random, counts } = this.#parts;
    const now = clock.now();
    const { error } = outcome;
    const { since, attempts: before } = chat.failing ?? { since: now, attempts: 0 };
    const attempts = before + 1;
    const nextAt = nextAttemptAt({
      now,
      attempts,
      deadline: Math.max(since, due.at) + patienceMs,
      retryAfterMs: 'retryAfterMs' in outcome ? outcome.retryAfterMs : undefined,
      fraction: random.fraction(),
    });
    counts.failed += 1;
    this.#state = { ...this.#state, lastError: { seq: due.seq, at: now, message: error } };
    if (nextAt === undefined) {
      counts.parked += 1;
      this.#state = { ...this.#state, parked: addParked(this.#state.parked, error, due.seq) };
      chat.failing = { attempts: 0, since, nextAt: now };
      this.#queues.shift(chat);
    } else {
      chat.failing = { attempts, since, nextAt };
      this.#queues.shrink(chat);
    }
  }

  /** It does not count as an attempt. */
  #wait(chat: Chat, until: number): void {
    const { since, attempts } = chat.failing ?? { since: this.#parts.clock.now(), attempts: 0 };
    chat.failing = { attempts, since, nextAt: until };
  }

  /** False where it has been set anew meanwhile, or could not be turned off: then the attempt has failed. */
  async #turnedOff(view: SessionView | undefined, due: Due, { error }: { error: string }): Promise<boolean> {
    const { views, log, clock } = this.#parts;
    const now = views.get(this.#id);
    if (view === undefined || now === undefined || !isSameWebhook(view, now)) return false;
    this.#state = { ...this.#state, lastError: { seq: due.seq, at: clock.now(), message: error } };
    this.#record.note();
    try {
      await this.#parts.receiverGone(this.#id);
      this.#halt();
      return true;
    } catch (err) {
      log.warn({ session: this.#id, err }, 'a webhook whose receiver is gone could not be turned off yet');
      return false;
    }
  }
}

const placeOf = ({ revision, metadata: { seq } }: PlacedEvent): Place => ({ revision, seq });
