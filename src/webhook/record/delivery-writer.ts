import { isRetryable } from '../../../actors/kit/retryable.ts';
import type { Clock, TimerHandle } from '../../../actors/ports/clock.ts';
import { type EventStore, type NewEvent, WrongExpectedRevisionError } from '../../../actors/ports/event-store.ts';
import type { Log } from '../../../actors/ports/log.ts';
import { KeyDestroyedError } from '../../../actors/ports/sealer.ts';
import { RecordClosedError, RecordSupersededError } from '../../telegram/port/updates.ts';
import {
  type DeliveryEvent,
  type DeliveryMetadata,
  deliveryStream,
  type PlacedEvent,
} from '../stream/delivery-events.ts';

/** After a store has gone away: how soon to try again. */
const firstRetryMs = 250;
const longestRetryMs = 30_000;

export interface DeliveryWriterDeps {
  store: Pick<EventStore, 'append' | 'last' | 'read'>;
  clock: Clock;
  log: Log;
  /** For what is retried. */
  retryLog: Log;
  /** Told of what has been recorded of a session, in order. */
  onRecorded?: (sessionId: string, events: readonly PlacedEvent[]) => void;
}

/** Whether nothing more can be appended, whatever it is: another writer has, or the record or the session is at its end. */
export const isEndOfRecord = (error: unknown): boolean =>
  error instanceof RecordSupersededError || error instanceof RecordClosedError || error instanceof KeyDestroyedError;

/** The last event of a delivery stream. */
interface End {
  /** -1 where there is no event yet. */
  revision: number;
  metadata: DeliveryMetadata | undefined;
}

/** The one writer of a session's delivery stream: patient with a store that is away, and sure of its end. */
export class DeliveryWriter {
  readonly #setting: DeliveryWriterDeps;
  readonly #sessionId: string;
  #end: End | undefined;
  #closed = false;
  #wake: (() => void) | undefined;

  constructor(setting: DeliveryWriterDeps, sessionId: string) {
    this.#setting = setting;
    this.#sessionId = sessionId;
  }

  /** What is recorded last, or undefined where nothing is. @throws {RecordClosedError} */
  async last(): Promise<DeliveryMetadata | undefined> {
    return (await this.#known()).metadata;
  }

  /**
   * Appends them all or none, however long the store is away.
   * @throws {RecordSupersededError} another writer has appended: {@link last} says what. {@link RecordClosedError}, and what
   * the store throws for events that it takes in no case.
   */
  async append(events: readonly DeliveryEvent[]): Promise<void> {
    const { revision: before } = await this.#known();
    const stream = deliveryStream(this.#sessionId);
    const last = events.at(-1);
    if (last === undefined) return;
    await this.patiently(async () => {
      try {
        // Interfaces have no index signature, but all of this is JSON.
        const json = events as unknown as readonly NewEvent[];
        const { revision } = await this.#setting.store.append(stream, before < 0 ? 'no-stream' : before, json);
        this.#reached(revision, last, events);
      } catch (error) {
        if (!(error instanceof WrongExpectedRevisionError)) throw error;
        await this.#resolveConflict(last, events, error);
      }
    });
  }

  /** Retries for as long as a retry can help. @throws {RecordClosedError} and what `act` throws for another reason. */
  async patiently<T>(act: () => Promise<T>): Promise<T> {
    for (let delayMs = firstRetryMs; ; delayMs = Math.min(2 * delayMs, longestRetryMs)) {
      if (this.#closed) throw new RecordClosedError(`${deliveryStream(this.#sessionId)} is closed`);
      try {
        return await act();
      } catch (error) {
        if (!isRetryable(error)) throw error;
        this.#setting.retryLog.warn({ session: this.#sessionId, err: error }, 'updates could not be recorded yet');
      }
      await this.#pause(delayMs);
    }
  }

  /** Ends waits; what is being tried is not tried again. */
  close(): void {
    this.#closed = true;
    this.#wake?.();
  }

  async #known(): Promise<End> {
    this.#end ??= await this.patiently(async () => {
      const last = await this.#setting.store.last(deliveryStream(this.#sessionId));
      return { revision: last?.revision ?? -1, metadata: last?.metadata as unknown as DeliveryMetadata | undefined };
    });
    return this.#end;
  }

  /** An earlier try may be what stands in the way, where a store does not know its own events again. */
  async #resolveConflict(
    ours: DeliveryEvent,
    events: readonly DeliveryEvent[],
    error: WrongExpectedRevisionError,
  ): Promise<void> {
    const found = await this.#setting.store.last(deliveryStream(this.#sessionId));
    if (found?.id === ours.id) {
      this.#reached(found.revision, ours, events);
      return;
    }
    this.#end = undefined;
    throw new RecordSupersededError('somebody else has recorded updates of the session', { cause: error });
  }

  #reached(revision: number, { metadata }: DeliveryEvent, events: readonly DeliveryEvent[]): void {
    this.#end = { revision, metadata };
    const first = revision - events.length + 1;
    this.#setting.onRecorded?.(
      this.#sessionId,
      events.map((event, index) => ({ ...event, revision: first + index })),
    );
  }

  async #pause(delayMs: number): Promise<void> {
    if (this.#closed) return;
    let timer: TimerHandle | undefined;
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
      timer = this.#setting.clock.setTimeout(resolve, delayMs);
    });
    this.#wake = undefined;
    if (timer !== undefined) this.#setting.clock.clearTimeout(timer);
  }
}
