import { KeyedQueue } from '../../../actors/kit/keyed-queue.ts';
import { LastEventWriter } from '../../../actors/kit/last-event-writer.ts';
import { LightAbort } from '../../../actors/kit/light-abort.ts';
import { mapConcurrent } from '../../../actors/kit/map-concurrent.ts';
import { createRateLimitedLog } from '../../../actors/kit/rate-limited-log.ts';
import { retry } from '../../../actors/kit/retry.ts';
import { storePoll } from '../../../actors/kit/retry-policy.ts';
import { isRetryable } from '../../../actors/kit/retryable.ts';
import { TakenPartitions } from '../../../actors/kit/taken-partitions.ts';
import type { Clock, Randomness, TimerHandle } from '../../../actors/ports/clock.ts';
import type { ReportUnreadable } from '../../../actors/ports/event-codec.ts';
import type { EventStore, Json } from '../../../actors/ports/event-store.ts';
import type { Log } from '../../../actors/ports/log.ts';
import {
  allPartitions,
  mustOwn,
  NotOwnerError,
  type OwnedPartitions,
  type Ownership,
  soleOwner,
} from '../../../actors/ports/ownership.ts';
import type { Sealer } from '../../../actors/ports/sealer.ts';
import type { SessionViews } from '../../../projections/session-view.ts';
import type { LiveUpdate } from '../../telegram/port/updates.ts';
import { defaultFilter, type EventFilter, wants } from '../filter/event-filter.ts';
import { sessionIdsIn } from '../places/sessions-in.ts';
import type { PlacedEvent } from '../stream/delivery-events.ts';
import { outboxCodec } from '../stream/outbox-codec.ts';
import { readersStream, type StoredReader } from '../stream/outbox-progress.ts';
import { isWantedBy } from '../stream/place-marks.ts';
import { openReaders, readerOf, readReaders } from './open-readers.ts';
import type { Reader, ReaderConnection } from './reader.ts';
import { keptAfterMs, maxReaders, momentOf, savedReaders, type Wish } from './reader-events.ts';

/** After a change that nothing waits for; as often as outboxes are saved. */
const saveMs = 250;
/** After the store has failed. */
const retryMs = 1_000;
const savesPerTruncation = 16;
/** Sessions of a partition that are read at the same time. */
const readsAtOnce = 64;

export interface ReaderBookDeps {
  store: Pick<EventStore, 'append' | 'last' | 'lastOfEach' | 'truncate'>;
  /** Default: the process is alone. */
  ownership?: Pick<Ownership, 'owns'> | undefined;
  sealer: Pick<Sealer, 'open' | 'seal'>;
  views: Pick<SessionViews, 'get' | 'liveIds' | 'onChange'>;
  clock: Clock;
  random: Pick<Randomness, 'uuid' | 'fraction'>;
  log: Log;
  reportUnreadable: ReportUnreadable;
  /** The number of the partition that a session is in. For {@link ReaderBook.take}. */
  partitionOf?: ((sessionId: string) => number) | undefined;
}

interface OfSession {
  readers: Reader[];
  readonly writer: LastEventWriter;
  timer: TimerHandle | undefined;
  saves: number;
  /** While a reader is connected: ends listening for the end of the session. */
  unlisten?: (() => void) | undefined;
}

/** A session has as many readers as it may have. */
export class TooManyReadersError extends Error {
  override name = 'TooManyReadersError';
}

/** The readers of all sessions (EV3). Each is a place in the stream of its session, until 24 h after it left. */
export class ReaderBook {
  readonly #deps: ReaderBookDeps;
  readonly #sessions = new Map<string, OfSession>();
  /** By session. */
  readonly #changes = new KeyedQueue();
  /** Partitions whose readers have been read. */
  readonly #taken: TakenPartitions;
  readonly #stop = new LightAbort();
  readonly #retryLog: Log;

  constructor(deps: ReaderBookDeps) {
    this.#taken = new TakenPartitions(deps.partitionOf);
    this.#deps = deps;
    this.#retryLog = createRateLimitedLog(deps.log, deps.clock);
  }

