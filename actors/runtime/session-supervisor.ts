import type { Clock, Randomness } from '../ports/clock.ts';
import { isUnreadable, type ReportUnreadable } from '../ports/event-codec.ts';
import type { EventStore, RecordedEvent } from '../ports/event-store.ts';
import type { Log } from '../ports/log.ts';
import type { Sealer } from '../ports/sealer.ts';
import { SessionNotActiveError, SessionNotFoundError } from '../ports/sessions.ts';
import type { CreateTelegramSession, ReportTelegramFact, TelegramFact } from '../ports/telegram-session.ts';
import { type Effect, type SessionState, sessionIdOf, sessionPrefix, sessionStream } from '../session/events.ts';
import { restore } from '../session/restore.ts';
import { isPersonal, sealTelegramFact } from '../session/sealed-facts.ts';
import { sessionCodec } from '../session/session-codec.ts';
import { ErasureQueue } from './erasure-queue.ts';
import { SessionActor, type SessionActorDeps, type TraceFact } from './session-actor.ts';
import { TelegramChild } from './telegram-child.ts';
import { TokenBucket } from './token-bucket.ts';

/** How many sessions are restored side by side: enough to share the store's commits, few enough to hold. */
const restoredAtOnce = 1000;
/** How long to wait before the store is asked again for what a start or a reload needs. */
const storeRetryMs = 1_000;
const patiently = { patient: true };

export interface SessionSupervisorDeps {
  store: EventStore;
  sealer: Sealer;
  clock: Clock;
  random: Randomness;
  createLink: CreateTelegramSession;
  node: string;
  log: Log;
  reportUnreadable: ReportUnreadable;
  unfinishedErasures: () => AsyncIterable<string> | Iterable<string>;
  linkStartsPerSecond: number;
  /** For traces. */
  watch?: TraceFact | undefined;
}

/** A session that this process has, from its creation or restoration until it is deleted and erased. */
export interface SupervisedSession {
  readonly id: string;
  /** The one actor; undefined while the session is being loaded. */
  actor: SessionActor | undefined;
  /** Whether the actor takes commands. */
  active: boolean;
  child: TelegramChild | undefined;
  /** What a restored session has to do when its turn comes. */
  pending: readonly Effect[] | undefined;
}

/** Who is here: one actor and at most one link for each session, from the store and back into it. */
export class SessionSupervisor {
  readonly #options: SessionSupervisorDeps;
  readonly #held = new Map<string, SupervisedSession>();
  readonly #deps: SessionActorDeps;
  readonly #starts: TokenBucket<SupervisedSession>;
  readonly #erasures: ErasureQueue;
  /** Whether every stored session has been seen. */
  #complete = false;
  /** Created before that: what the store still tells of them may be old, and they may even be erased by then. */
  readonly #createdMeanwhile = new Set<string>();
  #stopping = false;

