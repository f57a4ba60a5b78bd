import type { Clock, TimerHandle } from '../ports/clock.ts';
import {
  type Appended,
  type EventStore,
  StoreUnavailableError,
  WrongExpectedRevisionError,
} from '../ports/event-store.ts';
import type { SessionEvent } from '../session/transition-event.ts';

/** Waits between the tries of one append. A caller waits for all of them before being told that the store is away. */
const retryDelaysMs = [50, 150, 400, 1000];

export interface Written {
  event: SessionEvent;
  revision: number;
  position: bigint;
}

/**
 * The end of one session's stream, as its only writer knows it. An append that was given up leaves a doubt, for it may
 * have been recorded all the same: nothing more is written until {@link settle} has read which.
 */
export class SingleWriter {
  readonly stream: string;
  #store: EventStore;
  #clock: Clock;
  /** -1 where the stream has no event yet. */
  #revision: number;
  #doubtful: SessionEvent | undefined;
  #pause: { timer: TimerHandle; giveUp: (reason: Error) => void } | undefined;
  #closed = false;

  constructor(store: EventStore, clock: Clock, stream: string, revision: number) {
    this.#store = store;
    this.#clock = clock;
    this.stream = stream;
    this.#revision = revision;
  }

  get inDoubt(): boolean {
    return this.#doubtful !== undefined;
  }

  /**
   * Appends the event, with the same ID however often it has to be tried.
   * @throws {WrongExpectedRevisionError} somebody else writes here.
   * @throws {StoreUnavailableError} given up; the outcome is in doubt.
   */
  async write(event: SessionEvent): Promise<Written> {
    this.#doubtful = event;
    let appended: Appended;
    try {
      appended = await this.#store.append(this.stream, this.#expected(), [event]);
    } catch (error) {
      appended = await this.#tryAgain(event, 0, error);
    }
    return this.#found(event, appended);
  }

  /** Reads whether the append that was given up has been recorded: it is returned if so. */
  async settle(): Promise<Written | undefined> {
    const event = this.#doubtful;
    if (event === undefined) return undefined;
    const last = await this.#store.last(this.stream);
    if (last?.id === event.id) return this.#found(event, last);
    this.#doubtful = undefined;
    const actual = last?.revision ?? -1;
    if (actual !== this.#revision) throw new WrongExpectedRevisionError(this.stream, this.#expected(), actual);
    return undefined;
  }

  /** Gives up a wait between two tries. */
  close(): void {
    this.#closed = true;
    if (this.#pause === undefined) return;
    this.#clock.clearTimeout(this.#pause.timer);
    this.#pause.giveUp(new StoreUnavailableError(`${this.stream} is closed`));
  }

  async #tryAgain(event: SessionEvent, tries: number, error: unknown): Promise<Appended> {
    if (error instanceof WrongExpectedRevisionError) return await this.#recordedBefore(event, tries, error);
    const delayMs = retryDelaysMs[tries];
    if (!(error instanceof StoreUnavailableError) || delayMs === undefined || this.#closed) throw error;
    await this.#wait(delayMs);
    try {
      return await this.#store.append(this.stream, this.#expected(), [event]);
    } catch (next) {
      return await this.#tryAgain(event, tries + 1, next);
    }
  }

  /** An earlier try may be what stands in the way, where a store does not know its own events again. */
  async #recordedBefore(event: SessionEvent, tries: number, error: WrongExpectedRevisionError): Promise<Appended> {
    const last = tries > 0 ? await this.#store.last(this.stream) : undefined;
    if (last?.id === event.id) return last;
    this.#doubtful = undefined;
    throw error;
  }

  #found(event: SessionEvent, { revision, position }: Appended): Written {
    this.#doubtful = undefined;
    this.#revision = revision;
    return { event, revision, position };
  }

  #expected(): number | 'no-stream' {
    return this.#revision < 0 ? 'no-stream' : this.#revision;
  }

  async #wait(delayMs: number): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#pause = { timer: this.#clock.setTimeout(resolve, delayMs), giveUp: reject };
    });
    this.#pause = undefined;
  }
}