  /** Reads what was saved. A reader that was connected has left with the process before. @throws {StoreUnavailableError} */
  async load(): Promise<void> {
    const { store, reportUnreadable } = this.#deps;
    for await (const { sessionId, readers } of savedReaders(store, reportUnreadable)) {
      if (this.#deps.views.get(sessionId)?.ended !== false) continue;
      this.#put(sessionId, await openReaders(this.#deps, sessionId, readers));
    }
    this.#taken.take(allPartitions);
  }

  /**
   * Instead of {@link load} among several nodes: the sessions of these partitions are this process's from now on. Retries
   * while the store is away.
   */
  async take(partitions: OwnedPartitions): Promise<void> {
    const warn = (err: unknown): void => this.#retryLog.warn({ err }, 'readers could not be read yet');
    await mapConcurrent(await sessionIdsIn(this.#deps.views, partitions), readsAtOnce, async (id) => {
      // It may be released before it has been read.
      const read = async (): Promise<Reader[]> => (partitions.has(id) ? await readReaders(this.#deps, id) : []);
      const opened = await retry(this.#deps, storePoll, read, this.#stop, warn);
      if (partitions.has(id)) this.#put(id, opened);
    });
    this.#taken.take(partitions);
  }

  /** Another process has the readers of these sessions from now on: they are to connect to it. @param isLost nothing is saved */
  async release(partitions: OwnedPartitions, isLost: boolean): Promise<void> {
    this.#taken.release(partitions);
    const ids = new Set([...this.#sessions.keys(), ...this.#changes.keys()]);
    const leaving = [...ids].filter((id) => partitions.has(id));
    await Promise.all(leaving.map((id) => this.#release(id, isLost)));
  }

  async #release(id: string, isLost: boolean): Promise<void> {
    const session = this.#sessions.get(id);
    const isUnsaved =
      session?.timer !== undefined || session?.readers.some(({ connection }) => connection !== undefined);
    this.#forget(id, 'failed');
    if (isLost) return;
    // Behind a reader that is joining: its wish is recorded, or not, before another process reads it.
    await this.#changes.run(id, async () => {
      if (session !== undefined && isUnsaved) await this.#append(id, session, session.readers).catch(() => {});
    });
  }

  #put(sessionId: string, readers: Reader[]): void {
    if (readers.length > 0) this.#sessions.set(sessionId, { ...this.#begun(sessionId), readers });
  }

  #begun(sessionId: string): OfSession {
    const { store, ownership = soleOwner } = this.#deps;
    const mayWrite = (): void => mustOwn(ownership, sessionId);
    const writer = new LastEventWriter({ store, mustOwn: mayWrite }, readersStream(sessionId));
    return { readers: [], writer, timer: undefined, saves: 0 };
  }

  /** Those whose wishes count now. */
  of(sessionId: string): readonly Reader[] {
    const session = this.#sessions.get(sessionId);
    if (session === undefined) return [];
    const now = this.#deps.clock.now();
    const isKept = ({ stored: { leftAt } }: Reader): boolean => leftAt === undefined || leftAt + keptAfterMs > now;
    if (!session.readers.every(isKept)) session.readers = session.readers.filter(isKept);
    if (session.readers.length === 0 && session.timer === undefined) this.#sessions.delete(sessionId);
    return session.readers;
  }

  /**
   * A reader comes. Its wish is durable when this resolves, and its earlier connection ended.
   * @param wish what it leaves out stays as it was
   * @param first what a new reader wishes that does not say
   * @param after the number of the last event that it has; undefined: it continues at its place
   * @throws {TooManyReadersError} {@link StoreUnavailableError}
   * @throws {NotOwnerError} the session leaves this process, or has left it: the client has to connect to the next owner
   */
  join(
    sessionId: string,
    { name, ...wish }: { name: string } & Partial<EventFilter>,
    after: number | undefined,
    connection: ReaderConnection,
    first: EventFilter = defaultFilter,
  ): Promise<Reader> {
    return this.#changes.run(sessionId, async () => {
      const { clock, sealer, random } = this.#deps;
      const term = this.#taken.termOf(sessionId);
      const isElsewhere = (): boolean => term === undefined || this.#taken.termOf(sessionId) !== term;
      if (isElsewhere()) throw new NotOwnerError(`${sessionId} has left this process`);
      const others = this.of(sessionId).filter((reader) => reader.name !== name);
      const before = this.of(sessionId).find((reader) => reader.name === name);
      if (before === undefined && others.length >= maxReaders) throw new TooManyReadersError(name);
      const filter: EventFilter = { ...(before?.filter ?? first), ...wish };
      const last = Math.max(0, ...this.of(sessionId).map(({ since }) => since));
      const since = before?.since ?? Math.max(clock.now(), last + 1);
      const stored: StoredReader = {
        key: before?.key ?? `r${since.toString(36)}`,
        since,
        wish: await sealer.seal(sessionId, random.uuid(), JSON.stringify({ name, ...filter } satisfies Wish)),
        place: after ?? before?.stored.place ?? 0,
      };
      const reader: Reader = { ...readerOf(stored, { name, ...filter }), connection };
      const session = this.#sessions.get(sessionId) ?? this.#begun(sessionId);
      await this.#append(sessionId, session, [...others, reader]);
      if (isElsewhere()) throw new NotOwnerError(`${sessionId} has left this process`);
      before?.connection?.end();
      session.readers = [...others, reader];
      this.#sessions.set(sessionId, session);
      session.unlisten ??= this.#deps.views.onChange(sessionId, () => this.#viewChanged(sessionId));
      return reader;
    });
  }

  /** All up to this number has arrived. */
  acknowledge(sessionId: string, reader: Reader, seq: number): void {
    if (seq <= reader.stored.place) return;
    reader.stored.place = seq;
    this.#saveSoon(sessionId);
  }

  /** Its connection has ended. */
  leave(sessionId: string, reader: Reader): void {
    // It may have come again.
    if (!this.of(sessionId).includes(reader)) return;
    reader.connection = undefined;
    reader.stored.leftAt = this.#deps.clock.now();
    if (!this.isWatched(sessionId)) this.#unlisten(sessionId);
    this.#saveSoon(sessionId);
  }

  /** Whether a reader is connected. */
  isWatched(sessionId: string): boolean {
    return this.#sessions.get(sessionId)?.readers.some(({ connection }) => connection !== undefined) ?? false;
  }

  /** What is not recorded goes to the readers that are connected at that moment (EV1). */
  show(sessionId: string, update: LiveUpdate): void {
    for (const { connection, filter } of this.#sessions.get(sessionId)?.readers ?? []) {
      if (connection !== undefined && wants(filter, momentOf(update))) connection.show(update);
    }
  }

  /** To be called with all events that are recorded for a session, in order. */
  recorded(sessionId: string, events: readonly PlacedEvent[]): void {
    for (const { key, connection } of this.#sessions.get(sessionId)?.readers ?? []) {
      if (connection !== undefined && events.some((event) => isWantedBy(event, key))) connection.ring();
    }
  }

  #viewChanged(sessionId: string): void {
    if (this.#deps.views.get(sessionId)?.ended !== false) this.#forget(sessionId);
  }

  #unlisten(sessionId: string): void {
    const session = this.#sessions.get(sessionId);
    session?.unlisten?.();
    if (session !== undefined) session.unlisten = undefined;
  }

