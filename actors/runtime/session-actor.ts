import { storeAway } from '../kit/retry-policy.ts';
import { RetryTimer } from '../kit/retry-timer.ts';
import { SingleWriter, type Written } from '../kit/single-writer.ts';
import type { Clock, Randomness } from '../ports/clock.ts';
import { type EventStore, StoreUnavailableError, WrongExpectedRevisionError } from '../ports/event-store.ts';
import type { Log } from '../ports/log.ts';
import { nextDeadline } from '../session/deadlines.ts';
import { type Deadline, type Effect, type SessionFact, type SessionState, sessionStream } from '../session/events.ts';
import { type Committed, unfinishedEffects } from '../session/restore.ts';
import { initialStep, nextStep } from '../session/transition.ts';
import { type SessionEvent, sessionEvent, transitionMetadata } from '../session/transition-event.ts';
import { DeadlineTimer } from './deadline-timer.ts';

/** Called when a fact is sent to a session; what it returns has the work on it done when its turn has come. */
export type TraceFact = (sessionId: string) => (<T>(work: () => Promise<T>) => Promise<T>) | undefined;

/** What all actors share. */
export interface SessionActorDeps {
  store: EventStore;
  clock: Clock;
  random: Randomness;
  /** Name of this process, recorded with every event. */
  node: string;
  log: Log;
  /** Has the effects done. They are recorded; `repeated` where an earlier process may have done them already. */
  perform(actor: SessionActor, effects: readonly Effect[], repeated: boolean): void;
  /** Somebody else writes to the stream: the actor has stopped, for good. */
  onFenced(actor: SessionActor): void;
  /** The first event of a new session has not been recorded and will not be. */
  onNeverRecorded(actor: SessionActor): void;
  watch?: TraceFact | undefined;
}

/**
 * The fact, or how to make it for the event with this ID, when its turn has come: nothing else is recorded meanwhile. It
 * may be asked again, with another ID. Undefined: there is nothing to be recorded.
 */
export type FactSource = SessionFact | ((eventId: string) => Promise<SessionFact | undefined>);

export interface RecordOptions {
  /** A truth that nobody will tell again: it waits, however long the store is away. Default: false. */
  patient?: boolean;
  /** The request that brings it, for the log. */
  reqId?: string | undefined;
}

export interface RecordOutcome {
  /** Of the session's last event. */
  position: bigint;
  /** False where the fact changed nothing. */
  recorded: boolean;
}

interface Job {
  source: FactSource;
  patient: boolean;
  /** The deadline that this is the end of. */
  deadline: Deadline | undefined;
  watched: ReturnType<TraceFact>;
  reqId: string | undefined;
  resolve: (outcome: RecordOutcome) => void;
  reject: (reason: unknown) => void;
}

/**
 * One session: takes one fact after the other, asks the chart, records the step, and only then shows the new state, arms
 * its deadline and has its effects done. What cannot be recorded has not happened.
 */
export class SessionActor {
  readonly id: string;
  readonly #deps: SessionActorDeps;
  readonly #writer: SingleWriter<SessionEvent>;
  #committed: Committed | undefined;
  #mailbox: Job[] = [];
  #working: Promise<void> | undefined;
  readonly #timer: DeadlineTimer;
  readonly #retry: RetryTimer;
  /** Whose append was given up last. */
  #doubtful: Job | undefined;
  #stopped = false;

  /** Without `committed` it is a new session, whose first fact is `SessionCreated`. */
  constructor(id: string, deps: SessionActorDeps, committed?: Committed) {
    this.id = id;
    this.#deps = deps;
    this.#committed = committed;
    this.#timer = new DeadlineTimer(deps.clock, (deadline) => void this.#expire(deadline).catch(() => {}));
    this.#retry = new RetryTimer(deps, storeAway, () => this.#work());
    this.#writer = new SingleWriter(deps, { stream: sessionStream(id), revision: committed?.revision ?? -1 });
  }

  /** As recorded; undefined as long as nothing is. */
  get state(): SessionState | undefined {
    return this.#committed?.metadata.to;
  }

