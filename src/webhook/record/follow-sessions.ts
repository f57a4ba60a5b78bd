import { KeyedQueue } from '../../../actors/kit/keyed-queue.ts';
import { LightAbort } from '../../../actors/kit/light-abort.ts';
import { createRateLimitedLog } from '../../../actors/kit/rate-limited-log.ts';
import { type RetryDeps, retry } from '../../../actors/kit/retry.ts';
import { storeAway, storePoll } from '../../../actors/kit/retry-policy.ts';
import { Semaphore } from '../../../actors/kit/semaphore.ts';
import type { Clock, Randomness, TimerHandle } from '../../../actors/ports/clock.ts';
import { isUnreadable } from '../../../actors/ports/event-codec.ts';
import {
  type EventStore,
  type RecordedEvent,
  type Subscription,
  WrongExpectedRevisionError,
} from '../../../actors/ports/event-store.ts';
import type { Log } from '../../../actors/ports/log.ts';
import { sessionIdOf, sessionPrefix } from '../../../actors/session/events.ts';
import { type RecordedSessionEvent, sessionCodec } from '../../../actors/session/session-codec.ts';
import type { SessionViews } from '../../../projections/session-view.ts';
import { sessionEventOf, type ToldEvent } from '../filter/session-event.ts';
import { followedCodec, followedStream } from '../stream/followed-codec.ts';
import { type RecordSessionEventDeps, recordSessionEvent } from './record-session-event.ts';

/** Events of different sessions that are recorded at the same time. */
const maxAtOnce = 32;
/** After the place has moved. What a crash loses of it is looked at again. */
const saveMs = 5_000;
const savesPerTruncation = 16;

export interface FollowSessionsDeps extends RecordSessionEventDeps, RetryDeps {
  store: RecordSessionEventDeps['store'] & Pick<EventStore, 'subscribeAll' | 'truncate'>;
  views: Pick<SessionViews, 'get' | 'position' | 'waitFor'>;
  clock: Clock;
  random: RecordSessionEventDeps['random'] & Pick<Randomness, 'uuid' | 'fraction'>;
  log: Log;
}

/** An event whose record has not ended, or those after an earlier one that has not. */
interface Followed {
  position: bigint;
  isDone: boolean;
}

/**
 * Follows the logs of all sessions, and records for each what its webhooks and readers want of them (EV1). The place in the
 * store's order is saved now and then; after a crash each stream says itself what it already has.
 */
export class SessionFollower {
  readonly #deps: FollowSessionsDeps;
  readonly #retryLog: Log;
  readonly #stop = new LightAbort();
  /** As `#stop`, for the views. */
  readonly #waits = new AbortController();
  readonly #places = new Semaphore(maxAtOnce);
  /** By session. */
  readonly #turns = new KeyedQueue();
  readonly #followed: Followed[] = [];
  #upTo = 0n;
  #saved = 0n;
  #saves = 0;
  #timer: TimerHandle | undefined;
  #subscription: Subscription | undefined;

  constructor(deps: FollowSessionsDeps) {
    this.#deps = deps;
    this.#retryLog = createRateLimitedLog(deps.log, deps.clock);
  }

