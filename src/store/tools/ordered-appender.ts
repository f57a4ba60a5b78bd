import type { Randomness } from '../../../actors/ports/clock.ts';
import {
  type EventStore,
  type NewEvent,
  type RecordedEvent,
  StoreUnavailableError,
  WrongExpectedRevisionError,
} from '../../../actors/ports/event-store.ts';
import { CommandError } from '../../errors/command-error.ts';

const maxEventsPerAppend = 500;
/** The store itself waits a few seconds for the server in each of them. */
const maxAttempts = 5;

export interface OrderedAppenderOptions {
  store: EventStore;
  /** Last revision of each stream in the target; kept up to date. */
  lasts: Map<string, number>;
  /** Appends in flight, of different streams: the stores commit them in the order of the calls. */
  appendsAtOnce: number;
  randomness: Pick<Randomness, 'uuid'>;
}

/** Writes events of another store with the same streams, revisions and overall order. */
export class OrderedAppender {
  readonly #options: OrderedAppenderOptions;
  /** Consecutive events of one stream that have not been appended yet. */
  #run: { stream: string; events: NewEvent[] } = { stream: '', events: [] };
  /** By stream. An append waits for the one before in its stream, and later appends wait with it. */
  #inFlight = new Map<string, Promise<void>>();
  /** After it nothing is appended: the order would have a gap. */
  #failure: { error: unknown } | undefined;

  constructor(options: OrderedAppenderOptions) {
    this.#options = options;
  }

  /** Takes each stream in the order of its revisions. Removed revisions before the event are filled up. */
  async add({ stream, revision, id, type, data, metadata }: RecordedEvent): Promise<void> {
    if (this.#run.stream !== stream) await this.#startRun(stream);
    const { lasts } = this.#options;
    while ((lasts.get(stream) ?? -1) + this.#run.events.length < revision - 1) await this.#push(this.#placeholder());
    await this.#push({ id, type, data, metadata });
  }

  /** Resolves when all events are durable. */
  async flush(): Promise<void> {
    await this.#startRun('');
    await this.#settle();
  }

  /** Stands for a removed event, to keep the revisions. It is truncated at the end of the copy. */
  #placeholder(): NewEvent {
    return { id: this.#options.randomness.uuid(), type: 'Removed', data: {}, metadata: {} };
  }

  async #push(event: NewEvent): Promise<void> {
    this.#run.events.push(event);
    if (this.#run.events.length >= maxEventsPerAppend) await this.#startRun(this.#run.stream);
  }

  async #startRun(stream: string): Promise<void> {
    const { stream: before, events } = this.#run;
    this.#run = { stream, events: [] };
    if (events.length > 0) {
      await this.#inFlight.get(before);
      while (this.#inFlight.size >= this.#options.appendsAtOnce) await this.#inFlight.values().next().value;
      if (this.#failure === undefined) this.#send(before, events);
    }
    if (this.#failure !== undefined) await this.#settle();
  }

  #send(stream: string, events: NewEvent[]): void {
    const appending = this.#append(stream, events)
      .catch((error: unknown) => {
        this.#failure ??= { error };
      })
      .finally(() => this.#inFlight.delete(stream));
    this.#inFlight.set(stream, appending);
  }

  /** Throws the first failure after all appends have ended. */
  async #settle(): Promise<void> {
    await Promise.all(this.#inFlight.values());
    if (this.#failure !== undefined) throw this.#failure.error;
  }

  /** A short outage must not end hours of copying. The store records repeated events once. */
  async #retried<T>(append: () => Promise<T>): Promise<T> {
    for (let left = maxAttempts - 1; ; left -= 1) {
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
      const { revision } = await this.#retried(() => store.append(stream, last ?? 'no-stream', events));
      if (revision !== wanted) {
        throw new CommandError(`${stream} has been in the target before, and was deleted: take an empty database`);
      }
    } catch (error) {
      if (!(error instanceof WrongExpectedRevisionError)) throw error;
      throw new CommandError(`another program writes to ${stream} of the target`, { cause: error });
    }
  }
}
