import { isRetryable } from '../../../actors/kit/retryable.ts';
import type { Clock, Randomness } from '../../../actors/ports/clock.ts';
import { isUnreadable, type ReportUnreadable } from '../../../actors/ports/event-codec.ts';
import { type EventStore, type RecordedEvent, WrongExpectedRevisionError } from '../../../actors/ports/event-store.ts';
import type { Log } from '../../../actors/ports/log.ts';
import { type LeaseEventContent, leaseCodec, leaseStream } from './lease-codec.ts';
import { type LeaseTimes, nextRenewalAt } from './lease-times.ts';

type LeaseEventType = LeaseEventContent['type'];

/** The last event of a lease's stream, as this process knows it. */
export interface LeaseEnd {
  /** -1: there is no event. */
  revision: number;
  /** The holder of the partition; without a name if that cannot be read. Undefined: it was released, or never taken. */
  holder: { name: string | undefined; lifeMs: number } | undefined;
  /** When this process saw it, by the clock's `elapsed()`. */
  seenAt: number;
}

/** An append whose event may still be recorded. */
interface Attempt {
  type: LeaseEventType;
  expected: number;
  /** Before the append, by the clock's `elapsed()`. */
  startedAt: number;
  /** The same by its `now()`. */
  startedNow: number;
}

/** This process holds the lease. */
interface Held {
  /** Revision of `LeaseTaken`. */
  epoch: number;
  /** Until when it may act, by the clock's `elapsed()`. */
  until: number;
  /** The same by its `now()`: `elapsed()` stands still while the whole machine is suspended. */
  untilNow: number;
  /** A part of the gateway found that the lease is over, and may have dropped its work: the lease stays over. */
  wasOver: boolean;
}

export interface LeaseDeps {
  store: Pick<EventStore, 'append' | 'last' | 'truncate'>;
  clock: Pick<Clock, 'now' | 'elapsed'>;
  random: Pick<Randomness, 'uuid'>;
  log: Pick<Log, 'error'>;
  reportUnreadable: ReportUnreadable;
  times: LeaseTimes;
  /** Name of this process's node. */
  self: string;
  /** The lease was taken, lost or released, here or elsewhere, or an append has failed. A renewal in time is no change. */
  onChange: () => void;
  /** @param ms how long the append took */
  onRenewed: (ms: number) => void;
}

/** After this many appends, the events before the last one are removed. */
const appendsPerTruncation = 128;
/** An append in doubt may stand in the way of a release; more than one is rare. */
const releaseTries = 3;

/**
 * The lease of one partition, as this process sees and holds it. Each append expects the end of the stream that it has
 * seen, so that two nodes never both append after the same event. What became of an append is read off the stream: an
 * event with an ID of this process is its own, whenever and however it became known, and counts from before its append.
 */
export class Lease {
  readonly partition: number;
  readonly #deps: LeaseDeps;
  readonly #stream: string;
  readonly #attempts = new Map<string, Attempt>();
  #end: LeaseEnd | undefined;
  #held: Held | undefined;
  #work: Promise<unknown> | undefined;
  #nextTryAt = -Infinity;
  #appends = 0;
  #wasReadable = true;

  constructor(deps: LeaseDeps, partition: number) {
    this.#deps = deps;
    this.partition = partition;
    this.#stream = leaseStream(partition);
  }

  /** Whether this process may act at this instant. */
  get isOwned(): boolean {
    const { clock } = this.#deps;
    const held = this.#held;
    if (held === undefined || held.wasOver) return false;
    held.wasOver = clock.elapsed() >= held.until || clock.now() >= held.untilNow;
    if (held.wasOver) this.#deps.onChange();
    return !held.wasOver;
  }

  /** Revision of `LeaseTaken`; undefined unless this process holds the lease. */
  get epoch(): number | undefined {
    return this.#held?.epoch;
  }

  /** Undefined until it was read. */
  get end(): LeaseEnd | undefined {
    return this.#end;
  }

  /** Whether an append is under way. */
  get isBusy(): boolean {
    return this.#work !== undefined;
  }

