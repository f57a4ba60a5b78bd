import { LightAbort } from '../../../actors/kit/light-abort.ts';
import { isRetryable } from '../../../actors/kit/retryable.ts';
import type { Randomness } from '../../../actors/ports/clock.ts';
import type { EventStore } from '../../../actors/ports/event-store.ts';
import type { SessionViews } from '../../../projections/session-view.ts';
import { type ActiveWebhook, webhookIn } from '../places/active-webhooks.ts';
import { unreadableError } from '../stream/attempt-errors.ts';
import type { PlacedEvent } from '../stream/delivery-events.ts';
import { forWebhook, type OutboxProgress, type Replay } from '../stream/outbox-progress.ts';
import { addParked, cutParked, parkedReason } from '../stream/parked.ts';
import { countOf } from '../stream/place-marks.ts';
import { endOfDeliveries } from '../stream/read-deliveries.ts';
import { loadProgress } from '../stream/stored-progress.ts';
import type { AttemptSlots } from './attempt-slots.ts';
import { type ChatQueue, ChatQueues, type Due } from './chat-queues.ts';
import { ChatTurns } from './chat-turns.ts';
import { DeliveryLane } from './delivery-lane.ts';
import { type DeliveryPlace, DeliveryReader, type DeliveryReaderDeps } from './delivery-reader.ts';
import { WebhookSetAnewError } from './drop-webhook.ts';
import { OutboxCheckpoint, type OutboxCheckpointDeps } from './outbox-checkpoint.ts';
import type { AttemptsOfSessions } from './session-attempts.ts';
import { type DeliveryCounts, settleDelivery } from './settle-delivery.ts';
import { type TriedOutcome, type TryDeliveryDeps, tryDelivery } from './try-delivery.ts';
import { EndpointOf, isSameWebhook } from './webhook-endpoint.ts';

/** After the store has failed. */
const storeRetryMs = 1_000;

export interface OutboxDeps extends TryDeliveryDeps, OutboxCheckpointDeps {
  store: OutboxCheckpointDeps['store'] & Pick<EventStore, 'last' | 'read'>;
  views: Pick<SessionViews, 'get'>;
  random: Pick<Randomness, 'uuid' | 'fraction'>;
  slots: AttemptSlots;
  /** Those of a session, shared by its webhooks. */
  attempts: AttemptsOfSessions;
  /** The outcome of each attempt is added to it. */
  counts: DeliveryCounts;
  /** Called for each of them. */
  onCounted?: ((sessionId: string, count: keyof DeliveryCounts) => void) | undefined;
  /** Turns the webhook off because its endpoint responded with 410. */
  endpointGone: (sessionId: string, slot: number) => Promise<void>;
}

class Stopped extends Error {
  override name = 'Stopped';
}

/** The deliveries to one webhook of a session, as long as it is on. Another webhook is another outbox. */
export class Outbox {
  readonly #deps: OutboxDeps;
  readonly #id: string;
  readonly #endpoint: EndpointOf;
  readonly #main: DeliveryLane;
  /** While chosen deliveries are made once more. */
  #replay: { lane: DeliveryLane; ranges: Replay['ranges'] } | undefined;
  readonly #checkpoint: OutboxCheckpoint;
  readonly #turns: ChatTurns<ChatQueue>;
  readonly #stop = new LightAbort();
  #webhook: ActiveWebhook;
  #isEnding = false;

  /** Continues from the saved progress once {@link recorded} is called. @throws {StoreUnavailableError} */
  static async open(deps: OutboxDeps, webhook: ActiveWebhook): Promise<Outbox> {
    const { sessionId, slot, since, key } = webhook;
    const progress = forWebhook(await loadProgress(deps, sessionId, slot), since);
    const { upTo } = progress;
    const end = await endOfDeliveries(deps, sessionId);
    const count = Math.max(end?.last === undefined ? 0 : countOf(end.last, key), upTo.count ?? upTo.seq);
    return new Outbox(deps, webhook, progress, { ...(end ?? upTo), count });
  }