  /** Goes on at the saved place; the first start of all begins with what happens from now on. Retries while the store is away. */
  async start(): Promise<void> {
    const { store, views } = this.#deps;
    const place = await this.#patiently(() => this.#load());
    this.#upTo = place ?? views.position;
    this.#saved = place ?? -1n;
    if (place === undefined) await this.#patiently(() => this.#save());
    if (this.#stop.aborted) return;
    this.#subscription = store.subscribeAll({
      after: this.#upTo,
      prefixes: [sessionPrefix],
      onEvent: (recorded) => this.#take(recorded),
      onError: (err) =>
        this.#deps.log.error({ where: 'updates', err }, 'the events of sessions are not followed any more'),
    });
  }

  /** Saves the place. */
  async stop(): Promise<void> {
    await this.#end('the service is shutting down');
    await this.#save().catch((err: unknown) =>
      this.#deps.log.warn({ err }, 'the place in the log of sessions could not be saved'),
    );
  }

  /** Saves nothing more, as a killed process; for tests. */
  crash(): void {
    void this.#end('crashed');
  }

  async #end(reason: string): Promise<void> {
    if (!this.#stop.aborted) this.#stop.abort(new Error(reason));
    this.#waits.abort();
    if (this.#timer !== undefined) this.#deps.clock.clearTimeout(this.#timer);
    this.#timer = undefined;
    await this.#subscription?.stop();
    await this.#turns.idle();
  }

  /** Resolves when the next event may come: up to {@link maxAtOnce} are recorded at the same time. */
  #take(recorded: RecordedEvent): Promise<void> | undefined {
    const followed: Followed = { position: recorded.position, isDone: false };
    this.#followed.push(followed);
    const event = sessionCodec.decode(recorded);
    if (isUnreadable(event)) {
      this.#deps.reportUnreadable(event);
      return this.#done(followed);
    }
    const told = sessionEventOf(event);
    if (told === undefined) return this.#done(followed);
    return new Promise((taken) => {
      void this.#places
        .run(() => {
          taken();
          return this.#turns.run(sessionIdOf(event.stream), () => this.#record(event, told));
        }, this.#stop)
        .then((isRecorded) => isRecorded && this.#done(followed), taken);
    });
  }

  /** False if it ends before. */
  async #record(event: RecordedSessionEvent, told: ToldEvent): Promise<boolean> {
    const { views, log } = this.#deps;
    const session = sessionIdOf(event.stream);
    try {
      // Its webhooks are those of its view.
      await views.waitFor(event.position, this.#waits.signal);
      await this.#patiently(() => this.#once(event, told));
    } catch (err) {
      if (this.#stop.aborted) return false;
      // A deleted session has no key any more, and no receiver.
      const isOver = views.get(session)?.ended !== false;
      if (!isOver) log.error({ where: 'updates', session, err }, 'an event of the session cannot be recorded');
    }
    return true;
  }

  async #once(event: RecordedSessionEvent, told: ToldEvent): Promise<void> {
    for (;;) {
      try {
        return await recordSessionEvent(this.#deps, event, told);
      } catch (error) {
        // Another process has recorded something of the session: what it was is read.
        if (!(error instanceof WrongExpectedRevisionError)) throw error;
      }
    }
  }

  #done(followed: Followed): undefined {
    followed.isDone = true;
    while (this.#followed[0]?.isDone) this.#upTo = this.#followed.shift()?.position ?? this.#upTo;
    if (this.#timer !== undefined || this.#stop.aborted) return;
    this.#timer = this.#deps.clock.setTimeout(() => {
      this.#timer = undefined;
      void this.#patiently(() => this.#save()).catch(() => {});
    }, saveMs);
  }

  #patiently<T>(work: () => Promise<T>): Promise<T> {
    return retry(this.#deps, this.#subscription === undefined ? storePoll : storeAway, work, this.#stop, (err) =>
      this.#retryLog.warn({ err }, 'events of sessions could not be recorded for their receivers yet'),
    );
  }

  /** Undefined if there is no place, or none that can be read. */
  async #load(): Promise<bigint | undefined> {
    const { store, reportUnreadable } = this.#deps;
    for await (const recorded of store.read(followedStream, { direction: 'backwards' })) {
      const event = followedCodec.decode(recorded);
      if (!isUnreadable(event)) return BigInt(event.data.position);
      reportUnreadable(event);
    }
    return undefined;
  }

  async #save(): Promise<void> {
    const { store, clock, random } = this.#deps;
    const position = this.#upTo;
    if (position === this.#saved) return;
    const event = {
      id: random.uuid(),
      type: 'FollowedUpTo',
      data: { position: position.toString() },
      metadata: followedCodec.stamp({ at: clock.now() }),
    };
    const { revision } = await store.append(followedStream, 'any', [event]);
    this.#saved = position;
    this.#saves += 1;
    // The save before stays too, in case this one becomes unreadable.
    if (this.#saves % savesPerTruncation === 0) await store.truncate(followedStream, revision - 1);
  }
}