  /** The session is deleted, or another process's: its streams end. */
  #forget(sessionId: string, how: 'done' | 'failed' = 'done'): void {
    this.#unlisten(sessionId);
    const session = this.#sessions.get(sessionId);
    if (session?.timer !== undefined) this.#deps.clock.clearTimeout(session.timer);
    for (const { connection } of session?.readers ?? []) connection?.end(how);
    this.#sessions.delete(sessionId);
  }

  /** Saves what is not saved yet. */
  async stop(): Promise<void> {
    this.#stop.abort(new Error('the readers have ended'));
    const waiting = [...this.#sessions].filter(([, { timer }]) => timer !== undefined);
    for (const [, session] of waiting) this.#deps.clock.clearTimeout(session.timer as TimerHandle);
    await Promise.all(waiting.map(([id, session]) => this.#append(id, session, session.readers).catch(() => {})));
  }

  /** Saves nothing more, as a killed process; for tests. */
  crash(): void {
    this.#stop.abort(new Error('the readers have ended'));
    for (const { timer } of this.#sessions.values()) if (timer !== undefined) this.#deps.clock.clearTimeout(timer);
  }

  #saveSoon(sessionId: string, ms = saveMs): void {
    const session = this.#sessions.get(sessionId);
    if (session === undefined || session.timer !== undefined || this.#stop.aborted) return;
    session.timer = this.#deps.clock.setTimeout(() => {
      void this.#changes.run(sessionId, async () => {
        session.timer = undefined;
        if (this.#sessions.get(sessionId) !== session) return;
        try {
          await this.#append(sessionId, session, session.readers);
        } catch (err) {
          this.#deps.log.warn({ session: sessionId, err }, 'the places of readers could not be saved yet');
          if (isRetryable(err)) this.#saveSoon(sessionId, retryMs);
        }
      });
    }, ms);
  }

  async #append(sessionId: string, session: OfSession, readers: readonly Reader[]): Promise<void> {
    const { store, clock, random } = this.#deps;
    // Interfaces have no index signature, but all of this is JSON.
    const data = { readers: readers.map(({ stored }) => stored) } as unknown as Json;
    const metadata = outboxCodec.stamp({ at: clock.now() });
    const revision = await session.writer.write({ id: random.uuid(), type: 'ReadersMoved', data, metadata });
    session.saves += 1;
    // The save before stays too, in case this one becomes unreadable.
    if (session.saves % savesPerTruncation === 0) await store.truncate(readersStream(sessionId), revision - 1);
  }
}