  /** When this process may take the lease, by the clock's `elapsed()`. */
  get freeAt(): number {
    if (this.#end === undefined || this.#held !== undefined) return Infinity;
    const { holder, seenAt } = this.#end;
    // A lease that this process held and has lost is held by no node.
    if (holder === undefined || holder.name === this.#deps.self) return Math.max(seenAt, this.#nextTryAt);
    return Math.max(seenAt + Math.max(holder.lifeMs, this.#deps.times.lifeMs), this.#nextTryAt);
  }

  /** The node that holds the lease, unless its time is over. This process is not meant. */
  get otherHolder(): string | undefined {
    const { holder, seenAt = 0 } = this.#end ?? {};
    if (holder === undefined || holder.name === this.#deps.self) return undefined;
    return this.#deps.clock.elapsed() < seenAt + holder.lifeMs ? holder.name : undefined;
  }

  /** When {@link keep} has something to do, by the clock's `elapsed()`: also if a renewal that is under way goes well. */
  get keepAt(): number {
    if (this.#held === undefined) return Infinity;
    const { times, clock } = this.#deps;
    return Math.min(this.#held.until, this.isBusy ? nextRenewalAt(times, clock.elapsed()) : this.#nextTryAt);
  }

  /** Drops a lease whose time is over, and renews one whose time has come. */
  keep(): void {
    if (this.#held === undefined) return;
    const now = this.#deps.clock.elapsed();
    if (!this.isOwned) this.#held = undefined;
    else if (!this.isBusy && now >= this.#nextTryAt) void this.#write('LeaseRenewed');
  }

  /** Tries to take the lease. It is taken if {@link epoch} is defined later. */
  take(): void {
    if (!this.isBusy && this.#held === undefined) void this.#write('LeaseTaken');
  }

  /**
   * Gives the lease up: from the call on, this process does not hold it. One that was lost is released too, unless another node
   * has it: a renewal of it may become known late. Resolves when that is recorded, or when the store does not answer: then it
   * ends by itself. Calls may overlap.
   */
  async release(): Promise<void> {
    this.#held = undefined;
    for (let tries = 0; tries < releaseTries; tries += 1) {
      while (this.isBusy) await this.#work;
      if (!this.#isLastHolder) return;
      const isAnswered = await this.#write('LeaseReleased');
      if (!isAnswered) return;
    }
  }

  /** Reads the end of the stream. @throws {StoreUnavailableError} */
  async read(): Promise<void> {
    const last = await this.#deps.store.last(this.#stream);
    if (last !== undefined) this.see(last);
    else if (this.#end?.revision !== -1) this.#seeNothing();
  }

  /** The holder told which event is the last. */
  hear(revision: number, holder: { name: string; lifeMs: number }): void {
    if (this.#end !== undefined && revision > this.#end.revision) this.#seeEnd({ id: '', revision }, holder);
  }

  /** Resolves when no append is under way. */
  async idle(): Promise<void> {
    await this.#work;
  }

  /** An event of the stream became known. */
  see(recorded: RecordedEvent): void {
    if (this.#end !== undefined && recorded.revision <= this.#end.revision) return;
    const event = leaseCodec.decode(recorded);
    if (isUnreadable(event)) {
      // A node may renew the lease again and again: it is reported once.
      if (this.#wasReadable) this.#deps.reportUnreadable(event);
      this.#wasReadable = false;
      this.#seeEnd(recorded, { name: undefined, lifeMs: this.#deps.times.lifeMs });
      return;
    }
    this.#wasReadable = true;
    const { node } = event.data;
    const isHeld = event.type !== 'LeaseReleased';
    this.#seeEnd(recorded, isHeld ? { name: node, lifeMs: event.data.lifeMs } : undefined);
  }

  #seeEnd({ id, revision }: Pick<RecordedEvent, 'id' | 'revision'>, holder: LeaseEnd['holder']): void {
    const before = this.#standing;
    const own = this.#attempts.get(id);
    this.#end = { revision, holder, seenAt: this.#deps.clock.elapsed() };
    for (const [attempt, { expected }] of this.#attempts) if (expected < revision) this.#attempts.delete(attempt);
    // If its time was over, the lease is lost, even if a renewal was under way.
    if (own === undefined || own.type === 'LeaseReleased' || !this.isOwned) this.#held = undefined;
    if (own?.type === 'LeaseTaken') this.#held = { epoch: revision, wasOver: false, ...this.#limitsOf(own) };
    else if (own !== undefined && this.#held !== undefined) Object.assign(this.#held, this.#limitsOf(own));
    if (!this.isOwned) this.#held = undefined;
    // A released lease is taken again after a step if no other node takes it: a release must not delay the next try.
    if (own !== undefined && own.type !== 'LeaseReleased')
      this.#nextTryAt = nextRenewalAt(this.#deps.times, own.startedAt);
    if (this.#standing !== before) this.#deps.onChange();
  }

  #limitsOf({ startedAt, startedNow }: Attempt): Pick<Held, 'until' | 'untilNow'> {
    const { actMs } = this.#deps.times;
    return { until: startedAt + actMs, untilNow: startedNow + actMs };
  }

  /** Somebody erased the stream: what it said is gone, and its next event has any revision. */
  #seeNothing(): void {
    this.#end = { revision: -1, holder: undefined, seenAt: this.#deps.clock.elapsed() };
    this.#held = undefined;
    this.#attempts.clear();
    this.#deps.onChange();
  }

  get #isLastHolder(): boolean {
    return this.#end?.holder?.name === this.#deps.self;
  }

  /** What others wait for: who may act, and who may take the lease when nothing more is heard of it. */
  get #standing(): string {
    const isFree = this.#end !== undefined && this.#end.holder === undefined;
    return `${this.epoch} ${this.isOwned} ${this.otherHolder} ${isFree}`;
  }

  /** @returns as {@link #append} */
  #write(type: LeaseEventType): Promise<boolean> {
    const before = this.#standing;
    const writing = this.#append(type).finally(() => {
      this.#work = undefined;
      const isRenewed = type === 'LeaseRenewed' && this.#attempts.size === 0 && this.#standing === before;
      // One that took so long is followed by the next at once: what it has gained is nearly over.
      const isNextDue = this.#deps.clock.elapsed() >= this.#nextTryAt;
      if (!isRenewed || isNextDue) this.#deps.onChange();
    });
    this.#work = writing;
    return writing;
  }

  /** @returns false if the store did not answer: the event may or may not be recorded, now or later */
  async #append(type: LeaseEventType): Promise<boolean> {
    const { store, clock, random, self, times, onRenewed } = this.#deps;
    const startedAt = clock.elapsed();
    const expected = this.#end?.revision ?? -1;
    const holder = { name: self, lifeMs: times.lifeMs };
    const data = type === 'LeaseReleased' ? { node: self } : { node: self, lifeMs: times.lifeMs };
    const event = { id: random.uuid(), type, data, metadata: leaseCodec.stamp({ at: clock.now() }) };
    this.#attempts.set(event.id, { type, expected, startedAt, startedNow: clock.now() });
    // Replaced when the event is known to be recorded.
    this.#nextTryAt = startedAt + times.stepMs;
    try {
      const { revision } = await store.append(this.#stream, expected < 0 ? 'no-stream' : expected, [event]);
      if (type === 'LeaseRenewed') onRenewed(clock.elapsed() - startedAt);
      if (revision > (this.#end?.revision ?? -1)) {
        this.#seeEnd({ id: event.id, revision }, type === 'LeaseReleased' ? undefined : holder);
      }
      this.#truncate(revision);
      return true;
    } catch (error) {
      return await this.#settle(error);
    }
  }

  /** What became of an append stands in the stream. If nothing does, it may still be recorded later. */
  async #settle(error: unknown): Promise<boolean> {
    if (!(error instanceof WrongExpectedRevisionError) && !isRetryable(error)) this.#report(error);
    try {
      await this.read();
      return true;
    } catch (failure) {
      if (!isRetryable(failure)) this.#report(failure);
      return false;
    }
  }

  #report(err: unknown): void {
    this.#deps.log.error({ where: 'store', stream: this.#stream, err }, 'a lease could not be written');
  }

  /** Not waited for: a renewal is more urgent. */
  #truncate(before: number): void {
    this.#appends += 1;
    if (this.#appends % appendsPerTruncation > 0) return;
    void this.#deps.store.truncate(this.#stream, before).catch(() => {
      // The next truncation removes them.
    });
  }
}
