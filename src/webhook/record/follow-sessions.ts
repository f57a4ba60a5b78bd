import { KeyedQueue } from '../../../actors/kit/keyed-queue.ts';
import { LightAbort } from '../../../actors/kit/light-abort.ts';
import { mapConcurrent } from '../../../actors/kit/map-concurrent.ts';
import { createRateLimitedLog } from '../../../actors/kit/rate-limited-log.ts';
import { type RetryDeps, retry } from '../../../actors/kit/retry.ts';
import { storePoll } from '../../../actors/kit/retry-policy.ts';
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
import {
  allPartitions,
  NotOwnerError,
  type OwnedPartitions,
  type Ownership,
  soleOwner,
} from '../../../actors/ports/ownership.ts';
import { sessionIdOf } from '../../../actors/session/events.ts';
import { type RecordedSessionEvent, sessionCodec } from '../../../actors/session/session-codec.ts';
import type { ProjectionRunner } from '../../../projections/projection-runner.ts';
import { sessionEventOf, type ToldEvent } from '../filter/session-event.ts';
import { followedStream, followedStreamOf } from '../stream/followed-codec.ts';
import { FollowedPlace } from './followed-places.ts';
import { type RecordSessionEventDeps, recordSessionEvent } from './record-session-event.ts';
import { followSessionLog } from './session-log.ts';

/** Events of different sessions that are recorded at the same time. */
const maxAtOnce = 32;
/** After the place has moved. What a crash loses of it is looked at again. */
const saveMs = 5_000;
/** The same among several nodes, for each partition that this one has. */
const savePartitionsMs = 30_000;
const placesAtOnce = 32;

export interface FollowSessionsDeps extends RecordSessionEventDeps, RetryDeps {
  store: RecordSessionEventDeps['store'] & Pick<EventStore, 'subscribeAll' | 'truncate'>;
  /** Default: the process is alone. */
  ownership?: Pick<Ownership, 'owns' | 'ownsPartition'> | undefined;
  views: Pick<ProjectionRunner, 'get' | 'position' | 'waitFor' | 'onShown'>;
  clock: Clock;
  random: RecordSessionEventDeps['random'] & Pick<Randomness, 'uuid' | 'fraction'>;
  log: Log;
  /** The number of the partition that a session is in. For {@link SessionFollower.take}. */
  partitionOf?: ((sessionId: string) => number) | undefined;
}

/** An event whose record has not ended, or those after an earlier one that has not. */
interface Followed {
  position: bigint;
  isDone: boolean;
}

/** One pass over the log, from a place on. The next one begins when other sessions are to be followed. */
interface Pass {
  readonly followed: Followed[];
  subscription: Subscription;
}

/** The place of all sessions, of a gateway that is alone. */
const allSessions = -1;

/**
 * Follows the logs of its sessions, and records for each what its webhooks and readers want of them (EV1). The place in the
 * store's order is saved every few seconds. After a crash, what follows the saved place is read again, and what a stream
 * already has is not recorded twice.
 */
export class SessionFollower {
  readonly #deps: FollowSessionsDeps;
  readonly #retryLog: Log;
  readonly #stop = new LightAbort();
  /** As `#stop`, for the views. */
  readonly #waits = new AbortController();
  readonly #slots = new Semaphore(maxAtOnce);
  /** By session. */
  readonly #turns = new KeyedQueue();
  /** By the number of the partition. */
  readonly #places = new Map<number, FollowedPlace>();
  /** Sessions whose events are being recorded. */
  readonly #recording = new Map<Promise<unknown>, string>();
  #timer: TimerHandle | undefined;
  #pass: Pass | undefined;

  constructor(deps: FollowSessionsDeps) {
    this.#deps = deps;
    this.#retryLog = createRateLimitedLog(deps.log, deps.clock);
  }

  /** Continues at the saved place. The very first start begins at the end of the log. Retries while the store is away. */
  start(): Promise<void> {
    return this.#follow({ ...allPartitions, numbers: [allSessions] });
  }

  /** Instead of {@link start} among several nodes: the sessions of these partitions are this process's from now on. */
  take(partitions: OwnedPartitions): Promise<void> {
    return this.#follow(partitions);
  }

