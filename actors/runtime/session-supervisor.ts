import { LightAbort } from '../kit/light-abort.ts';
import { retry } from '../kit/retry.ts';
import { storePoll } from '../kit/retry-policy.ts';
import type { OwnedPartitions, Partitions } from '../ports/ownership.ts';
import type { TelegramFact } from '../ports/telegram-session.ts';
import type { Effect } from '../session/events.ts';
import { sessionLifecycle } from '../session/lifecycle.ts';
import type { Committed } from '../session/restore.ts';
import { type ErasureOfDeps, erasureOf, erasureOfUnrecorded } from './erasure-of.ts';
import { ErasureQueue } from './erasure-queue.ts';
import { NoticedRevisions } from './noticed-revisions.ts';
import { recordAfterEnd } from './record-after-end.ts';
import { proxyForLogOut, recordedProxy } from './recorded-settings.ts';
import { SessionActor } from './session-actor.ts';
import type { SessionActorDeps } from './session-actor-deps.ts';
import type { SessionSupervisorDeps } from './session-supervisor-deps.ts';
import { SessionNotActiveError } from './sessions.ts';
import { StoredSessions } from './stored-session.ts';
import { SupervisedSession } from './supervised-session.ts';
import { mayTake } from './supervision/may-take.ts';
import { OwnSessions } from './supervision/own-sessions.ts';
import { reportFact } from './supervision/report-fact.ts';
import { type RestoreStoredDeps, restoreStored } from './supervision/restore-stored.ts';
import { TelegramChild, type TelegramEffect } from './telegram-child.ts';
import { TokenBucket } from './token-bucket.ts';

/** Drops a stored login of any number: the events that numbered it are gone. */
const storedLogOut: TelegramEffect = { type: 'logOut', login: 0 };

/** Supervises all sessions of this process: restores, starts, reloads and erases them. */
export class SessionSupervisor {
  readonly #options: SessionSupervisorDeps;
  readonly #table: OwnSessions;
  readonly #deps: SessionActorDeps;
  readonly #stored: StoredSessions;
  readonly #starts: TokenBucket<SupervisedSession>;
  readonly #erasures: ErasureQueue;
  readonly #ends: ErasureOfDeps;
  /** Of sessions that are being read. */
  readonly #noticed = new NoticedRevisions();
  readonly #stop = new LightAbort();

