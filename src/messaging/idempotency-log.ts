import { SingleWriter, type SingleWriterDeps } from '../../actors/kit/single-writer.ts';
import { isUnreadable, type ReportUnreadable, UnreadableEventError } from '../../actors/ports/event-codec.ts';
import type { EventStore, Json, NewEvent } from '../../actors/ports/event-store.ts';
import { addSendEvent, type KeyedSend } from './keyed-send.ts';
import { sendCodec } from './send-codec.ts';
import { keptMs, type SendAnswered, type SendBegun, sendStream } from './send-events.ts';

/** Minimum interval of truncations of the stream. */
const trimEveryMs = 60 * 60_000;

export interface IdempotencyLogDeps extends SingleWriterDeps {
  store: Pick<EventStore, 'append' | 'last' | 'read' | 'truncate'>;
  reportUnreadable: ReportUnreadable;
}

/**
 * The keyed sends of one session: its stream, in memory. One call at a time. After a failed append the end of the stream is
 * unknown, and it has to be read again.
 */
export class IdempotencyLog {
  readonly #store: Pick<EventStore, 'truncate'>;
  readonly #writer: SingleWriter<NewEvent>;
  /** By key, the oldest first. */
  readonly #sends: Map<string, KeyedSend>;

  private constructor(
    store: Pick<EventStore, 'truncate'>,
    writer: SingleWriter<NewEvent>,
    sends: Map<string, KeyedSend>,
  ) {
    this.#store = store;
    this.#writer = writer;
    this.#sends = sends;
  }

  /**
   * An event that cannot be read may be about a key of the last 24 hours. An older one is passed over.
   * @param now milliseconds since 1970
   * @throws {UnreadableEventError} {@link StoreUnavailableError}
   */
  static async read(deps: IdempotencyLogDeps, sessionId: string, now: number): Promise<IdempotencyLog> {
    const { store, reportUnreadable } = deps;
    const stream = sendStream(sessionId);
    const sends = new Map<string, KeyedSend>();
    let revision = -1;
    for await (const recorded of store.read(stream)) {
      const event = sendCodec.decode(recorded);
      if (!isUnreadable(event)) addSendEvent(sends, event);
      else {
        reportUnreadable(event);
        if (isKept({ at: recorded.created }, now)) throw new UnreadableEventError(event);
      }
      ({ revision } = recorded);
    }
    return new IdempotencyLog(store, new SingleWriter(deps, { stream, revision }), sends);
  }

  /** Number of sends in memory. */
  get size(): number {
    return this.#sends.size;
  }

  /** The send that the key was used for, unless it is too old at this time. */
  get(key: string, now: number): KeyedSend | undefined {
    const send = this.#sends.get(key);
    return send !== undefined && isKept(send, now) ? send : undefined;
  }

  /** @throws {WrongExpectedRevisionError} {@link StoreUnavailableError} */
  async begin(eventId: string, { key, body, randomId, at, ...origin }: SendBegun): Promise<KeyedSend> {
    const revision = await this.#append(eventId, 'SendBegun', { key, body, randomId, at, ...origin });
    const send = { key, body, randomId, at, revision };
    this.#sends.delete(key);
    this.#sends.set(key, send);
    await this.#trim(at);
    return send;
  }

  /** @throws {WrongExpectedRevisionError} {@link StoreUnavailableError} */
  async answer(eventId: string, { key, answer }: SendAnswered): Promise<void> {
    await this.#append(eventId, 'SendAnswered', { key, answer });
    const send = this.#sends.get(key);
    if (send !== undefined) send.answer = answer;
  }

  async #append(id: string, type: string, data: { [name: string]: Json }): Promise<number> {
    const event = { id, type, data, metadata: sendCodec.stamp({}) };
    const { revision } = await this.#writer.write([event]);
    return revision;
  }

  /** Removes sends that are too old, from memory and from the store. */
  async #trim(now: number): Promise<void> {
    const [oldest] = this.#sends.values();
    if (oldest === undefined || isKept(oldest, now - trimEveryMs)) return;
    for (const send of this.#sends.values()) {
      if (isKept(send, now)) {
        await this.#store.truncate(this.#writer.stream, send.revision).catch(() => {
          // It is removed with the next one, or with the session.
        });
        return;
      }
      this.#sends.delete(send.key);
    }
  }
}

const isKept = ({ at }: Pick<KeyedSend, 'at'>, now: number): boolean => at + keptMs > now;