  /** Number of the current login attempt; 0 before the first. */
  get login(): number {
    return this.#committed?.metadata.context.login ?? 0;
  }

  /** Of the last event recorded. */
  get position(): bigint {
    return this.#committed?.position ?? 0n;
  }

  /** Whether an append was given up, and nobody knows yet what became of it. */
  get inDoubt(): boolean {
    return this.#writer.inDoubt;
  }

  /**
   * Resolves when the fact is recorded, or was found to change nothing.
   * @throws {StoreUnavailableError} it was not recorded, as far as anybody knows; not thrown to the patient.
   * @throws {ActorStoppedError} the actor has stopped.
   */
  send(source: FactSource, options: RecordOptions = {}): Promise<RecordOutcome> {
    return this.#enqueue(source, options, undefined);
  }

  /**
   * Takes a restored session up again (SE7): deadlines go on, or fire if they are past; what the last process may not
   * have done is done again. One that was logged in counts as disconnected from now.
   */
  async resume(): Promise<void> {
    const metadata = this.#committed?.metadata;
    if (metadata === undefined) return;
    if (metadata.to === 'connected' || metadata.to === 'disconnected') {
      await this.send({ type: 'GatewayRestarted' }, { patient: true });
      return;
    }
    const next = nextDeadline(metadata.deadlines);
    if (next !== undefined && next.dueAt <= this.#deps.clock.now()) {
      await this.#expire(next);
      return;
    }
    this.#arm();
    this.#deps.perform(this, unfinishedEffects(metadata), true);
  }

