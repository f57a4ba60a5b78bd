import { LightAbort } from '../../../actors/kit/light-abort.ts';
import { type OnRetry, type RetryDeps, retry } from '../../../actors/kit/retry.ts';
import { storeAway } from '../../../actors/kit/retry-policy.ts';
import { SingleWriter } from '../../../actors/kit/single-writer.ts';
import type { ReportUnreadable } from '../../../actors/ports/event-codec.ts';
import { type EventStore, WrongExpectedRevisionError } from '../../../actors/ports/event-store.ts';
import type { Log } from '../../../actors/ports/log.ts';
import { mustOwn, type Ownership, soleOwner } from '../../../actors/ports/ownership.ts';
import { RecordClosedError, RecordSupersededError } from '../../telegram/port/updates.ts';
import {
  type DeliveryEvent,
  type DeliveryMetadata,
  deliveryStream,
  type PlacedEvent,
} from '../stream/delivery-events.ts';
import { endOfDeliveries } from '../stream/read-deliveries.ts';

export interface DeliveryWriterDeps extends RetryDeps {
  store: Pick<EventStore, 'append' | 'last' | 'read'>;
  /** Default: the process is alone. */
  ownership?: Pick<Ownership, 'owns'> | undefined;
  reportUnreadable: ReportUnreadable;
  /** For what is retried. */
  retryLog: Log;
  /** Called with the recorded events of a session, in order. */
  onRecorded?: (sessionId: string, events: readonly PlacedEvent[]) => void;
}

/** The end of a delivery stream. */
interface End {
  writer: SingleWriter<DeliveryEvent>;
  /** Metadata of the last readable event, with the highest number; undefined if there is none. */
  metadata: DeliveryMetadata | undefined;
}

/** The one writer of a session's delivery stream. It retries for as long as the store is away. */
export class DeliveryWriter {
  readonly #deps: DeliveryWriterDeps;
  readonly #sessionId: string;
  readonly #closing = new LightAbort();
  /** Undefined: it has to be read. */
  #end: End | undefined;

  constructor(deps: DeliveryWriterDeps, sessionId: string) {
    this.#deps = deps;
    this.#sessionId = sessionId;
  }

  /** The last recorded event; undefined if there is none. @throws {RecordClosedError} */
  async last(): Promise<DeliveryMetadata | undefined> {
    return (await this.#known()).metadata;
  }

  /**
   * Appends all events or none; retries while the store is away.
   * @throws {RecordSupersededError} another writer has appended: {@link last} reads it. {@link RecordClosedError}, and the
   * store's error for events that it never accepts.
   */
  async append(events: readonly DeliveryEvent[]): Promise<void> {
    const last = events.at(-1);
    if (last === undefined) return;
    const { writer } = await this.#known();
    // The end that was read may be that of another owner.
    await this.patiently(async () => mustOwn(this.#deps.ownership ?? soleOwner, this.#sessionId));
    this.#end = undefined;
    const revision = await this.#write(writer, events);
    this.#end = { writer, metadata: last.metadata };
    const first = revision - events.length + 1;
    this.#deps.onRecorded?.(
      this.#sessionId,
      events.map((event, index) => ({ ...event, revision: first + index })),
    );
  }

  /** The end of the stream is read again: something else has appended. */
  forgetEnd(): void {
    this.#end = undefined;
  }

  /** Retries retryable errors. @throws {RecordClosedError} and other errors of the work. */
  patiently<T>(work: () => Promise<T>): Promise<T> {
    return retry(this.#deps, storeAway, work, this.#closing, this.#logRetry);
  }

  /** Ends waits. An append in flight is not retried. */
  close(): void {
    const reason = new RecordClosedError(`${deliveryStream(this.#sessionId)} is closed`);
    this.#closing.abort(reason);
  }

  async #known(): Promise<End> {
    this.#end ??= await this.patiently(async () => {
      const end = await endOfDeliveries(this.#deps, this.#sessionId);
      const stream = deliveryStream(this.#sessionId);
      const options = { stream, revision: end?.revision ?? -1, policy: storeAway, onRetry: this.#logRetry };
      const writer = new SingleWriter<DeliveryEvent>(this.#deps, options);
      return { writer, metadata: end?.last && { ...end.last.metadata, seq: end.seq } };
    });
    return this.#end;
  }

  /** @returns the revision of the last of them */
  async #write(writer: SingleWriter<DeliveryEvent>, events: readonly DeliveryEvent[]): Promise<number> {
    const close = (): void => writer.close(this.#closing.reason);
    this.#closing.throwIfAborted();
    this.#closing.addEventListener('abort', close);
    try {
      return (await writer.write(events)).revision;
    } catch (error) {
      if (!(error instanceof WrongExpectedRevisionError)) throw error;
      throw new RecordSupersededError('another writer has recorded updates of the session', { cause: error });
    } finally {
      this.#closing.removeEventListener('abort', close);
    }
  }

  readonly #logRetry: OnRetry = (err) => {
    this.#deps.retryLog.warn({ session: this.#sessionId, err }, 'updates could not be recorded yet');
  };
}