  /** Another process records the events of these sessions from now on. @param isLost nothing may be recorded any more */
  async release(partitions: OwnedPartitions, isLost: boolean): Promise<void> {
    const leaving = partitions.numbers.flatMap((number) => {
      const place = this.#places.get(number);
      this.#places.delete(number);
      return place ?? [];
    });
    if (isLost) return;
    const recording = [...this.#recording].filter(([, session]) => partitions.has(session));
    await Promise.allSettled([...recording.map(([record]) => record), ...leaving.map((place) => place.save())]);
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
    await this.#pass?.subscription.stop();
    await this.#turns.idle();
  }

  /** The log is followed from the earliest of the places on; what is at or before the place of its session is passed over. */
  async #follow(partitions: OwnedPartitions): Promise<void> {
    const now = this.#deps.views.position;
    const has = (number: number): boolean => partitions.numbers.includes(number);
    const opened = await mapConcurrent(partitions.numbers, placesAtOnce, async (number) => {
      // It may be released, or lost, before it is open.
      const open = async () => (has(number) ? await this.#open(number, now) : undefined);
      return { number, place: await this.#patiently(open) };
    });
    await this.#pass?.subscription.stop();
    if (this.#stop.aborted) return;
    for (const { number, place } of opened) if (place !== undefined && has(number)) this.#places.set(number, place);
    this.#begin();
  }

  #open(number: number, now: bigint): Promise<FollowedPlace> {
    const { ownership = soleOwner } = this.#deps;
    const mustOwn = (): void => {
      if (!ownership.ownsPartition(number)) throw new NotOwnerError(`partition ${number} is not this process's`);
    };
    const stream = number === allSessions ? followedStream : followedStreamOf(number);
    return FollowedPlace.open({ ...this.#deps, mustOwn }, stream, now);
  }

  #begin(): void {
    const { store, views, log } = this.#deps;
    const places = Array.from(this.#places.values(), ({ upTo }) => upTo);
    const [first] = places.toSorted((one, other) => (one < other ? -1 : 1));
    if (first === undefined) return;
    const followed: Followed[] = [];
    const subscription = followSessionLog({
      store,
      views,
      after: first,
      onEvent: (recorded, event) => this.#take(followed, recorded, event),
      onError: (err) => log.error({ where: 'updates', err }, 'the events of sessions are not followed any more'),
    });
    this.#pass = { followed, subscription };
  }

  #placeOf(sessionId: string): FollowedPlace | undefined {
    return this.#places.get(this.#deps.partitionOf?.(sessionId) ?? allSessions);
  }

  /** Resolves when the next event may come: up to {@link maxAtOnce} are recorded at the same time. */
  #take(
    pass: Followed[],
    recorded: RecordedEvent,
    decoded: RecordedSessionEvent | undefined,
  ): Promise<void> | undefined {
    const followed: Followed = { position: recorded.position, isDone: false };
    pass.push(followed);
    const session = sessionIdOf(recorded.stream);
    const place = this.#placeOf(session);
    if (place === undefined || recorded.position <= place.upTo) return this.#done(pass, followed);
    const event = decoded ?? sessionCodec.decode(recorded);
    if (isUnreadable(event)) {
      this.#deps.reportUnreadable(event);
      return this.#done(pass, followed);
    }
    const told = sessionEventOf(event);
    if (told === undefined || this.#isSurelyUnwanted(recorded, told)) return this.#done(pass, followed);
    return new Promise((taken) => {
      const recording = this.#slots
        .run(() => {
          taken();
          return this.#turns.run(session, () => this.#record(event, told));
        }, this.#stop)
        .then((isRecorded) => isRecorded && this.#done(pass, followed), taken);
      this.#recording.set(recording, session);
      void recording.finally(() => this.#recording.delete(recording));
    });
  }

  /** Its webhooks are those of its view, which may not have the event yet. */
  #isSurelyUnwanted({ stream, position }: RecordedEvent, { type }: ToldEvent): boolean {
    const { views, wanted } = this.#deps;
    return position <= views.position && !wanted.mayWant(sessionIdOf(stream), [type]);
  }

  /** False if it ends before. */
  async #record(event: RecordedSessionEvent, told: ToldEvent): Promise<boolean> {
    const { views, log } = this.#deps;
    const session = sessionIdOf(event.stream);
    try {
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
    // If the place is gone, the session has another owner by now, which records the event.
    while (this.#placeOf(sessionIdOf(event.stream)) !== undefined) {
      try {
        return await recordSessionEvent(this.#deps, event, told);
      } catch (error) {
        // Another process has recorded something of the session: what it was is read.
        if (!(error instanceof WrongExpectedRevisionError)) throw error;
      }
    }
  }

  #done(pass: Followed[], followed: Followed): undefined {
    followed.isDone = true;
    // What an earlier pass has not ended is seen by this one again.
    if (pass !== this.#pass?.followed) return;
    let upTo: bigint | undefined;
    while (pass[0]?.isDone) upTo = pass.shift()?.position;
    if (upTo === undefined) return;
    for (const place of this.#places.values()) if (place.upTo < upTo) place.upTo = upTo;
    if (this.#timer !== undefined || this.#stop.aborted) return;
    const afterMs = this.#places.has(allSessions) ? saveMs : savePartitionsMs;
    this.#timer = this.#deps.clock.setTimeout(() => {
      this.#timer = undefined;
      void this.#patiently(() => this.#save()).catch(() => {});
    }, afterMs);
  }

  #patiently<T>(work: () => Promise<T>): Promise<T> {
    return retry(this.#deps, storePoll, work, this.#stop, (err) =>
      this.#retryLog.warn({ err }, 'events of sessions could not be recorded for their receivers yet'),
    );
  }

  async #save(): Promise<void> {
    await Promise.all(Array.from(this.#places.values(), (place) => place.save()));
  }
}
