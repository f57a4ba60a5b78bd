import type { RetryDeps } from '../../../actors/kit/retry.ts';
import { SingleWriter } from '../../../actors/kit/single-writer.ts';
import type { Randomness } from '../../../actors/ports/clock.ts';
import { isUnreadable, type ReportUnreadable, UnreadableEventError } from '../../../actors/ports/event-codec.ts';
import { type EventStore, type NewEvent, WrongExpectedRevisionError } from '../../../actors/ports/event-store.ts';
import { GatewayError } from '../../errors/gateway-error.ts';
import { limitCodec } from './limit-codec.ts';
import { limitStream, type SendsCounted } from './limit-events.ts';

const dayMs = 24 * 60 * 60_000;
/** Every so many appends the events before are removed. */
const appendsPerTruncation = 64;

export interface DayCounterDeps extends RetryDeps {
  store: Pick<EventStore, 'append' | 'last' | 'truncate'>;
  random: Randomness;
  reportUnreadable: ReportUnreadable;
}

/** What a limit leaves of a day. */
export interface DayAllowance {
  limit: number;
  /** Messages that may still be sent. */
  left: number;
  /** Seconds until the next day, in UTC. */
  resetSeconds: number;
}

/** 429: the limit is reached. */
export class DayLimitError extends GatewayError {
  readonly allowance: DayAllowance;

  constructor(allowance: DayAllowance) {
    super(429, `limit of ${allowance.limit} sends per day reached`, allowance.resetSeconds);
    this.allowance = allowance;
  }
}

/** Messages that are to be counted. */
interface Request {
  messages: number;
  /** Of the key, in a day. */
  limit: number;
  /** Messages of the day, with these, once they are counted. */
  total: number;
  resolve: (allowance: DayAllowance) => void;
  reject: (error: unknown) => void;
}

/** What is known of the stream's end. */
interface Known extends Omit<SendsCounted, 'day'> {
  day: string;
  writer: SingleWriter<NewEvent>;
}

/**
 * Counts the messages of one key by day, in UTC. A count is recorded before it is confirmed; those that come meanwhile are
 * recorded together. Of several nodes the second to append reads again, so that the count is exact.
 */
export class DayCounter {
  readonly #deps: DayCounterDeps;
  readonly #stream: string;
  #waiting: Request[] = [];
  #isRunning = false;
  #known: Known | undefined;
  #appends = 0;

  constructor(deps: DayCounterDeps, keyId: string) {
    this.#deps = deps;
    this.#stream = limitStream(keyId);
  }

  /** @throws {DayLimitError} the limit is reached. @throws {StoreUnavailableError} they may have been counted */
  take(messages: number, limit: number): Promise<DayAllowance> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ messages, limit, total: 0, resolve, reject });
      if (!this.#isRunning) void this.#run();
    });
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0);
      try {
        await this.#count(batch);
        const now = this.#deps.clock.now();
        for (const { limit, total, resolve } of batch) resolve(allowanceOf(limit, total, now));
      } catch (error) {
        this.#known = undefined;
        // Another node has counted meanwhile.
        if (error instanceof WrongExpectedRevisionError) this.#waiting.unshift(...batch);
        else for (const { reject } of batch) reject(error);
      }
    }
    this.#isRunning = false;
  }

  /** Takes those that the limit refuses out of the batch. */
  async #count(batch: Request[]): Promise<void> {
    const { clock, random } = this.#deps;
    const known = (this.#known ??= await this.#read());
    const now = clock.now();
    const today = new Date(now).toISOString().slice(0, 10);
    // A clock that was set back begins no new day.
    const day = today < known.day ? known.day : today;
    let total = day === known.day ? known.total : 0;
    const admitted = batch.filter((request) => {
      const { messages, limit, reject } = request;
      const fits = total + messages <= limit;
      if (fits) request.total = total += messages;
      else reject(new DayLimitError(allowanceOf(limit, total, now)));
      return fits;
    });
    batch.splice(0, batch.length, ...admitted);
    if (admitted.length === 0) return;
    const data: SendsCounted = { day, total };
    const metadata = limitCodec.stamp({ at: now });
    const written = await known.writer.write([
      { id: random.uuid(), type: 'SendsCounted', data: { ...data }, metadata },
    ]);
    this.#known = { ...known, day, total };
    this.#appends += 1;
    if (this.#appends % appendsPerTruncation === 0) await this.#truncate(written.revision);
  }

  async #read(): Promise<Known> {
    const { store, reportUnreadable } = this.#deps;
    const recorded = await store.last(this.#stream);
    const writer = new SingleWriter<NewEvent>(this.#deps, {
      stream: this.#stream,
      revision: recorded?.revision ?? -1,
    });
    if (recorded === undefined) return { day: '', total: 0, writer };
    const event = limitCodec.decode(recorded);
    if (isUnreadable(event)) {
      reportUnreadable(event);
      throw new UnreadableEventError(event);
    }
    return { ...event.data, writer };
  }

  async #truncate(before: number): Promise<void> {
    await this.#deps.store.truncate(this.#stream, before).catch(() => {
      // The next truncation removes them.
    });
  }
}

function allowanceOf(limit: number, total: number, now: number): DayAllowance {
  const untilTomorrowMs = dayMs - (now % dayMs);
  return { limit, left: Math.max(0, limit - total), resetSeconds: Math.ceil(untilTomorrowMs / 1_000) };
}
