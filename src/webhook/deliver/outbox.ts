import { LightAbort } from '../../../actors/kit/light-abort.ts';
import { isRetryable } from '../../../actors/kit/retryable.ts';
import type { Randomness } from '../../../actors/ports/clock.ts';
import type { SessionView, SessionViews } from '../../../projections/session-view.ts';
import { deliveryStream, type PlacedEvent } from '../stream/delivery-events.ts';
import { type AttemptDeps, type AttemptOutcome, attempt } from './attempt.ts';
import type { AttemptSlots } from './attempt-slots.ts';
import type { ChatQueue, Due } from './chat-queues.ts';
import { ChatTurns } from './chat-turns.ts';
import { WebhookSetAnewError } from './drop-webhook.ts';
import { OutboxLedger, type OutboxLedgerDeps } from './outbox-ledger.ts';
import { patienceMs } from './retry-schedule.ts';
import { type DeliveryCounts, putOff, settleDelivery } from './settle-delivery.ts';
import { EndpointOf, isSameWebhook, UnreadableEndpointError } from './webhook-endpoint.ts';

/** After a store has gone away. */
const storeRetryMs = 1_000;

export interface OutboxDeps extends AttemptDeps, OutboxLedgerDeps {
  store: OutboxLedgerDeps['store'];
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
  readonly ledger: OutboxLedger;
  readonly #parts: OutboxDeps;
  readonly #id: string;
  readonly #receiver: EndpointOf;
  readonly #turns: ChatTurns;
  readonly #stop = new LightAbort();
  #view: SessionView | undefined;
  #isEnding = false;