  constructor(options: SessionSupervisorDeps) {
    this.#options = options;
    const { store, clock, random, node, log, sealer, watch } = options;
    this.#deps = {
      store,
      clock,
      random,
      node,
      log,
      watch,
      perform: (actor, effects, repeated) => this.#perform(actor, effects, repeated),
      onFenced: (actor) => void this.#reload(actor),
      onNeverRecorded: ({ id }) => this.discard(id),
    };
    this.#starts = new TokenBucket(clock, options.linkStartsPerSecond, (session) => this.startNow(session));
    this.#erasures = new ErasureQueue(clock, log, sealer);
  }

  /** As committed; `'loading'` where it is not active yet, or where nobody can know before all have been seen. */
  state(id: string): SessionState | 'loading' | undefined {
    const session = this.#held.get(id);
    if (session === undefined) return this.#complete ? undefined : 'loading';
    return (session.active ? session.actor?.state : undefined) ?? 'loading';
  }

  /**
   * The actor that takes a session's commands.
   * @throws {SessionNotFoundError} unknown or deleted.
   * @throws {SessionNotActiveError} not restored or not recorded yet, or the process is about to stop.
   */
  active(id: string): { session: SupervisedSession; actor: SessionActor } {
    const session = this.#held.get(id);
    if (session === undefined && this.#complete) throw new SessionNotFoundError(`no session ${id}`);
    if (session?.actor?.state === 'deleted') throw new SessionNotFoundError(`session ${id} is deleted`);
    if (session?.actor?.state === undefined || !session.active || this.#stopping) {
      throw new SessionNotActiveError(`session ${id} is not active`);
    }
    return { session, actor: session.actor };
  }

  /** Makes room for a new session, whose actor has yet to record its creation. {@link discard} takes it back. */
  admit(id: string): SessionActor {
    if (this.#stopping) throw new SessionNotActiveError('the process is about to stop');
    const actor = new SessionActor(id, this.#deps);
    this.#held.set(id, { id, actor, active: true, child: undefined, pending: undefined });
    if (!this.#complete) this.#createdMeanwhile.add(id);
    return actor;
  }

  /** Restores all that is stored. Resolves when the last session is active; erasures go on behind it. */
  async restoreAll(): Promise<void> {
    while (!this.#complete && !this.#stopping) {
      try {
        await this.#restoreStored();
        // One that is told to stop has not looked at all of them.
        this.#complete = !this.#stopping;
        this.#createdMeanwhile.clear();
      } catch (error) {
        this.#options.log.error({ err: error }, 'the sessions could not be read from the store yet');
        await this.#pause();
      }
    }
    if (this.#complete) void this.#eraseRemains();
  }

  /** Has what a restored session waits to do done now. */
  startNow(session: SupervisedSession): void {
    const { pending } = session;
    session.pending = undefined;
    if (pending === undefined || this.#held.get(session.id) !== session) return;
    for (const effect of pending) this.childOf(session).perform(effect);
  }

  /** The session's link, made now where there is none. */
  childOf(session: SupervisedSession): TelegramChild {
    session.child ??= this.#createChild(session.id, (fact) => this.#report(session, fact));
    return session.child;
  }

  /** Lets running records end, then closes every link. */
  async stop(): Promise<void> {
    this.#stopping = true;
    this.#starts.stop();
    this.#erasures.stop();
    const sessions = [...this.#held.values()];
    await Promise.all(sessions.map(async ({ actor }) => await actor?.idle()));
    for (const { actor } of sessions) actor?.stop();
    await Promise.all(sessions.map(async ({ child }) => await child?.close()));
  }

  async #restoreStored(): Promise<void> {
    let restoring: Promise<void>[] = [];
    for await (const last of this.#options.store.lastOfEach(sessionPrefix)) {
      const id = sessionIdOf(last.stream);
      if (this.#stopping) return;
      if (this.#held.has(id) || this.#createdMeanwhile.has(id)) continue;
      const session: SupervisedSession = { id, actor: undefined, active: false, child: undefined, pending: undefined };
      if (this.#load(session, last)) restoring.push(this.#resume(session));
      if (restoring.length < restoredAtOnce) continue;
      await Promise.all(restoring);
      restoring = [];
    }
    await Promise.all(restoring);
  }

  /** Gives a stored session its actor; false where there is nothing to go on with. */
  #load(session: SupervisedSession, last: RecordedEvent): boolean {
    const event = sessionCodec.decode(last);
    if (isUnreadable(event)) this.#options.reportUnreadable(event);
    else if (event.metadata.to === 'deleted') return false;
    else session.actor = new SessionActor(session.id, this.#deps, restore(event));
    this.#held.set(session.id, session);
    return session.actor !== undefined;
  }

  async #resume(session: SupervisedSession): Promise<void> {
    const { actor } = session;
    try {
      await actor?.resume();
      if (session.actor === actor) session.active = true;
    } catch (error) {
      // It has been stopped, or fenced: then it is reloaded.
      this.#options.log.warn({ session: session.id, err: error }, 'a session could not be resumed');
    }
  }

  /** Somebody else has written: what the store says counts, and the link begins anew with it. */
  async #reload(fenced: SessionActor): Promise<void> {
    const session = this.#held.get(fenced.id);
    if (session?.actor !== fenced) return;
    session.actor = undefined;
    session.active = false;
    session.pending = undefined;
    await session.child?.close();
    session.child = undefined;
    const last = await this.#lastOf(session.id);
    if (this.#stopping) return;
    if (last !== undefined && this.#load(session, last)) await this.#resume(session);
    else this.#erase(session, 0);
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

  #perform(actor: SessionActor, effects: readonly Effect[], repeated: boolean): void {
    const session = this.#held.get(actor.id);
    if (session === undefined || this.#stopping) return;
    session.pending = undefined;
    if (actor.state === 'deleted') {
      this.#erase(session, actor.login);
    } else if (repeated) {
      session.pending = effects;
      this.#starts.add(session);
    } else {
      const child = this.childOf(session);
      for (const effect of effects) child.perform(effect);
    }
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

  /** A link that is there logs out at once; one that must be made for it waits for its turn. */
  #erase(session: SupervisedSession, login: number): void {
    const logOut: Effect = { type: 'logOut', login };
    const told = session.child;
    told?.perform(logOut);
    this.#erasures.add({
      id: session.id,
      loggedOut: () => {
        if (told === undefined) this.childOf(session).perform(logOut);
        return this.childOf(session);
      },
      onErased: () => this.#held.delete(session.id),
    });
  }

  /** What was deleted, or never quite created, when an earlier process ended. */
  async #eraseRemains(): Promise<void> {
    try {
      for await (const id of this.#options.unfinishedErasures()) {
        if (this.#stopping) return;
        if (this.#held.has(id)) continue;
        const session: SupervisedSession = {
          id,
          actor: undefined,
          active: false,
          child: undefined,
          pending: undefined,
        };
        this.#erase(session, 0);
      }
    } catch (error) {
      this.#options.log.error({ err: error }, 'unfinished erasures could not be read; the next start finds them');
    }
  }

  /** A creation that was not recorded leaves a key behind that nobody will need. */
  discard(id: string): void {
    this.#erasures.add({ id, loggedOut: undefined, onErased: () => this.#held.delete(id) });
  }

  async #pause(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#options.clock.setTimeout(resolve, storeRetryMs);
    });
  }
}