  private constructor(deps: OutboxDeps, webhook: ActiveWebhook, progress: OutboxProgress, end: DeliveryPlace) {
    this.#deps = deps;
    this.#id = webhook.sessionId;
    this.#webhook = webhook;
    this.#endpoint = new EndpointOf(deps.sealer);
    this.#main = this.#lane(progress, end);
    const { since, replay } = progress;
    if (replay !== undefined) {
      const { ranges, upTo, chats } = replay;
      const chosen = { ranges, isPending: (chat: string, at: number) => this.#main.isPending(chat, at) };
      this.#replay = { ranges, lane: this.#lane({ since, upTo, chats }, replay.end, chosen) };
    }
    this.#checkpoint = new OutboxCheckpoint(deps, webhook, progress, {
      place: () => ({ ...this.#main.place, replay: this.#replayed() }),
      chatCount: () => this.#lanes.reduce((sum, { queues }) => sum + queues.chats.size, 0),
    });
    this.#turns = new ChatTurns<ChatQueue>({
      ...deps,
      attempts: deps.attempts.enter(webhook.sessionId),
      deliver: (chat) => this.#deliver(chat),
      onTried: (chat) => this.#tried(chat),
      onWake: () => this.#continue(),
    });
  }

  #lane(
    progress: Pick<OutboxProgress, 'since' | 'upTo' | 'chats'>,
    end: DeliveryPlace,
    chosen?: DeliveryReaderDeps['chosen'],
  ): DeliveryLane {
    const queues = new ChatQueues(progress.chats, this.#deps.clock);
    const readerDeps: DeliveryReaderDeps = {
      ...this.#deps,
      queues,
      chosen,
      onDue: () => this.#look(),
      onUnreadable: (seq, reason) => this.#park(seq, unreadableError(reason)),
      isOver: () => this.#isEnding,
    };
    return new DeliveryLane(queues, new DeliveryReader(readerDeps, this.#id, progress, end));
  }

  get #lanes(): DeliveryLane[] {
    return this.#replay === undefined ? [this.#main] : [this.#main, this.#replay.lane];
  }

  #laneOf(chat: ChatQueue): DeliveryLane {
    return this.#replay?.lane.has(chat) ? this.#replay.lane : this.#main;
  }

  /** As it is saved; undefined once it is done. */
  #replayed(): Replay | undefined {
    if (this.#replay?.lane.isDone) this.#replay = undefined;
    return (
      this.#replay && { ranges: this.#replay.ranges, ...this.#replay.lane.place, end: this.#replay.lane.reader.end }
    );
  }

  /** When its webhook was set, milliseconds since 1970. */
  get since(): number {
    return this.#webhook.since;
  }

  get isEnding(): boolean {
    return this.#isEnding;
  }

  get progress(): OutboxProgress {
    return this.#checkpoint.progress;
  }

  /** How many deliveries are due. */
  get pending(): number {
    return this.#lanes.reduce((sum, { pending }) => sum + pending, 0);
  }

  /** When the next attempt of a failed delivery is due, milliseconds since 1970; undefined if none has failed. */
  get nextAttemptAt(): number | undefined {
    return earliest(this.#lanes.map(({ queues }) => queues.nextAttemptAt));
  }

  /** When the oldest of the deliveries in memory was recorded. */
  get oldestAt(): number | undefined {
    return earliest(this.#lanes.map(({ queues }) => queues.oldestAt));
  }

  /** To be called with recorded events. The first call, which may have none, starts the deliveries. */
  recorded(events: readonly PlacedEvent[]): void {
    if (this.#isEnding) return;
    this.#main.reader.recorded(events);
    this.#continue();
  }

  /** Deliveries with a lower number have been removed from the stream. */
  forgetBefore(seq: number): void {
    this.#checkpoint.change({ parked: cutParked(this.#checkpoint.parked, seq, Infinity) });
  }

  /** If the webhook's URL or token has changed, waiting deliveries are tried at once. */
  changed(webhook: ActiveWebhook): void {
    const isOther = !isSameWebhook(this.#webhook, webhook);
    this.#webhook = webhook;
    if (!isOther) return;
    for (const { queues } of this.#lanes) queues.wakeAll();
    this.#continue();
  }

  /** Begins no attempt, awaits those in flight, and saves the outcomes. @throws {StoreUnavailableError} */
  async end(): Promise<void> {
    this.#halt();
    await this.#turns.ended();
    // A read in flight must not overwrite the progress of the next outbox.
    await this.#checkpoint.flush().finally(() => this.#checkpoint.cut());
  }

  /** Aborts the attempts in flight: they count as not delivered. */
  cut(): void {
    this.#halt();
    this.#stop.abort(new Stopped('deliveries have ended'));
  }

  /** Aborts the attempts in flight, and saves nothing more. */
  drop(): void {
    this.cut();
    this.#checkpoint.cut();
  }

  #halt(): void {
    if (!this.#isEnding) this.#deps.attempts.leave(this.#id);
    this.#isEnding = true;
    this.#turns.end();
  }

  #continue(): void {
    if (this.#isEnding) return;
    this.#look();
    for (const lane of this.#lanes) void this.#fill(lane);
  }

  #look(): void {
    for (const { queues } of this.#lanes) {
      this.#turns.look(queues.awake());
      const waitMs = queues.nextDueAt - this.#deps.clock.elapsed();
      if (waitMs < Infinity) this.#turns.wakeIn(waitMs);
    }
  }

  async #fill({ reader }: DeliveryLane): Promise<void> {
    const { retryLog } = this.#deps;
    try {
      await reader.fill();
      if (reader.takeMoved()) this.#checkpoint.placeChanged();
      this.#look();
    } catch (error) {
      const fields = { session: this.#id, err: error };
      // After a defect of the gateway, the session's next event triggers the next attempt.
      if (!isRetryable(error)) return retryLog.error({ where: 'deliveries', ...fields }, 'deliveries cannot be read');
      retryLog.warn(fields, 'deliveries could not be read yet');
      this.#turns.wakeIn(storeRetryMs);
    }
  }

  /** Reads more if the chat has no delivery left in memory, or if a whole page has room. */
  #tried(chat: ChatQueue): void {
    const lane = this.#laneOf(chat);
    if (lane.wantsMore(chat)) void this.#fill(lane);
  }

  async #deliver(chat: ChatQueue): Promise<void> {
    const [due] = chat.due;
    const webhook = this.#webhook;
    if (due === undefined) return;
    const outcome = await tryDelivery(this.#deps, this.#endpoint, webhook, due, this.#stop);
    if (outcome === undefined) return;
    if (outcome.kind === 'gone' && (await this.#turnedOff(webhook, due, outcome.error))) return;
    this.#settle(chat, due, outcome);
  }

  #settle(chat: ChatQueue, due: Due, outcome: TriedOutcome): void {
    const { clock, random } = this.#deps;
    const { parked, retried } = this.#checkpoint;
    const tried = { due, failing: chat.failing, parked, retried, now: clock.now(), fraction: () => random.fraction() };
    const settled = settleDelivery(tried, outcome);
    for (const count of settled.counted) this.#count(count);
    const { queues } = this.#laneOf(chat);
    if (settled.isDone) queues.shift(chat, settled.failing);
    else queues.putBack(chat, settled.failing);
    this.#checkpoint.change(settled.changed);
  }

  #count(count: keyof DeliveryCounts): void {
    this.#deps.counts[count] += 1;
    this.#deps.onCounted?.(this.#id, count);
  }

  /** Gives up a delivery that is in no queue. */
  #park(seq: number, error: string): void {
    const { clock } = this.#deps;
    const { parked } = this.#checkpoint;
    if (parkedReason(parked, seq) !== undefined) return;
    this.#count('parked');
    const lastError = { seq, at: clock.now(), message: error };
    this.#checkpoint.change({ parked: addParked(parked, error, seq), lastError });
  }

  /** False if the webhook has been set again since, or could not be turned off: then the attempt has failed. */
  async #turnedOff(webhook: ActiveWebhook, { seq }: Due, message: string): Promise<boolean> {
    const { views, retryLog, clock, endpointGone } = this.#deps;
    const now = webhookIn(views.get(this.#id), webhook.slot);
    if (now === undefined || !isSameWebhook(webhook, now)) return false;
    this.#checkpoint.change({ lastError: { seq, at: clock.now(), message } });
    try {
      await endpointGone(this.#id, webhook.slot);
      this.#halt();
      return true;
    } catch (err) {
      if (err instanceof WebhookSetAnewError) return false;
      // The session may have left: its next owner asks the endpoint again.
      if (this.#isEnding) return true;
      retryLog.warn({ session: this.#id, err }, 'a webhook whose endpoint is gone could not be turned off yet');
      return false;
    }
  }
}

const earliest = (times: readonly (number | undefined)[]): number | undefined => {
  const known = times.filter((time) => time !== undefined);
  return known.length === 0 ? undefined : Math.min(...known);
};
