import type { Randomness } from '../../../actors/ports/clock.ts';
import {
  type EventStore,
  type NewEvent,
  type RecordedEvent,
  StoreUnavailableError,
  WrongExpectedRevisionError,
} from '../../../actors/ports/event-store.ts';
import { CommandError } from '../../errors/command-error.ts';

/** One append carries no more. */
const eventsPerAppend = 500;
/** A server that does not answer is waited for a few seconds each time, by the store itself. */
const tries = 5;

export interface OrderedAppenderOptions {
  store: EventStore;
  /** Last revision of each stream that is there already; kept up to date. */
  lasts: Map<string, number>;
  /** Appends under way together, of different streams: the stores commit them in the order of the calls. */
  appendsAtOnce: number;
  randomness: Pick<Randomness, 'uuid'>;
}

/** Puts events where they were in another store: same stream, same revision, same order of all. */
export class OrderedAppender {
  readonly #options: OrderedAppenderOptions;
  /** Events of one stream, one after the other, that have not been appended yet. */
  #run: { stream: string; events: NewEvent[] } = { stream: '', events: [] };
  /** By stream: the next append of one waits for the one before, and everything behind it waits with it. */
  #underWay = new Map<string, Promise<void>>();
  /** Nothing is appended behind what could not be: there would be a hole in the order. */
  #failure: { error: unknown } | undefined;

  constructor(options: OrderedAppenderOptions) {
    this.#options = options;
  }

  /** Of each stream in the order of its revisions. Where some have been removed before it, the numbering is kept. */
  async add({ stream, revision, id, type, data, metadata }: RecordedEvent): Promise<void> {
    if (this.#run.stream !== stream) await this.#startRun(stream);
    const { lasts } = this.#options;
    while ((lasts.get(stream) ?? -1) + this.#run.events.length < revision - 1) await this.#push(this.#placeholder());
    await this.#push({ id, type, data, metadata });
  }

  /** Resolves when all of it is durable. */
  async flush(): Promise<void> {
    await this.#startRun('');
    await this.#settle();
  }

  /** Stands for an event that was removed: nothing else moves a stream's numbering on. It is removed, too, at the end. */
  #placeholder(): NewEvent {
    return { id: this.#options.randomness.uuid(), type: 'Removed', data: {}, metadata: {} };
  }

  async #push(event: NewEvent): Promise<void> {
    this.#run.events.push(event);
    if (this.#run.events.length >= eventsPerAppend) await this.#startRun(this.#run.stream);
  }

  async #startRun(stream: string): Promise<void> {
    const { stream: before, events } = this.#run;
    this.#run = { stream, events: [] };
    if (events.length > 0) {
      await this.#underWay.get(before);
      while (this.#underWay.size >= this.#options.appendsAtOnce) await this.#underWay.values().next().value;
      if (this.#failure === undefined) this.#send(before, events);
    }
    if (this.#failure !== undefined) await this.#settle();
  }

  #send(stream: string, events: NewEvent[]): void {
    const appending = this.#append(stream, events)
      .catch((error: unknown) => {
        this.#failure ??= { error };
      })
      .finally(() => this.#underWay.delete(stream));
    this.#underWay.set(stream, appending);
  }

  /** All have ended before the first failure is told: nothing goes on behind the caller's back. */
  async #settle(): Promise<void> {
    await Promise.all(this.#underWay.values());
    if (this.#failure !== undefined) throw this.#failure.error;
  }

  /** A store that is busy for a moment does not end hours of work. The same events again are recorded once. */
  async #patiently<T>(append: () => Promise<T>): Promise<T> {
    for (let left = tries - 1; ; left -= 1) {
      try {
        return await append();
      } catch (error) {
        if (left === 0 || !(error instanceof StoreUnavailableError)) throw error;
      }
    }
  }

  async #append(stream: string, events: NewEvent[]): Promise<void> {
    const { store, lasts } = this.#options;
    const last = lasts.get(stream);
    const wanted = (last ?? -1) + events.length;
    lasts.set(stream, wanted);
    try {
      const { revision } = await this.#patiently(() => store.append(stream, last ?? 'no-stream', events));
      if (revision !== wanted) {
        throw new CommandError(`${stream} has been in the target before, and was deleted: take an empty database`);
      }
    } catch (error) {
      if (!(error instanceof WrongExpectedRevisionError)) throw error;
      throw new CommandError(`somebody else writes to ${stream} of the target`, { cause: error });
    }
  }
}