  /** Resolves when nothing is being recorded. (Facts may wait for a store that is away.) */
  async idle(): Promise<void> {
    while (this.#working !== undefined) await this.#working;
  }

  /** Ends it: no timer and no wait is left, whoever waits is turned away, and nothing more becomes visible. */
  stop(): void {
    if (this.#stopped) return;
    this.#stopped = true;
    this.#writer.close();
    this.#timer.clear();
    this.#retry.reset();
    for (const job of this.#mailbox.splice(0)) job.reject(new ActorStoppedError(`the actor of ${this.id} has stopped`));
  }

  #enqueue(
    source: FactSource,
    { patient = false, reqId }: RecordOptions,
    deadline: Deadline | undefined,
  ): Promise<RecordOutcome> {
    if (this.#stopped) return Promise.reject(new ActorStoppedError(`the actor of ${this.id} has stopped`));
    return new Promise((resolve, reject) => {
      const watched = this.#deps.watch?.(this.id);
      this.#mailbox.push({ source, patient, deadline, watched, reqId, resolve, reject });
      this.#work();
    });
  }

  #work(): void {
    if (this.#working !== undefined || this.#stopped) return;
    if (this.#mailbox.length > 0 || this.#writer.inDoubt) this.#working = this.#workOff();
  }

  async #workOff(): Promise<void> {
    try {
      while (!this.#stopped && (this.#mailbox.length > 0 || this.#writer.inDoubt)) {
        if (!(await this.#turn())) return;
      }
    } finally {
      this.#working = undefined;
    }
  }

  /** Does what is next; false where there is no going on for now. */
  async #turn(): Promise<boolean> {
    const settling = this.#writer.inDoubt;
    const job = this.#mailbox[0];
    try {
      if (settling) await this.#settle();
      else if (job !== undefined) this.#answer(job, await this.#attend(job));
      this.#retry.reset();
      return true;
    } catch (error) {
      if (this.#stopped) return false;
      if (error instanceof WrongExpectedRevisionError) return this.#fence(error);
      if (settling || error instanceof StoreUnavailableError) return this.#turnAway(error);
      this.#deps.log.error({ session: this.id, err: error }, 'a fact could not be recorded');
      if (job !== undefined) this.#mailbox.shift()?.reject(error);
      return true;
    }
  }

  #attend(job: Job): Promise<RecordOutcome> {
    return job.watched === undefined ? this.#takeStep(job) : job.watched(() => this.#takeStep(job));
  }

  async #takeStep(job: Job): Promise<RecordOutcome> {
    const { source, deadline } = job;
    if (this.state === 'deleted' || (deadline !== undefined && !this.#isOver(deadline))) return this.#unchanged();
    const eventId = this.#deps.random.uuid();
    const fact = typeof source === 'function' ? await source(eventId) : source;
    if (fact === undefined) return this.#unchanged();
    const before = this.#committed?.metadata;
    const step = before === undefined ? initialStep() : nextStep(before.to, before.context, fact);
    if (step === undefined || this.#stopped) return this.#unchanged();
    const metadata = transitionMetadata(before, fact, step, { at: this.#deps.clock.now(), by: this.#deps.node });
    this.#doubtful = job;
    this.#commit(await this.#writer.write([sessionEvent(eventId, fact, metadata)]), job);
    return { position: this.position, recorded: true };
  }

  /** Finds out what became of an append that was given up. If it was recorded after all, it has happened. */
  async #settle(): Promise<void> {
    const written = await this.#writer.settle();
    if (this.#stopped) return;
    const job = this.#doubtful;
    this.#doubtful = undefined;
    if (written !== undefined) {
      this.#deps.log.warn({ session: this.id, type: written.events[0]?.type }, 'what was given up had been recorded');
      this.#commit(written, job);
      // The impatient have gone with an error; this one is still first in the mailbox.
      if (job !== undefined && job === this.#mailbox[0]) {
        this.#answer(job, { position: this.position, recorded: true });
      }
    } else if (this.#committed === undefined && this.#mailbox.length === 0) {
      this.stop();
      this.#deps.onNeverRecorded(this);
    }
  }

  #answer(job: Job, outcome: RecordOutcome): void {
    if (this.#mailbox[0] === job) this.#mailbox.shift();
    job.resolve(outcome);
  }

  /** Durable from here on: only now does anybody see it. */
  #commit({ events: [event], revision, position }: Written<SessionEvent>, job: Job | undefined): void {
    if (this.#stopped || event === undefined) return;
    this.#doubtful = undefined;
    this.#committed = { id: event.id, revision, position, metadata: event.metadata };
    const { from, to, reason, effects } = event.metadata;
    // A state that begins anew is entered too: a fresh QR, say.
    if (from !== to || effects.length > 0) {
      const { reqId } = job ?? {};
      this.#deps.log.info({ reqId, session: this.id, fact: event.type, from, to, reason }, 'session changed');
    }
    this.#arm();
    if (effects.length > 0) {
      this.#deps.perform(this, effects, event.type === 'GatewayRestarted');
    }
  }

  #fence(error: WrongExpectedRevisionError): false {
    this.#deps.log.error({ session: this.id, err: error }, 'somebody else has written to this session');
    this.stop();
    this.#deps.onFenced(this);
    return false;
  }

  /** The store is away: the impatient are told so, the rest is tried again later. */
  #turnAway(error: unknown): false {
    const waiting = this.#mailbox;
    this.#mailbox = waiting.filter(({ patient }) => patient);
    for (const job of waiting) if (!job.patient) job.reject(error);
    if (this.#mailbox.length > 0 || this.#writer.inDoubt) this.#retry.arm();
    return false;
  }

  #unchanged(): RecordOutcome {
    return { position: this.position, recorded: false };
  }

  /** Arms the deadline of the state that is committed. */
  #arm(): void {
    this.#timer.arm(this.#committed?.metadata.deadlines ?? []);
  }

  #expire(deadline: Deadline): Promise<RecordOutcome> {
    return this.#enqueue({ type: deadline.fact }, { patient: true }, deadline);
  }

  /** Whether the deadline still stands and has passed: a timer may be early where the wall clock was set back (SE7). */
  #isOver(deadline: Deadline): boolean {
    const stands = this.#committed?.metadata.deadlines.some(
      ({ fact, dueAt }) => fact === deadline.fact && dueAt === deadline.dueAt,
    );
    if (stands !== true) return false;
    if (deadline.dueAt <= this.#deps.clock.now()) return true;
    this.#arm();
    return false;
  }
}

/** The actor has ended, or has been ended by another writer: ask again, it may be restored by then. */
export class ActorStoppedError extends Error {
  override name = 'ActorStoppedError';
}