  constructor(parts: OutboxDeps, sessionId: string) {
    this.#parts = parts;
    this.#id = sessionId;
    this.#receiver = new EndpointOf(parts.sealer);
    this.ledger = new OutboxLedger(parts, sessionId);
    this.#turns = new ChatTurns({
      ...parts,
      deliver: (chat) => this.#deliver(chat),
      onTried: (chat) => this.#tried(chat),
      onWake: () => this.#goOn(),
    });
  }

  /**
   * Takes up what was left and goes on with it; once.
   * @throws {StoreUnavailableError}
   */
  async open(view: SessionView): Promise<void> {
    this.#view = view;
    await this.ledger.open(view);
    this.#goOn();
  }

  get isOpen(): boolean {
    return this.ledger.isOpen && !this.#isEnding;
  }

  /** Since when the webhook has been set that this is for. */
  get since(): number | undefined {
    return this.#view?.webhookSince;
  }

  /** What has just been recorded. */
  offer(events: readonly PlacedEvent[]): void {
    this.ledger.offer(events);
    this.#goOn();
  }

  /** The webhook has another URL or token: what waits is tried there at once. */
  changed(view: SessionView): void {
    const isOther = this.#view !== undefined && !isSameWebhook(this.#view, view);
    this.#view = view;
    if (!isOther) return;
    for (const { failing } of this.ledger.queues.chats.values()) if (failing) failing.nextAt = 0;
    this.#goOn();
  }

  /** Nothing new is begun, what is under way ends, and is recorded. @throws {StoreUnavailableError} */
  async end(): Promise<void> {
    this.#halt();
    await this.#turns.ended();
    await this.ledger.flush();
  }

  /** Cuts off what is under way: it counts as not delivered. */
  cut(): void {
    this.#halt();
    this.#stop.abort(new Stopped('deliveries have ended'));
  }

  /** Nothing is recorded any more either. */
  drop(): void {
    this.cut();
    this.ledger.cut();
  }

  #halt(): void {
    this.#isEnding = true;
    this.#turns.end();
  }

  #goOn(): void {
    if (!this.isOpen) return;
    this.#look();
    void this.#fill();
  }

  #look(): void {
    this.#turns.look(this.ledger.queues.chats.values());
  }

  async #fill(): Promise<void> {
    const { clock, retryLog } = this.#parts;
    try {
      await this.ledger.fill(
        () => this.#look(),
        () => this.#isEnding,
      );
      this.#look();
    } catch (error) {
      const fields = { session: this.#id, err: error };
      // After a fault of the gateway, the session's next event is the next try.
      if (!isRetryable(error)) return retryLog.error(fields, 'deliveries cannot be read');
      retryLog.warn(fields, 'deliveries could not be read yet');
      this.#turns.wakeAt(clock.now() + storeRetryMs);
    }
  }

  /** Reads on where a chat has nothing more at hand, and where there is room for so much that it is worth while. */
  #tried(chat: ChatQueue): void {
    const { queues, isAtEnd } = this.ledger;
    const isDry = chat.due.length === 0 && chat.restFrom !== undefined;
    if (isDry || (!isAtEnd && queues.hasMuchRoom)) void this.#fill();
  }

  async #deliver(chat: ChatQueue): Promise<void> {
    const [due] = chat.due;
    if (due === undefined) return;
    const outcome = await this.#attempt(chat, due);
    if (outcome !== undefined) this.#settle(chat, due, outcome);
  }

  /** Undefined if there is nothing to settle: the chat waits, or the outbox ends. */
  async #attempt(chat: ChatQueue, due: Due): Promise<AttemptOutcome | undefined> {
    const { log, retryLog } = this.#parts;
    const view = this.#view;
    try {
      const receiver = this.#receiver.atHand(view) ?? (await this.#receiver.get(view));
      // The session has been deleted: who follows it ends this.
      if (receiver === undefined) return this.#putOff(chat, patienceMs);
      const outcome = await attempt(this.#parts, this.#id, receiver, due, this.#stop);
      await this.#parts.gathering.wait();
      return outcome.kind === 'gone' && (await this.#turnedOff(view, due, outcome)) ? undefined : outcome;
    } catch (error) {
      if (error instanceof Stopped) return undefined;
      if (error instanceof UnreadableEndpointError) return { kind: 'failed', status: 0, error: error.message };
      if (!isRetryable(error)) {
        log.error({ session: this.#id, seq: due.seq, err: error }, 'a delivery failed by a fault of the gateway');
        return { kind: 'failed', status: 0, error: 'the gateway failed' };
      }
      retryLog.warn({ session: this.#id, err: error }, 'a delivery could not be tried yet');
      return this.#putOff(chat, storeRetryMs);
    }
  }

  #settle(chat: ChatQueue, due: Due, outcome: AttemptOutcome): void {
    const { clock, random, counts, log } = this.#parts;
    const { queues } = this.ledger;
    if (outcome.kind === 'undeliverable') {
      const { seq, revision } = due;
      const fields = { session: this.#id, stream: deliveryStream(this.#id), revision, seq, reason: outcome.error };
      log.error(fields, 'a delivery can never be made: it is parked');
    }
    const tried = { queues, chat, due, now: clock.now(), fraction: () => random.fraction(), counts };
    this.ledger.change((state) => settleDelivery(state, tried, outcome));
  }

  /** The chat waits, and leaves the room to others meanwhile. */
  #putOff(chat: ChatQueue, ms: number): undefined {
    const now = this.#parts.clock.now();
    putOff(chat, now, now + ms);
    this.ledger.queues.shrink(chat);
  }

  /** False where it has been set anew meanwhile, or could not be turned off: then the attempt has failed. */
  async #turnedOff(view: SessionView | undefined, due: Due, { error }: { error: string }): Promise<boolean> {
    const { views, retryLog, clock } = this.#parts;
    const now = views.get(this.#id);
    if (view === undefined || now === undefined || !isSameWebhook(view, now)) return false;
    this.ledger.change((state) => ({ ...state, lastError: { seq: due.seq, at: clock.now(), message: error } }));
    try {
      await this.#parts.receiverGone(this.#id);
      this.#halt();
      return true;
    } catch (err) {
      if (!(err instanceof WebhookSetAnewError))
        retryLog.warn({ session: this.#id, err }, 'a webhook whose receiver is gone could not be turned off yet');
      return false;
    }
  }
}