  constructor(options: SessionSupervisorDeps) {
    this.#options = options;
    this.#table = new OwnSessions(options);
    const { clock, random, log, sealer, lifecycle = sessionLifecycle } = options;
    this.#stored = new StoredSessions(options, lifecycle);
    this.#deps = {
      ...options,
      lifecycle,
      perform: (actor, effects, paced) => this.#perform(actor, effects, paced),
      onProxySet: ({ id }) => this.#table.get(id)?.child?.useProxy(),
      onFenced: (fenced) => {
        const session = this.#table.get(fenced.id);
        if (session?.actor === fenced) session.reload = this.#reload(session);
      },
      onNeverRecorded: ({ id }) => this.discard(id),
    };
    this.#starts = new TokenBucket(clock, options.linkStartsPerSecond, (session) => this.startNow(session));
    this.#erasures = new ErasureQueue({ clock, random, log, sealer });
    this.#ends = {
      childOf: (session) => this.childOf(session),
      readProxy: (session) => proxyForLogOut(options, session),
      forget: (id) => this.#table.delete(id),
      recordAfterEnd: (id, fact) => recordAfterEnd(options, id, fact, this.#stop),
    };
  }

  readonly state = (id: string): ReturnType<OwnSessions['state']> => this.#table.state(id);
  readonly liveCount = (): number => this.#table.liveCount;
  readonly isDeleted = (id: string): boolean => this.#table.isDeleted(id);

  /** As {@link OwnSessions.active}. @throws {SessionNotActiveError} also while the process is stopping. */
  active(id: string): ReturnType<OwnSessions['active']> {
    const active = this.#table.active(id);
    if (this.#stop.aborted) throw new SessionNotActiveError(`session ${id} is not active`);
    return active;
  }

  /** As {@link OwnSessions.haveAllStarted}. */
  readonly haveAllStarted = (): boolean => this.#table.haveAllStarted;

  /** Adds a new session, whose actor has yet to record its creation. {@link discard} removes it again. */
  admit(id: string): { session: SupervisedSession; actor: SessionActor } {
    if (this.#stop.aborted) throw new SessionNotActiveError('the process is stopping');
    const actor = new SessionActor(id, this.#deps);
    const session = new SupervisedSession(id, { kind: 'active', actor });
    this.#table.admit(session);
    return { session, actor };
  }

  /**
   * Restores all stored sessions of these partitions. Resolves when the last is active; erasures continue behind.
   * @param maxWaitMs then it resolves without the sessions that take longer. Default: it waits for all
   */
  async take(partitions: OwnedPartitions, maxWaitMs?: number): Promise<void> {
    this.#table.beginToTake(partitions);
    try {
      await retry(
        this.#options,
        storePoll,
        () => this.#restoreStored(partitions, maxWaitMs),
        this.#stop,
        (err) => this.#options.log.error({ where: 'sessions', err }, 'the sessions could not be read yet'),
      );
    } catch (error) {
      // A start that is stopped has not seen all of them.
      if (this.#stop.aborted) return;
      this.#table.endTaking(partitions);
      throw error;
    }
    this.#table.hasTaken(partitions);
    // Recorded since the list that was read was made.
    for (const id of this.#noticed.ids()) if (this.#table.lacks(id)) void this.#takeUp(id);
    // Earlier, connections would take the processor time that restoring needs.
    if (!this.#stop.aborted) this.#starts.begin();
    void this.#eraseRemains(partitions);
  }

  /** Ends the actors and connections of these sessions, and waits for appends in flight. Their erasures end too. */
  async release(partitions: OwnedPartitions, isLost: boolean): Promise<void> {
    this.#table.beginToRelease(partitions);
    const leaving = this.#table.values().filter(({ id }) => partitions.has(id));
    this.#erasures.drop(partitions);
    const leave = async (session: SupervisedSession): Promise<void> => {
      await session.end(isLost);
      this.#table.leave(session);
    };
    await Promise.all(leaving.map(leave));
  }

  /** Runs the effects of a restored session that still wait for their turn. */
  startNow(session: SupervisedSession): void {
    const { pending } = session;
    session.pending = undefined;
    if (pending === undefined || this.#table.get(session.id) !== session) return;
    this.#run(session, pending);
  }

  /** The session's connection to Telegram, created on first use. @throws {SessionNotActiveError} it has left */
  childOf(session: SupervisedSession): TelegramChild {
    if (session.phase.kind === 'leaving') throw new SessionNotActiveError(`session ${session.id} has left`);
    const report = (fact: TelegramFact): Promise<void> =>
      reportFact({ ...this.#options, ...this.#ends }, session, fact);
    const readProxy = (): Promise<string | undefined> => recordedProxy(this.#options, session);
    return (session.child ??= new TelegramChild(session.id, this.#options, report, readProxy));
  }

  /** Waits for appends in flight, then closes every connection to Telegram. */
  async stop(): Promise<void> {
    this.#stop.abort(new SessionNotActiveError('the process is stopping'));
    this.#starts.stop();
    this.#erasures.stop();
    const sessions = this.#table.values();
    await Promise.all(sessions.map(async ({ actor }) => await actor?.idle()));
    for (const { actor } of sessions) actor?.stop();
    await Promise.all(sessions.map(async ({ child }) => await child?.close()));
  }

  /** Holds a session (FA7): its actor and its connection end; its stream, its vault and its login stay as they are. */
  hold(id: string): void {
    const session = this.#table.get(id);
    if (session === undefined || ['erasing', 'held', 'leaving'].includes(session.phase.kind)) return;
    session.actor?.stop();
    void session.child?.close();
    this.#hold(session, 'held');
  }

  /** The stream of a session has an event of this revision. A session that this process does not have is taken up. */
  foundRecorded(id: string, revision: number): void {
    if (!this.#options.ownership.owns(id)) return;
    const session = this.#table.get(id);
    if (session === undefined || session.isAway) this.#noticed.note(id, revision);
    else session.actor?.noticed(revision);
    if (this.#table.lacks(id)) void this.#takeUp(id);
  }

  /**
   * Restores a session that was recorded after its creation had been given up, or by another process.
   * @returns whether the store says that it is deleted
   */
  async #takeUp(id: string): Promise<boolean> {
    if (!this.#table.beginToTakeUp(id)) return false;
    const stored = await this.#stored.readNow(id, this.#stop);
    const isHere = this.#table.hasTakenUp(id);
    if (stored === undefined || typeof stored === 'string') this.#noticed.take(id);
    if (stored === undefined || !isHere || this.#stop.aborted || this.#table.has(id)) return false;
    if (!mayTake(this.#options.ownership, id, stored)) return false;
    if (stored === 'deleted') return true;
    await this.#restore(new SupervisedSession(id, { kind: 'reloading' }), stored);
    return false;
  }

  #hold(session: SupervisedSession, stored: 'held' | 'foreign'): void {
    session.phase = { kind: 'held' };
    session.pending = undefined;
    this.#table.set(session);
    if (stored === 'foreign') return;
    this.#options.log.error({ where: 'sessions', session: session.id }, 'a session is held: an event is unreadable');
  }

  async #restoreStored(partitions: Partitions, maxWaitMs: number | undefined): Promise<void> {
    const restore: RestoreStoredDeps['restore'] = (id, stored) => {
      this.#stop.throwIfAborted();
      return this.#restore(new SupervisedSession(id, { kind: 'reloading' }), stored);
    };
    const found = this.#stored.all(this.#options.knownEnds?.());
    await restoreStored({ ...this.#options, table: this.#table, restore }, found, partitions, maxWaitMs);
  }

  /** Gives a stored session its actor, which resumes; or holds it. */
  async #restore(session: SupervisedSession, stored: Committed | 'held' | 'foreign'): Promise<void> {
    if (typeof stored === 'string') return this.#hold(session, stored);
    const actor = new SessionActor(session.id, this.#deps, stored);
    session.phase = { kind: 'loading', actor };
    this.#table.set(session);
    actor.noticed(this.#noticed.take(session.id));
    try {
      await actor.resume();
      if (session.phase.kind === 'loading' && session.actor === actor) session.phase = { kind: 'active', actor };
    } catch (error) {
      this.#options.log.warn({ session: actor.id, err: error }, 'a session could not be resumed');
      // It is fenced and being read again; or it was stopped; or it cannot be resumed at all.
      if (session.isReloading) await session.readAgain();
      else if (session.actor === actor) this.#giveUp(session);
    }
  }

  /** What is wrong with it has been logged. It stays as it is until its partition is taken the next time. */
  #giveUp(session: SupervisedSession): void {
    if (!this.#stop.aborted) session.phase = { kind: 'held' };
  }

  /** Another writer appended: the stored state counts, and the session starts again from it. */
  async #reload(session: SupervisedSession): Promise<void> {
    session.phase = { kind: 'reloading' };
    session.pending = undefined;
    await session.child?.close();
    session.child = undefined;
    const stored = await this.#stored.readNow(session.id, this.#stop);
    if (this.#stop.aborted || session.phase.kind !== 'reloading') return;
    if (stored === undefined) return this.#giveUp(session);
    if (!mayTake(this.#options.ownership, session.id, stored)) this.#table.leave(session);
    else if (stored === 'deleted') this.#erase(session, undefined, storedLogOut);
    else await this.#restore(session, stored);
  }

  #perform(actor: { readonly id: string }, effects: readonly Effect[], paced: boolean): void {
    const session = this.#table.get(actor.id);
    if (session === undefined || session.isAway || this.#stop.aborted) return;
    session.pending = paced ? effects : undefined;
    const { isKnown } = this.#options;
    if (!paced) this.#run(session, effects);
    // An earlier owner may have recorded who receives its updates: the readers of the log have to know that first.
    else if (isKnown !== undefined) void isKnown(session.actor?.position ?? 0n).then(() => this.#starts.add(session));
    else this.#starts.add(session);
  }

  /** Dispatches effects by name: the supervisor erases; every other effect is an instruction to the Telegram session. */
  #run(session: SupervisedSession, effects: readonly Effect[]): void {
    if (effects.some(({ type }) => type === 'erase')) {
      const logOut = effects.find(({ type }) => type === 'logOut');
      this.#erase(session, session.actor, logOut as TelegramEffect | undefined);
      return;
    }
    for (const effect of effects) this.childOf(session).perform(effect as TelegramEffect);
  }

  /** Logs out, then destroys the key. */
  #erase(session: SupervisedSession, actor: SessionActor | undefined, logOut: TelegramEffect | undefined): void {
    session.phase = { kind: 'erasing', actor };
    this.#erasures.add(erasureOf(session, logOut, this.#ends));
  }

  /** Sessions that were deleted, or never recorded, when an earlier process ended. */
  async #eraseRemains(partitions: Partitions): Promise<void> {
    try {
      for await (const id of this.#options.unfinishedErasures(partitions)) {
        if (this.#stop.aborted) return;
        if (!partitions.has(id) || !this.#options.ownership.owns(id)) continue;
        // What readers remember of the log may lack a session: only the log itself says that one is gone.
        if (this.#table.has(id) || !(await this.#takeUp(id))) continue;
        this.#erase(new SupervisedSession(id, { kind: 'reloading' }), undefined, storedLogOut);
      }
    } catch (error) {
      this.#options.log.error({ where: 'sessions', err: error }, 'unfinished erasures are left to the next start');
    }
  }

  /** Destroys the key of a session whose creation was not recorded. If it is recorded late, its deadline ends it. */
  discard(id: string): void {
    // Its next owner, or the next start, finds what is left of it.
    if (this.#table.hasLeft(id)) return;
    const session = this.#table.get(id);
    // A session with a connection has tried to log in.
    if (session?.child !== undefined) return this.#erase(session, undefined, storedLogOut);
    const takeUp = (): void => void this.#takeUp(id);
    this.#erasures.add(erasureOfUnrecorded(id, () => this.#table.delete(id), takeUp));
  }
}
