import type { Clock, Randomness } from '../ports/clock.ts';
import { isUnreadable, type ReportUnreadable } from '../ports/event-codec.ts';
import type { EventStore, RecordedEvent } from '../ports/event-store.ts';
import type { Log } from '../ports/log.ts';
import type { Sealer } from '../ports/sealer.ts';
import { SessionNotActiveError, SessionNotFoundError } from '../ports/sessions.ts';
import type { CreateTelegramSession, ReportTelegramFact, TelegramFact } from '../ports/telegram-session.ts';
import { type Effect, type SessionState, sessionIdOf, sessionPrefix, sessionStream } from '../session/events.ts';
import { type Lifecycle, sessionLifecycle } from '../session/lifecycle.ts';
import { restore } from '../session/restore.ts';
import { isPersonal, sealTelegramFact } from '../session/sealed-facts.ts';
import { createSessionCodec, type SessionCodec, sessionCodec } from '../session/session-codec.ts';
import { ErasureQueue } from './erasure-queue.ts';
import type { TraceFact } from './mailbox-job.ts';
import { SessionActor, type SessionActorDeps } from './session-actor.ts';
import { SupervisedSession } from './supervised-session.ts';
import { TelegramChild, type TelegramEffect } from './telegram-child.ts';
import { TokenBucket } from './token-bucket.ts';

/** Sessions restored at the same time: enough to share the store's commits, few enough for the memory. */
const maxRestoring = 1000;
/** Wait before the store is read again during a start or a reload. */
const storeRetryMs = 1_000;
const patiently = { patient: true };
/** Drops a stored login of any number: the events that numbered it are gone. */
const storedLogOut: TelegramEffect = { type: 'logOut', login: 0 };

export interface SessionSupervisorDeps {
  store: EventStore;
  sealer: Sealer;
  clock: Clock;
  random: Randomness;
  createTelegramSession: CreateTelegramSession;
  node: string;
  log: Log;
  reportUnreadable: ReportUnreadable;
  unfinishedErasures: () => AsyncIterable<string> | Iterable<string>;
  linkStartsPerSecond: number;
  /** For traces. */
  watch?: TraceFact | undefined;
  /** Default: the chart of this version. */
  lifecycle?: Lifecycle;
}

/** Supervises all sessions of this process: restores, starts, reloads and erases them. */
export class SessionSupervisor {
  readonly #options: SessionSupervisorDeps;
  readonly #sessions = new Map<string, SupervisedSession>();
  readonly #deps: SessionActorDeps;
  readonly #lifecycle: Lifecycle;
  readonly #codec: SessionCodec;
  readonly #starts: TokenBucket<SupervisedSession>;
  readonly #erasures: ErasureQueue;
  /** Whether every stored session was seen. */
  #complete = false;
  /** Created before that: the start may still read their old events, even after they were erased. */
  readonly #createdMeanwhile = new Set<string>();
  #stopping = false;

