import { storeAway } from '../kit/retry-policy.ts';
import { RetryTimer } from '../kit/retry-timer.ts';
import { SingleWriter, type Written } from '../kit/single-writer.ts';
import { StoreUnavailableError, WrongExpectedRevisionError } from '../ports/event-store.ts';
import { mustOwn } from '../ports/ownership.ts';
import type { Sealed } from '../ports/sealer.ts';
import { nextDeadline } from '../session/deadlines.ts';
import { type Deadline, type SessionFact, type SessionState, sessionStream } from '../session/events.ts';
import { type Committed, unfinishedEffects } from '../session/restore.ts';
import { effectsOfAll, type SessionEvent, sessionEvents } from '../session/transition-event.ts';
import { ActorStoppedError } from './actor-stopped-error.ts';
import { DeadlineTimer } from './deadline-timer.ts';
import type { FactSource, Job, RecordOptions, RecordOutcome } from './mailbox-job.ts';
import type { SessionActorDeps } from './session-actor-deps.ts';

/**
 * One session. It takes one fact after the other, asks the chart for the step, records it, and only then publishes the
 * new state, arms its deadline and runs its effects. What cannot be recorded has not happened.
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
  /** The job whose append was given up last. */
  #doubtful: Job | undefined;
  #stopped = false;
  /** The highest revision that was seen in the stream. */
  #noticed = -1;

  /** Without `committed` the session is new, and its first fact is `SessionCreated`. */
  constructor(id: string, deps: SessionActorDeps, committed?: Committed) {
    this.id = id;
    this.#deps = deps;
    this.#committed = committed;
    this.#timer = new DeadlineTimer(deps.clock, (deadline) => void this.#expire(deadline).catch(() => {}));
    this.#retry = new RetryTimer(deps, storeAway, () => this.#work());
    this.#writer = new SingleWriter(deps, { stream: sessionStream(id), revision: committed?.revision ?? -1 });
  }

  /** The recorded state; undefined before the first event. */
  get state(): SessionState | undefined {
    return this.#committed?.metadata.to;
  }

  /** Number of the current login attempt; 0 before the first. */
  get login(): number {
    return this.#committed?.metadata.context.login ?? 0;
  }

  /** The URL of its proxy; undefined if it has none. */
  get proxy(): Sealed | undefined {
    return this.#committed?.metadata.proxy;
  }

  /** Revision of the last recorded event, -1 before the first. {@link position} is its place in the whole log, or 0. */
  get revision(): number {
    return this.#committed?.revision ?? -1;
  }

  get position(): bigint {
    return this.#committed?.position ?? 0n;
  }

  /** Whether an append was given up and its outcome is not known yet. */
  get inDoubt(): boolean {
    return this.#writer.inDoubt;
  }

  /**
   * Resolves when the fact is recorded, or changes nothing.
   * @throws {StoreUnavailableError} the outcome is unknown; never thrown for `patient` facts.
   * @throws {ActorStoppedError} the actor has stopped.
   */
  send(source: FactSource, options: RecordOptions = {}): Promise<RecordOutcome> {
    return this.#enqueue(source, options, undefined);
  }

  /**
   * Takes over a restored session (SE7, CL2). The chart says in which states a restart, or another owner, is a fact that
   * changes them; in the others deadlines continue, or pass if they are due, and effects that the last process may not have
   * run are run again.
   */
  async resume(): Promise<void> {
    const before = this.#committed?.metadata;
    if (before === undefined) return;
    const { ownership } = this.#deps;
    const epoch = ownership.epochOf(this.id);
    // Among several processes, no epoch means that the lease has just ended: an event without an epoch would stop no other owner.
    if (epoch === undefined) mustOwn(ownership, this.id);
    const fact: SessionFact = epoch === undefined ? { type: 'GatewayRestarted' } : { type: 'OwnerChanged', epoch };
    const { recorded } = await this.send(fact, { patient: true, paced: true });
    const metadata = this.#committed?.metadata ?? before;
    // The owner of a state that goes on is only noted.
    const isNoted = epoch !== undefined && metadata.from === metadata.to && metadata.effects.length === 0;
    if (recorded ? !isNoted : metadata !== before) return;
    const next = nextDeadline(metadata.deadlines);
    if (next !== undefined && next.dueAt <= this.#deps.clock.now()) {
      await this.#expire(next);
      return;
    }
    this.#arm();
    this.#deps.perform(this, unfinishedEffects(before, this.#deps.lifecycle), true);
  }

  /**
   * The stream has an event of this revision. If this actor has not written it when its work is done, another writer
   * has, or it is an append that was given up and settled too early.
   */
  noticed(revision: number): void {
    this.#noticed = Math.max(this.#noticed, revision);
    if (this.#working === undefined) this.#compare();
  }

  /** Resolves when no append is in flight. Patient facts may still wait for a store that is away. */
  async idle(): Promise<void> {
    while (this.#working !== undefined) await this.#working;
  }

  /** Stops the actor: cancels its timers, rejects what waits, and publishes nothing more. */
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
    { patient = false, paced = false, reqId, author = 'gateway' }: RecordOptions,
    deadline: Deadline | undefined,
  ): Promise<RecordOutcome> {
    if (this.#stopped) return Promise.reject(new ActorStoppedError(`the actor of ${this.id} has stopped`));
    return new Promise((resolve, reject) => {
      const watched = this.#deps.watch?.(this.id);
      this.#mailbox.push({ source, patient, paced, deadline, watched, reqId, author, resolve, reject });
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
      this.#compare();
    }
  }

  /** An append in doubt is compared when it is settled. */
  #compare(): void {
    if (this.#stopped || this.#noticed <= this.revision || this.#writer.inDoubt) return;
    this.#fence(new WrongExpectedRevisionError(sessionStream(this.id), this.revision, this.#noticed));
  }

  /** Processes one job, or settles a doubtful append. Returns false if the mailbox must pause. */
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
      this.#deps.log.error({ where: 'sessions', session: this.id, err: error }, 'a fact could not be recorded');
      if (job !== undefined) this.#mailbox.shift()?.reject(error);
      return true;
    }
  }

  #attend(job: Job): Promise<RecordOutcome> {
    return job.watched === undefined ? this.#takeStep(job) : job.watched(() => this.#takeStep(job));
  }

  async #takeStep(job: Job): Promise<RecordOutcome> {
    const { source, deadline, author } = job;
    if (deadline !== undefined && !this.#isOver(deadline)) return this.#unchanged();
    // Of a deleted session nothing can be sealed any more.
    if (this.#isFinal() && typeof source === 'function') return this.#unchanged();
    const eventId = this.#deps.random.uuid();
    const given = typeof source === 'function' ? await source(eventId) : source;
    const { clock, node: by, random, lifecycle } = this.#deps;
    const ids = { first: eventId, next: () => random.uuid() };
    const events = sessionEvents(lifecycle, this.#committed?.metadata, given, ids, { at: clock.now(), by, author });
    if (events.length === 0 || this.#stopped) return this.#unchanged();
    this.#doubtful = job;
    this.#commit(await this.#writer.write(events), job);
    return { position: this.position, recorded: true };
  }

  /** Reads whether an append that was given up was recorded after all. If so, it has happened. */
  async #settle(): Promise<void> {
    const written = await this.#writer.settle();
    if (this.#stopped) return;
    const job = this.#doubtful;
    this.#doubtful = undefined;
    if (written !== undefined) {
      this.#deps.log.warn(
        { session: this.id, type: written.events[0]?.type },
        'an append that was given up had been recorded',
      );
      this.#commit(written, job);
      // Impatient jobs were rejected; a patient one is still first in the mailbox.
      if (job !== undefined && job === this.#mailbox[0]) {
        this.#answer(job, { position: this.position, recorded: true });
      }
    } else if (this.#committed === undefined) {
      this.stop();
      this.#deps.onNeverRecorded(this);
    }
  }

  #answer(job: Job, outcome: RecordOutcome): void {
    if (this.#mailbox[0] === job) this.#mailbox.shift();
    job.resolve(outcome);
  }

  /** The event is durable: publishes the state, arms its deadline and runs its effects. */
  #commit({ events, revision, position }: Written<SessionEvent>, job: Job | undefined): void {
    const event = events.at(-1);
    if (this.#stopped || event === undefined) return;
    this.#doubtful = undefined;
    const hasOtherProxy = this.#committed !== undefined && this.proxy !== event.metadata.proxy;
    this.#committed = { id: event.id, revision, position, metadata: event.metadata };
    const { from, to, reason } = event.metadata;
    const effects = effectsOfAll(events);
    const { reqId, paced = false } = job ?? {};
    // A state that is entered again runs its effects again: a new QR, for example.
    if (from !== to || effects.length > 0) {
      this.#deps.log.info({ reqId, session: this.id, fact: event.type, from, to, reason }, 'session changed');
    }
    this.#arm();
    if (hasOtherProxy) this.#deps.onProxySet(this);
    if (effects.length > 0) this.#deps.perform(this, effects, paced);
  }

  #fence(error: WrongExpectedRevisionError): false {
    // Among several nodes, the view that a session is taken from may lag behind its former owner.
    const level = this.#deps.ownership.epochOf(this.id) === undefined ? 'error' : 'info';
    this.#deps.log[level]({ where: 'sessions', session: this.id, err: error }, 'another writer has appended to it');
    this.stop();
    this.#deps.onFenced(this);
    return false;
  }

  /** The store is away: rejects impatient jobs and retries the others later. */
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

  #isFinal(): boolean {
    return this.state !== undefined && this.#deps.lifecycle.isFinal(this.state);
  }

  /** Arms the deadlines of the recorded state. */
  #arm(): void {
    this.#timer.arm(this.#committed?.metadata.deadlines ?? []);
  }

  #expire(deadline: Deadline): Promise<RecordOutcome> {
    return this.#enqueue({ type: deadline.fact }, { patient: true }, deadline);
  }

  /** Whether the deadline still stands and has passed: a timer fires early if the wall clock was set back (SE7). */
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
