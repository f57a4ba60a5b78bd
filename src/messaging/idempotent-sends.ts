import { LRUCache } from 'lru-cache';
import { KeyedQueue } from '../../actors/kit/keyed-queue.ts';
import type { Randomness } from '../../actors/ports/clock.ts';
import { UnreadableEventError } from '../../actors/ports/event-codec.ts';
import { type Json, StoreUnavailableError, WrongExpectedRevisionError } from '../../actors/ports/event-store.ts';
import { GatewayError } from '../errors/gateway-error.ts';
import type { BeginSend, SendMark } from '../telegram/port/outgoing.ts';
import { IdempotencyLog, type IdempotencyLogDeps } from './idempotency-log.ts';
import type { KeyedSend } from './keyed-send.ts';

/** @param begun by a former request, of which nobody knows whether anything came of it */
export type SendWithKey<Answer> = (begin: BeginSend, begun: SendMark | undefined) => Promise<Answer>;

export interface IdempotentSendsDeps extends Omit<IdempotencyLogDeps, 'random'> {
  randomness: Pick<Randomness, 'uuid' | 'fraction'>;
  /** See `Vault.fingerprint`. */
  fingerprint: (sessionId: string, text: string) => Promise<Buffer>;
  log: { warn(fields: object, message: string): void };
}

/** Kept in memory, over all sessions: some 300 bytes each. What is not at hand is read again. */
const mostSends = 100_000;
/** Somebody else writes to the stream: one reading shows what. */
const mostTries = 3;
const fingerprintBytes = 16;

interface RunningSend {
  body: string;
  answer: Promise<Json>;
}

/** Sends that bear an `Idempotency-Key`: the same key is one message, however often and on whichever start (MS7). */
export class IdempotentSends {
  readonly #options: IdempotentSendsDeps;
  /** By session. */
  readonly #books = new LRUCache<string, IdempotencyLog>({
    maxSize: mostSends,
    sizeCalculation: ({ size }) => size + 1,
  });
  /** Reading and writing a session's stream. */
  readonly #turns = new KeyedQueue();
  /** When the store was last found to be away, milliseconds since 1970, and the error. Cleared by a success. */
  #away: { foundAt: number; error: unknown } | undefined;
  /** By session and key. */
  readonly #running = new Map<string, RunningSend>();

  constructor(options: IdempotentSendsDeps) {
    this.#options = options;
  }

  /**
   * The answer to the first request with this key; it is waited for where it is under way. Otherwise what `send`
   * answers, which is kept for 24 hours. A send that fails may be tried again, under the same `random_id` if it had
   * begun, so that Telegram takes it once.
   * @param body what is sent and where to, as text: the same for a request that says the same
   * @throws {GatewayError} 400: the key was used with another body; 503: an event of the session's keyed sends cannot be read
   * (FA7.4). And what `send` throws.
   * @throws {KeyDestroyedError} {@link StoreUnavailableError}
   */
  async once<Answer extends Json>(
    sessionId: string,
    key: string,
    body: string,
    send: SendWithKey<Answer>,
  ): Promise<Answer> {
    const [ownKey, ownBody] = await Promise.all([
      this.#fingerprint(sessionId, `key ${key}`),
      this.#fingerprint(sessionId, `body ${body}`),
    ]);
    const name = `${sessionId} ${ownKey}`;
    const running = this.#running.get(name);
    if (running !== undefined) {
      if (running.body !== ownBody) throw anotherBody();
      return running.answer as Promise<Answer>;
    }
    const answer = this.#send(sessionId, ownKey, ownBody, send);
    this.#running.set(name, { body: ownBody, answer });
    try {
      return await answer;
    } finally {
      this.#running.delete(name);
    }
  }

  async #send<Answer extends Json>(
    sessionId: string,
    key: string,
    body: string,
    send: SendWithKey<Answer>,
  ): Promise<Answer> {
    let begun = await this.#withBook(sessionId, async (book) => book.get(key, this.#options.clock.now()));
    if (begun !== undefined && begun.body !== body) throw anotherBody();
    if (begun?.answer !== undefined) return begun.answer as Answer;
    const begin = async (): Promise<SendMark> => {
      begun ??= await this.#begin(sessionId, key, body);
      return markOf(begun);
    };
    const answer = await send(begin, begun && markOf(begun));
    if (begun !== undefined) await this.#answered(sessionId, key, answer);
    return answer;
  }

  async #begin(sessionId: string, key: string, body: string): Promise<KeyedSend> {
    const { clock, randomness, fingerprint } = this.#options;
    const at = clock.now();
    // With the time in it, the key is another number once it is forgotten.
    const number = await fingerprint(sessionId, `random_id ${key} ${at}`);
    const randomId = number.readBigInt64BE().toString();
    const eventId = randomness.uuid();
    return this.#withBook(sessionId, async (book) => {
      // Somebody else may have begun it, if somebody else writes here.
      const found = book.get(key, at);
      if (found !== undefined && found.body !== body) throw anotherBody();
      if (found !== undefined) return found;
      this.#throwIfAwaySince(at);
      return book.begin(eventId, { key, body, randomId, at });
    });
  }

  /** Where it can't be recorded the message is out all the same: asked again, Telegram says under which ID. */
  async #answered(sessionId: string, key: string, answer: Json): Promise<void> {
    const { clock, randomness } = this.#options;
    const eventId = randomness.uuid();
    const at = clock.now();
    try {
      await this.#withBook(sessionId, async (book) => {
        this.#throwIfAwaySince(at);
        await book.answer(eventId, { key, answer });
      });
    } catch (err) {
      this.#options.log.warn({ session: sessionId, err }, 'the answer to a send could not be recorded');
    }
  }

  /** One after the other for each session; again with what the stream says now, where it was written to meanwhile. */
  #withBook<T>(sessionId: string, use: (book: IdempotencyLog) => Promise<T>): Promise<T> {
    return this.#turns.run(sessionId, async () => {
      for (let tries = 1; ; tries++) {
        const book = this.#books.get(sessionId) ?? (await this.#read(sessionId));
        try {
          const result = await use(book);
          this.#books.set(sessionId, book);
          this.#away = undefined;
          return result;
        } catch (error) {
          this.#books.delete(sessionId);
          if (error instanceof StoreUnavailableError) this.#away = { foundAt: this.#options.clock.now(), error };
          if (!(error instanceof WrongExpectedRevisionError) || tries >= mostTries) throw error;
        }
      }
    });
  }

  /** Each append waits for the store. Those that queued up meanwhile fail together, not one after the other. */
  #throwIfAwaySince(at: number): void {
    if (this.#away !== undefined && this.#away.foundAt > at) throw this.#away.error;
  }

  async #read(sessionId: string): Promise<IdempotencyLog> {
    const { clock, randomness } = this.#options;
    try {
      return await IdempotencyLog.read({ ...this.#options, random: randomness }, sessionId, clock.now());
    } catch (error) {
      if (!(error instanceof UnreadableEventError)) throw error;
      throw new GatewayError(503, 'the idempotency keys of this session cannot be read', undefined, { cause: error });
    }
  }

  async #fingerprint(sessionId: string, text: string): Promise<string> {
    const made = await this.#options.fingerprint(sessionId, text);
    return made.subarray(0, fingerprintBytes).toString('base64url');
  }
}

const markOf = ({ randomId, at }: KeyedSend): SendMark => ({ randomId: BigInt(randomId), begunAt: at });

const anotherBody = (): GatewayError => new GatewayError(400, 'idempotency key was used with another body');
