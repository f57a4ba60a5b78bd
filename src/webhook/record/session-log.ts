import type { EventStore, RecordedEvent, Subscription } from '../../../actors/ports/event-store.ts';
import { sessionPrefix } from '../../../actors/session/events.ts';
import type { RecordedSessionEvent } from '../../../actors/session/session-codec.ts';
import type { ProjectionRunner } from '../../../projections/projection-runner.ts';

/** Events in memory that the views have handed over and that were not taken. With more, the store is read again. */
const maxWaiting = 500;

/** Resolves when the next event may come. */
export type TakeSessionEvent = (
  recorded: RecordedEvent,
  /** Undefined if it was not decoded yet, or cannot be. */
  event: RecordedSessionEvent | undefined,
) => Promise<void> | undefined;

export interface SessionLogOptions {
  store: Pick<EventStore, 'subscribeAll'>;
  views: Pick<ProjectionRunner, 'onShown'>;
  /** Position of the store, exclusive. */
  after: bigint;
  onEvent: TakeSessionEvent;
  /** The handler threw: nothing follows any more. */
  onError: (error: unknown) => void;
}

interface Shown {
  recorded: RecordedEvent;
  event: RecordedSessionEvent | undefined;
}

/**
 * Hands over the events of all sessions, in the order of the log, each once. What was recorded earlier is read from the store.
 * From then on the views hand over what they have read and decoded: the log is not read twice.
 */
export function followSessionLog(options: SessionLogOptions): Subscription {
  return new SessionLog(options);
}

class SessionLog implements Subscription {
  readonly #options: SessionLogOptions;
  readonly #forget: () => void;
  /** Position of the last event that was handed over. */
  #upTo: bigint;
  /** Position of the last event that the views have shown since the begin. */
  #shownUpTo = 0n;
  /** Undefined: the views hand over. */
  #reading: Subscription | undefined;
  #hasCaughtUp = false;
  #waiting: Shown[] = [];
  /** The handler's promise, and what waits behind it. */
  #working: Promise<void> | undefined;
  #hasEnded = false;

  constructor(options: SessionLogOptions) {
    this.#options = options;
    this.#upTo = options.after;
    // Before the read begins: an event that the views have not shown by then is either in it or shown later.
    this.#forget = options.views.onShown((recorded, event) => this.#show({ recorded, event }));
    this.#read();
  }

  async stop(): Promise<void> {
    this.#hasEnded = true;
    this.#forget();
    this.#waiting = [];
    await Promise.all([this.#reading?.stop(), this.#working]);
  }

  #read(): void {
    this.#waiting = [];
    this.#hasCaughtUp = false;
    const reading = this.#options.store.subscribeAll({
      after: this.#upTo,
      prefixes: [sessionPrefix],
      onEvent: async (recorded) => {
        // What the views have handed over may still be in work.
        await this.#working;
        if (this.#reading !== reading) return;
        const handled = this.#handOver({ recorded, event: undefined });
        this.#endReading();
        await handled;
      },
      onCaughtUp: () => {
        if (this.#reading !== reading) return;
        this.#hasCaughtUp = true;
        this.#endReading();
      },
      onError: (error) => this.#fail(error),
    });
    this.#reading = reading;
  }

  /**
   * The views continue where the read has come to: at the first event that they have handed over meanwhile, or at their own
   * place if they have handed over none.
   */
  #endReading(): void {
    if (this.#reading === undefined || !this.#hasCaughtUp) return;
    const next = this.#waiting[0]?.recorded.position ?? this.#shownUpTo;
    if (next > this.#upTo) return;
    // Its handler may be what calls this.
    void this.#reading.stop();
    this.#reading = undefined;
    this.#waiting = this.#waiting.filter(({ recorded }) => recorded.position > this.#upTo);
    if (this.#working === undefined) this.#workOff();
  }

  #show(shown: Shown): void {
    this.#shownUpTo = shown.recorded.position;
    if (this.#hasEnded || shown.recorded.position <= this.#upTo) return;
    if (this.#reading !== undefined) this.#keep(shown);
    else if (this.#working === undefined) void this.#handOver(shown);
    else if (this.#waiting.push(shown) > maxWaiting) this.#read();
  }

  /** For the moment when the read reaches it. It is left to the read if that is far behind. */
  #keep(shown: Shown): void {
    if (!this.#hasCaughtUp) return;
    if (this.#waiting.push(shown) > maxWaiting) this.#waiting = [];
  }

  /** Resolves when the next event may come. */
  #handOver({ recorded, event }: Shown): Promise<void> | undefined {
    if (this.#hasEnded) return undefined;
    this.#upTo = recorded.position;
    try {
      this.#working = this.#options.onEvent(recorded, event)?.then(
        () => this.#workOff(),
        (error: unknown) => this.#fail(error),
      );
    } catch (error) {
      this.#fail(error);
    }
    return this.#working;
  }

  #workOff(): void {
    this.#working = undefined;
    while (this.#working === undefined && this.#waiting.length > 0) void this.#handOver(this.#waiting.shift() as Shown);
  }

  #fail(error: unknown): void {
    if (this.#hasEnded) return;
    void this.stop();
    this.#options.onError(error);
  }
}
