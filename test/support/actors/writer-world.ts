import { LightAbort } from '../../../actors/kit/light-abort.ts';
import { retry } from '../../../actors/kit/retry.ts';
import { type RetryPolicy, storePoll } from '../../../actors/kit/retry-policy.ts';
import { SingleWriter, type Written } from '../../../actors/kit/single-writer.ts';
import { sleep } from '../../../actors/kit/sleep.ts';
import {
  type EventStore,
  type NewEvent,
  type RecordedEvent,
  StoreUnavailableError,
  WrongExpectedRevisionError,
} from '../../../actors/ports/event-store.ts';
import { createDrivenClock, createSeededRandomness } from '../kit/clock.ts';
import { Chance } from '../simulation/chance.ts';
import { createFaultyStore, type Fault } from '../store/faulty-store.ts';
import { layerOver } from '../store/layer-over.ts';
import { createMemoryStore } from '../store/memory-store.ts';

const stream = 'stream-1';
const items = 12;

/** What becomes of an append while the store is away: it comes too late, or only its answer is lost. */
const outages = [
  { kind: 'fails-before', weight: 85 },
  { kind: 'fails-after', weight: 8 },
  { kind: 'commits-late', weight: 7 },
] as const;

/** What becomes of an append while the store is there. */
const faults = [
  { kind: 'none', weight: 60 },
  { kind: 'fails-before', weight: 8 },
  { kind: 'fails-after', weight: 8 },
  { kind: 'slow-before', weight: 8 },
  { kind: 'slow-after', weight: 8 },
  { kind: 'commits-late', weight: 6 },
  { kind: 'conflict', weight: 2 },
] as const;

/** How often each thing happened that the rules are about: a run in which nothing went wrong would prove nothing. */
export type Happened = Map<string, number>;

interface ItemEvent extends NewEvent {
  data: { item: number };
}

/**
 * A caller that has a list of items to record, in order, each once, over a store with faults, with rivals that write to
 * the same stream, and with closes in the middle of an append. It does what every caller of {@link SingleWriter} has to
 * do: settle a doubt before the next write, and read the stream anew after a conflict.
 */
export class WriterWorld {
  readonly #clock = createDrivenClock({ turns: 1 });
  readonly #random;
  readonly #chance: Chance;
  readonly #policy: RetryPolicy;
  readonly #below: EventStore;
  readonly #faulty;
  readonly #store: EventStore;
  readonly #happened: Happened;
  readonly #acknowledged: { id: string; revision: number }[] = [];
  /** Called unrecorded by `settle`. */
  readonly #refuted: string[] = [];
  /** A store that is away answers nothing. */
  #isAway = false;
  #isCalm = false;
  #lateCommits = 0;
  #rivals = 0;

  constructor(seed: number, policy: RetryPolicy, happened: Happened) {
    this.#random = createSeededRandomness(seed, this.#clock);
    this.#chance = new Chance(this.#random);
    this.#policy = policy;
    this.#happened = happened;
    const memory = createMemoryStore(this.#clock);
    this.#below = this.#chance.percent(50) ? memory : forgetful(memory);
    this.#faulty = createFaultyStore(this.#below, () => this.#fault());
    this.#store = layerOver(this.#faulty, {
      last: async (name) => {
        if (this.#isAway) throw new StoreUnavailableError('away');
        return this.#faulty.last(name);
      },
    });
  }

