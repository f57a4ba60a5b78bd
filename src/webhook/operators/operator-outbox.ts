import { KeyedQueue } from '../../../actors/kit/keyed-queue.ts';
import { LightAbort } from '../../../actors/kit/light-abort.ts';
import { LruMap } from '../../../actors/kit/lru-map.ts';
import { isRetryable } from '../../../actors/kit/retryable.ts';
import { isUnreadable } from '../../../actors/ports/event-codec.ts';
import type { RecordedEvent, Subscription } from '../../../actors/ports/event-store.ts';
import { NotOwnerError } from '../../../actors/ports/ownership.ts';
import { sessionIdOf, sessionPrefix } from '../../../actors/session/events.ts';
import { sessionCodec } from '../../../actors/session/session-codec.ts';
import { ChatTurns } from '../deliver/chat-turns.ts';
import type { DeliveryStatus } from '../deliver/delivery-status.ts';
import { SessionAttempts } from '../deliver/session-attempts.ts';
import { settleDelivery } from '../deliver/settle-delivery.ts';
import { sessionEventOf } from '../filter/session-event.ts';
import {
  deliverSessionEvent,
  firstWanted,
  type Known,
  type OperatorEndpoint,
  type WantedEvent,
  wantedEvent,
} from './deliver-session-event.ts';
import type { OperatorOutboxDeps } from './operator-outbox-deps.ts';
import {
  chooseEvents,
  isChosen,
  maxReplayedSessions,
  type OperatorReplay,
  TooManyReplayedError,
} from './operator-replay.ts';
import type { OperatorWebhook } from './operator-webhook.ts';
import type { OperatorProgress, ParkedEvent } from './place-codec.ts';
import { loadPlace, PlaceSaver } from './place-saver.ts';
import { behindLanes, behindOf, replayLanes, replayOf } from './saved-lanes.ts';
import { earliest, type SessionLane, SessionLanes } from './session-lanes.ts';

/** Sessions whose last delivered number is known without a read. */
const maxKnown = 10_000;
/** Given-up events that are listed. */
const maxParked = 1_000;
/** After the store has failed. */
const storeRetryMs = 1_000;
/** After progress, as often as the outboxes of sessions. */
const saveMs = 250;
/** After the log went on without an event for this webhook: a start looks at it again. */
const saveIdleMs = 30_000;

/**
 * The deliveries to one operators' webhook, while it is on: it follows the log of sessions itself, from its own place.
 * Events of one session go one after the other, several sessions side by side.
 */
export class OperatorOutbox {
  readonly #deps: OperatorOutboxDeps;
  readonly #lanes: SessionLanes;
  readonly #turns: ChatTurns<SessionLane>;
  readonly #saver: PlaceSaver;
  readonly #replays: SessionLanes;
  #known: Known = new LruMap(maxKnown);
  readonly #stop = new LightAbort();
  readonly #waits = new AbortController();
  #webhook: OperatorWebhook;
  #endpoint: OperatorEndpoint | undefined;
  #upTo: bigint;
  #parked: ParkedEvent[];
  readonly #choices = new KeyedQueue();
  #rest: Pick<OperatorProgress, 'parkedCount' | 'lastDelivered' | 'lastError'>;
  #subscription: Subscription | undefined;
  #isEnding = false;

  /** @throws {StoreUnavailableError} */
  static async open(deps: OperatorOutboxDeps, webhook: OperatorWebhook): Promise<OperatorOutbox> {
    return new OperatorOutbox(deps, webhook, await loadPlace(deps, webhook.id));
  }