  constructor(options: SessionSupervisorDeps) {
    this.#options = options;
    const { store, clock, random, node, log, sealer, watch, lifecycle = sessionLifecycle } = options;
    this.#lifecycle = lifecycle;
    this.#codec = lifecycle === sessionLifecycle ? sessionCodec : createSessionCodec(lifecycle);
    this.#deps = {
      lifecycle,
      store,
      clock,
      random,
      node,
      log,
      watch,
      perform: (actor, effects, paced) => this.#perform(actor, effects, paced),
      onFenced: (actor) => void this.#reload(actor),
      onNeverRecorded: ({ id }) => this.discard(id),
    };
    this.#starts = new TokenBucket(clock, options.linkStartsPerSecond, (session) => this.startNow(session));
    this.#erasures = new ErasureQueue(clock, log, sealer);
  }

  /** The recorded state; `'loading'` if the session is not active yet, or before every stored session was seen. */
  state(id: string): SessionState | 'loading' | undefined {
    const session = this.#sessions.get(id);
    if (session === undefined) return this.#complete ? undefined : 'loading';
    const { phase } = session;
    return (phase.kind === 'active' || phase.kind === 'erasing' ? phase.actor?.state : undefined) ?? 'loading';
  }

  /** Whether the session has reached a final state and is not erased yet. */
  isDeleted(id: string): boolean {
    return this.#sessions.get(id)?.phase.kind === 'erasing';
  }

  /**
   * The actor that takes a session's commands.
   * @throws {SessionNotFoundError} unknown or deleted.
   * @throws {SessionNotActiveError} not restored or not recorded yet, held, or the process is stopping.
   */
  active(id: string): { session: SupervisedSession; actor: SessionActor } {
    const session = this.#sessions.get(id);
    if (session === undefined && this.#complete) throw new SessionNotFoundError(`no session ${id}`);
    if (session?.phase.kind === 'erasing') throw new SessionNotFoundError(`session ${id} is deleted`);
    if (session?.phase.kind !== 'active' || session.phase.actor.state === undefined || this.#stopping) {
      throw new SessionNotActiveError(`session ${id} is not active`);
    }
    return { session, actor: session.phase.actor };
  }

  /** Adds a new session, whose actor has yet to record its creation. {@link discard} removes it again. */
  admit(id: string): SessionActor {
    if (this.#stopping) throw new SessionNotActiveError('the process is stopping');
    const actor = new SessionActor(id, this.#deps);
    this.#sessions.set(id, new SupervisedSession(id, { kind: 'active', actor }));
    if (!this.#complete) this.#createdMeanwhile.add(id);
    return actor;
  }

  /** Restores all stored sessions. Resolves when the last one is active; erasures continue in the background. */
  async restoreAll(): Promise<void> {
    while (!this.#complete && !this.#stopping) {
      try {
        await this.#restoreStored();
        // A start that is stopped has not seen all of them.
        this.#complete = !this.#stopping;
        this.#createdMeanwhile.clear();
      } catch (error) {
        this.#options.log.error({ err: error }, 'the sessions could not be read from the store yet');
        await this.#pause();
      }
    }
    if (this.#complete) void this.#eraseRemains();
  }

  /** Runs the effects of a restored session that still wait for their turn. */
  startNow(session: SupervisedSession): void {
    const { pending } = session;
    session.pending = undefined;
    if (pending === undefined || this.#sessions.get(session.id) !== session) return;
    this.#run(session, pending);
  }

  /** The session's connection to Telegram, created on first use. */
  childOf(session: SupervisedSession): TelegramChild {
    session.child ??= this.#createChild(session.id, (fact) => this.#report(session, fact));
    return session.child;
  }

  /** Waits for appends in flight, then closes every connection to Telegram. */
  async stop(): Promise<void> {
    this.#stopping = true;
    this.#starts.stop();
    this.#erasures.stop();
    const sessions = [...this.#sessions.values()];
    await Promise.all(sessions.map(async ({ actor }) => await actor?.idle()));
    for (const { actor } of sessions) actor?.stop();
    await Promise.all(sessions.map(async ({ child }) => await child?.close()));
  }

  async #restoreStored(): Promise<void> {
    let restoring: Promise<void>[] = [];
    for await (const last of this.#options.store.lastOfEach(sessionPrefix)) {
      const id = sessionIdOf(last.stream);
      if (this.#stopping) return;
      if (this.#sessions.has(id) || this.#createdMeanwhile.has(id)) continue;
      const actor = this.#load(id, last);
      if (typeof actor !== 'string') restoring.push(this.#resume(actor));
      if (restoring.length < maxRestoring) continue;
      await Promise.all(restoring);
      restoring = [];
    }
    await Promise.all(restoring);
  }

  /** Gives a stored session its actor, unless it is deleted, or held because its last event cannot be read. */
  #load(id: string, last: RecordedEvent): SessionActor | 'deleted' | 'held' {
    const session = this.#sessions.get(id) ?? new SupervisedSession(id, { kind: 'reloading' });
    const event = this.#codec.decode(last);
    if (isUnreadable(event)) {
      this.#options.reportUnreadable(event);
      session.phase = { kind: 'held' };
      this.#sessions.set(id, session);
      return 'held';
    }
    if (this.#lifecycle.isFinal(event.metadata.to)) return 'deleted';
    const actor = new SessionActor(id, this.#deps, restore(event));
    session.phase = { kind: 'loading', actor };
    this.#sessions.set(id, session);
    return actor;
  }

  async #resume(actor: SessionActor): Promise<void> {
    try {
      await actor.resume();
      const session = this.#sessions.get(actor.id);
      if (session?.phase.kind === 'loading' && session.actor === actor) session.phase = { kind: 'active', actor };
    } catch (error) {
      // It was stopped, or fenced and then reloaded.
      this.#options.log.warn({ session: actor.id, err: error }, 'a session could not be resumed');
    }
  }

  /** Another writer appended: the stored state counts, and the session starts again from it. */
  async #reload(fenced: SessionActor): Promise<void> {
    const session = this.#sessions.get(fenced.id);
    if (session?.actor !== fenced) return;
    session.phase = { kind: 'reloading' };
    session.pending = undefined;
    await session.child?.close();
    session.child = undefined;
    const last = await this.#lastOf(session.id);
    if (this.#stopping) return;
    const loaded = last === undefined ? 'deleted' : this.#load(session.id, last);
    if (typeof loaded !== 'string') await this.#resume(loaded);
    else if (loaded === 'deleted') this.#erase(session, undefined, storedLogOut);
  }

  async #lastOf(id: string): Promise<RecordedEvent | undefined> {
    while (!this.#stopping) {
      try {
        return await this.#options.store.last(sessionStream(id));
      } catch (error) {
        this.#options.log.warn({ session: id, err: error }, 'a session could not be read again yet');
        await this.#pause();
      }
    }
    return undefined;
  }

  #perform(actor: SessionActor, effects: readonly Effect[], paced: boolean): void {
    const session = this.#sessions.get(actor.id);
    if (session === undefined || this.#stopping) return;
    session.pending = undefined;
    if (paced) {
      session.pending = effects;
      this.#starts.add(session);
    } else {
      this.#run(session, effects);
    }
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

  async #report(session: SupervisedSession, fact: TelegramFact): Promise<void> {
    const { actor } = session;
    if (actor === undefined) return;
    const { sealer } = this.#options;
    await actor.send(
      isPersonal(fact) ? (eventId) => sealTelegramFact(sealer, session.id, eventId, fact) : fact,
      patiently,
    );
  }

  #createChild(id: string, report: ReportTelegramFact): TelegramChild {
    return new TelegramChild(id, this.#options, report);
  }

  /** Logs out, then destroys the key. An open connection logs out at once; a new one for it waits for its turn. */
  #erase(session: SupervisedSession, actor: SessionActor | undefined, logOut: TelegramEffect | undefined): void {
    session.phase = { kind: 'erasing', actor };
    const child = session.child;
    if (logOut !== undefined) child?.perform(logOut);
    this.#erasures.add({
      id: session.id,
      loggedOut: () => {
        if (child === undefined && logOut !== undefined) this.childOf(session).perform(logOut);
        return this.childOf(session);
      },
      onErased: () => this.#sessions.delete(session.id),
    });
  }

  /** Sessions that were deleted, or never recorded, when an earlier process ended. */
  async #eraseRemains(): Promise<void> {
    try {
      for await (const id of this.#options.unfinishedErasures()) {
        if (this.#stopping) return;
        if (this.#sessions.has(id)) continue;
        this.#erase(new SupervisedSession(id, { kind: 'reloading' }), undefined, storedLogOut);
      }
    } catch (error) {
      this.#options.log.error({ err: error }, 'unfinished erasures could not be read; the next start finds them');
    }
  }

  /** Destroys the key of a session whose creation was not recorded. */
  discard(id: string): void {
    this.#erasures.add({ id, loggedOut: undefined, onErased: () => this.#sessions.delete(id) });
  }

  async #pause(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#options.clock.setTimeout(resolve, storeRetryMs);
    });
  }
}