  /** Records all items, then checks what stands in the stream. @throws an error that says which rule was broken */
  async run(): Promise<void> {
    const done = new LightAbort();
    const recording = this.#record().finally(() => done.abort(new Error('done')));
    recording.catch(() => {});
    for (let step = 0; !done.aborted; step += 1) {
      this.#isCalm = step > 200;
      if (this.#isCalm) this.#isAway = false;
      else if (this.#chance.percent(this.#isAway ? 10 : 5)) this.#isAway = !this.#isAway;
      if (!this.#isCalm && this.#chance.percent(1)) await this.#below.append(stream, 'any', [this.#rival()]);
      if (this.#isCalm || (!this.#isAway && this.#chance.percent(15)))
        this.#faulty.release(this.#isCalm ? 'all' : 'oldest');
      await this.#clock.advance(this.#isCalm ? 30_000 : this.#chance.between(1, 400));
      if (step > 1_000) throw new Error('it does not come to an end');
    }
    await recording;
    this.#faulty.release('all');
    await this.#clock.settle();
    await this.#check();
    for (const [kind, count] of Object.entries(this.#faulty.occurred)) this.#note(kind, count);
  }

  async #record(): Promise<void> {
    for (;;) {
      const { next, revision } = await this.#readStream();
      if (next >= items) return;
      const writer = new SingleWriter<ItemEvent>(
        { store: this.#store, clock: this.#clock, random: this.#random },
        { stream, revision, policy: this.#policy, onRetry: () => this.#note('retried') },
      );
      await this.#write(writer, next);
    }
  }

  /** With one writer, until all is recorded or the writer is of no more use. */
  async #write(writer: SingleWriter<ItemEvent>, from: number): Promise<void> {
    const isClosed = this.#closeSometime(writer);
    for (let next = from; next < items; ) {
      await sleep(this.#clock, this.#chance.between(0, 1_500));
      const batch = this.#events(next, Math.min(items, next + this.#chance.between(1, 3)));
      try {
        next += this.#acknowledge(await writer.write(batch));
      } catch (error) {
        if (error instanceof WrongExpectedRevisionError) return this.#noteConflict('conflict');
        if (isClosed()) return this.#note(writer.inDoubt ? 'closed in doubt' : 'closed');
        if (!(error instanceof StoreUnavailableError)) throw error;
        this.#note('given up');
        const settled = await this.#settle(writer);
        if (settled === 'conflict') return this.#noteConflict('conflict when settled');
        if (settled !== undefined) next += this.#acknowledge(settled);
        else this.#refuted.push(...batch.map(({ id }) => id));
        this.#note(settled === undefined ? 'settled: not recorded' : 'settled: recorded');
      }
    }
  }

  async #settle(writer: SingleWriter<ItemEvent>): Promise<Written<ItemEvent> | 'conflict' | undefined> {
    try {
      return await this.#patiently(() => writer.settle());
    } catch (error) {
      if (error instanceof WrongExpectedRevisionError) return 'conflict';
      throw error;
    }
  }

  /** What the next process, or the next writer, finds. */
  async #readStream(): Promise<{ next: number; revision: number }> {
    const last = await this.#patiently(() => this.#store.last(stream));
    const events = await this.#recorded(last?.revision ?? -1);
    return { next: itemsOf(events).length, revision: last?.revision ?? -1 };
  }

  #patiently<T>(work: () => Promise<T>): Promise<T> {
    return retry({ clock: this.#clock, random: this.#random }, storePoll, work, new LightAbort());
  }

  /** Closes the writer at a moment of its own in some of the cases; says whether it did. */
  #closeSometime(writer: SingleWriter<ItemEvent>): () => boolean {
    let isClosed = false;
    if (this.#chance.percent(50)) {
      this.#clock.setTimeout(
        () => {
          isClosed = true;
          writer.close(new Error('closed'));
        },
        this.#chance.between(0, 8_000),
      );
    }
    return () => isClosed;
  }

  #events(from: number, to: number): ItemEvent[] {
    return Array.from({ length: to - from }, (_, index) => ({
      id: this.#random.uuid(),
      type: 'Item',
      data: { item: from + index },
      metadata: {},
    }));
  }

  #rival(): NewEvent {
    this.#rivals += 1;
    return { id: this.#random.uuid(), type: 'Rival', data: {}, metadata: {} };
  }

  #acknowledge({ events, revision }: Written<ItemEvent>): number {
    const first = revision - events.length + 1;
    for (const [index, { id }] of events.entries()) this.#acknowledged.push({ id, revision: first + index });
    return events.length;
  }

  #fault(): Fault | undefined {
    if (this.#isCalm) return undefined;
    if (this.#isAway) return this.#count(this.#chance.weighted(outages));
    const { kind } = this.#chance.weighted(faults);
    if (kind === 'none') return undefined;
    return this.#count(kind === 'conflict' ? { kind, rival: this.#rival() } : { kind });
  }

  #count(fault: Fault): Fault {
    if (fault.kind === 'commits-late' || fault.kind === 'slow-before') this.#lateCommits += 1;
    return fault;
  }

  async #check(): Promise<void> {
    const events = await this.#recorded(Infinity);
    const recorded = itemsOf(events);
    if (recorded.some((item, index) => item !== index) || recorded.length !== items) {
      throw new Error(`recorded ${recorded.join(' ')}`);
    }
    for (const { id, revision } of this.#acknowledged) {
      if (events[revision]?.id !== id) throw new Error(`${id} was acknowledged at ${revision}, and is not there`);
    }
    const ids = new Set(events.map(({ id }) => id));
    if (ids.size !== events.length) throw new Error('an event stands there twice');
    // Only an append that reaches the store late can be recorded after a look that did not find it.
    const wrong = this.#refuted.filter((id) => ids.has(id));
    if (wrong.length > 0 && this.#lateCommits === 0) throw new Error(`${wrong[0]} was said not to be recorded`);
    if (wrong.length > 0) this.#note('recorded after it was settled');
  }

  async #recorded(upTo: number): Promise<RecordedEvent[]> {
    const events: RecordedEvent[] = [];
    for await (const event of this.#below.read(stream)) if (event.revision <= upTo) events.push(event);
    return events;
  }

  #noteConflict(what: string): void {
    if (this.#rivals + this.#lateCommits === 0) throw new Error('a conflict that has no cause');
    this.#note(what);
  }

  #note(what: string, count = 1): void {
    this.#happened.set(what, (this.#happened.get(what) ?? 0) + count);
  }
}

const itemsOf = (events: readonly RecordedEvent[]): number[] =>
  events.filter(({ type }) => type === 'Item').map(({ data }) => (data as { item: number }).item);

/** A store that does not know an append again: a repeated one is refused, like somebody else's. */
function forgetful(below: EventStore): EventStore {
  return layerOver(below, {
    append: async (name, expected, events) => {
      const last = await below.last(name);
      const actual = last?.revision ?? -1;
      if (expected !== 'any' && actual !== (expected === 'no-stream' ? -1 : expected)) {
        throw new WrongExpectedRevisionError(name, expected, actual);
      }
      return below.append(name, expected, events);
    },
  });
}