  private constructor(deps: OperatorOutboxDeps, webhook: OperatorWebhook, place: OperatorProgress | undefined) {
    this.#deps = deps;
    this.#webhook = webhook;
    this.#upTo = place === undefined ? webhook.since : BigInt(place.upTo);
    const { parked = [], parkedCount = 0, lastDelivered, lastError } = place ?? {};
    this.#parked = parked;
    this.#rest = {
      parkedCount,
      ...(lastDelivered !== undefined && { lastDelivered }),
      ...(lastError !== undefined && { lastError }),
    };
    this.#lanes = new SessionLanes(behindLanes(place), deps.clock);
    this.#replays = new SessionLanes(replayLanes(place), deps.clock);
    this.#saver = new PlaceSaver(deps, webhook.id, () => this.progress);
    this.#turns = new ChatTurns<SessionLane>({
      ...deps,
      attempts: new SessionAttempts(() => 1),
      deliver: (lane) => this.#deliver(lane),
      onTried: () => {},
      onWake: () => this.#wake(),
    });
  }

  get progress(): OperatorProgress {
    const replay = replayOf(this.#replays);
    return {
      upTo: this.#upTo.toString(),
      behind: behindOf(this.#lanes),
      ...(Object.keys(replay).length > 0 && { replay }),
      parked: this.#parked,
      ...this.#rest,
    };
  }

  get status(): DeliveryStatus {
    const { parkedCount, lastDelivered, lastError } = this.#rest;
    return {
      pending: this.#lanes.count + this.#replays.count,
      lastDelivered,
      lastError: lastError?.message ?? '',
      lastFailed: lastError?.at,
      nextAttempt: earliest(this.#lanes.nextAttemptAt, this.#replays.nextAttemptAt),
      parked: parkedCount,
    };
  }

  /** When the oldest event that is to be delivered was recorded, as far as that is known; of replays nothing. */
  get oldestAt(): number | undefined {
    return this.#lanes.oldestAt;
  }

  /**
   * Events are sent once more, beside what is new. Resolves when that is recorded.
   * @throws {TooManyReplayedError} {@link StoreUnavailableError} {@link NotOwnerError}
   */
  replay(choice: OperatorReplay): Promise<void> {
    return this.#choices.run('', async () => {
      const chosen = await chooseEvents(this.#deps, this.#webhook, choice, {
        parked: this.#parked,
        upTo: this.#upTo,
        before: (sessionId) => this.#lanes.get(sessionId)?.next.from ?? Infinity,
        pending: (sessionId) => this.#replays.get(sessionId)?.ranges ?? [],
      });
      if (this.#isEnding) throw new NotOwnerError(`the deliveries of webhook ${this.#webhook.id} have ended`);
      const sessions = new Set([...this.#replays.all].map(({ sessionId }) => sessionId));
      for (const { sessionId } of chosen) sessions.add(sessionId);
      if (sessions.size > maxReplayedSessions) throw new TooManyReplayedError();
      const lanes = chosen.map(({ sessionId, ranges, count }) => this.#replays.choose(sessionId, ranges, count));
      const before = this.#parked.length;
      this.#parked = this.#parked.filter((one) => !isChosen(chosen, one));
      this.#rest.parkedCount -= before - this.#parked.length;
      this.#saver.saveIn(0);
      await this.#saver.flush();
      this.#turns.look(lanes);
    });
  }

  start(): void {
    this.#subscription = this.#deps.store.subscribeAll({
      after: this.#upTo,
      prefixes: [sessionPrefix],
      onEvent: (recorded) => this.#take(recorded),
      onError: (err) => {
        if (this.#isEnding) return;
        this.#deps.log.error(
          { where: 'deliveries', webhook: this.#webhook.id, err },
          'an operators’ webhook gets nothing more',
        );
      },
    });
    this.#wake();
  }

  /** Other settings: what waits is tried at once, at the new endpoint. */
  changed(webhook: OperatorWebhook): void {
    this.#webhook = webhook;
    this.#endpoint = undefined;
    this.#known = new LruMap(maxKnown);
    this.#lanes.wake(true);
    this.#replays.wake(true);
    this.#wake();
  }

  /** Begins no attempt, and saves the outcome of those in flight. */
  async end(): Promise<void> {
    this.#halt();
    await this.#subscription?.stop();
    await this.#turns.ended();
    await this.#saver.flush().catch((err: unknown) => {
      this.#deps.log.warn({ webhook: this.#webhook.id, err }, 'the progress of deliveries could not be saved');
    });
  }

  /** Aborts the attempts in flight: they count as not delivered. */
  cut(): void {
    this.#halt();
    if (!this.#stop.aborted) this.#stop.abort(new Error('deliveries have ended'));
  }

  /** As {@link cut}, and saves nothing. */
  drop(): void {
    this.cut();
    this.#saver.cut();
    void this.#subscription?.stop();
  }

  #halt(): void {
    this.#isEnding = true;
    this.#waits.abort();
    this.#lanes.end();
    this.#replays.end();
    this.#turns.end();
  }

  async #take(recorded: RecordedEvent): Promise<void> {
    const event = sessionCodec.decode(recorded);
    if (isUnreadable(event)) this.#deps.reportUnreadable(event);
    else if (sessionEventOf(event) !== undefined) {
      // Whose session it is stands in its view.
      await this.#deps.views.waitFor(event.position, this.#waits.signal);
      await this.#lanes.room();
      if (this.#isEnding) return;
      if (wantedEvent(this.#deps, this.#webhook, event) !== undefined) {
        this.#upTo = recorded.position;
        this.#turns.look([this.#lanes.add(sessionIdOf(event.stream), event)]);
        this.#saver.saveIn(saveMs);
        return;
      }
    }
    this.#upTo = recorded.position;
    this.#saver.saveIn(saveIdleMs);
  }

  #wake(): void {
    if (this.#isEnding) return;
    this.#lanes.wake();
    this.#replays.wake();
    this.#turns.look(this.#lanes.all);
    this.#turns.look(this.#replays.all);
  }

  async #deliver(lane: SessionLane): Promise<void> {
    const lanes = this.#replays.get(lane.sessionId) === lane ? this.#replays : this.#lanes;
    try {
      const { first, next } = lane;
      const wanted =
        (first && wantedEvent(this.#deps, this.#webhook, first)) ??
        (await firstWanted(this.#deps, this.#webhook, lane.sessionId, next));
      // The session's log has been removed, or the webhook wants other events now.
      if (wanted === undefined) lanes.skip(lane, [next.from, next.to]);
      else await this.#attempt(lanes, lane, next.from, wanted);
      this.#saver.saveIn(saveMs);
    } catch (err) {
      if (this.#stop.aborted) return;
      const { retryLog, clock } = this.#deps;
      const { attempts = 0, since = clock.now() } = lane.failing ?? {};
      const fields = { webhook: this.#webhook.id, session: lane.sessionId, err };
      if (isRetryable(err)) retryLog.warn(fields, 'a delivery could not be tried yet');
      else retryLog.error({ where: 'deliveries', ...fields }, 'a delivery failed by a fault of the gateway');
      lanes.putBack(lane, { attempts, since, nextAt: clock.now() + storeRetryMs });
    }
  }

  async #attempt(lanes: SessionLanes, lane: SessionLane, from: number, wanted: WantedEvent): Promise<void> {
    const { clock, random, endpointOf, endpointGone, retryLog, counts } = this.#deps;
    const webhook = this.#webhook;
    const { event } = wanted;
    // One that is sent once more comes after others that are done.
    const known = lanes === this.#lanes ? this.#known : undefined;
    lane.recordedAt = event.metadata.at;
    this.#endpoint ??= endpointOf(webhook);
    const outcome = await deliverSessionEvent(this.#deps, webhook, this.#endpoint, wanted, known, this.#stop);
    if (outcome.kind === 'gone' && webhook === this.#webhook) {
      // It ends this outbox, and waits for it.
      void endpointGone(webhook.id).catch((err: unknown) =>
        retryLog.warn({ webhook: webhook.id, err }, 'a webhook whose endpoint is gone could not be turned off yet'),
      );
    }
    const now = clock.now();
    const due = { seq: event.revision + 1, at: event.metadata.at };
    const tried = {
      due,
      failing: lane.failing,
      parked: [],
      retried: undefined,
      now,
      fraction: () => random.fraction(),
    };
    const { isDone, failing, changed, counted } = settleDelivery(tried, outcome);
    for (const count of counted) counts[count] += 1;
    if (changed.lastDelivered !== undefined) this.#rest.lastDelivered = now;
    if (changed.lastError !== undefined) this.#rest.lastError = { at: now, message: changed.lastError.message };
    if (counted.includes('parked')) {
      const parked = { session: lane.sessionId, seq: due.seq, at: now, error: changed.lastError?.message ?? '' };
      this.#parked = [...this.#parked, parked].slice(-maxParked);
      this.#rest.parkedCount += 1;
    }
    // If the settings were changed during the attempt, the last delivered number may be that of another event.
    if (!isDone) return lanes.putBack(lane, failing);
    if (webhook === this.#webhook) known?.set(event.stream, due.seq);
    lanes.shift(lane, [from, event.revision], failing);
  }
}
