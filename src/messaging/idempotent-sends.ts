import { KeyedQueue } from '../../actors/kit/keyed-queue.ts';
import type { Randomness } from '../../actors/ports/clock.ts';
import { UnreadableEventError } from '../../actors/ports/event-codec.ts';
import { type Json, StoreUnavailableError, WrongExpectedRevisionError } from '../../actors/ports/event-store.ts';
import { mustOwn, type Ownership, type Partitions, soleOwner } from '../../actors/ports/ownership.ts';
import { GatewayError, isClientLeft } from '../errors/gateway-error.ts';
import type { BeginSend, SendMark } from '../telegram/port/outgoing.ts';
import { IdempotencyLog, type IdempotencyLogDeps } from './idempotency-log.ts';
import type { KeyedSend } from './keyed-send.ts';
import { keyedRandomId } from './random-id.ts';
import type { SendOrigin } from './send-events.ts';

/** Keys of one sender are not those of another. */
export interface Sender {
  sessionId: string;
  /** ID of the account. Left out for the session's first account, whose keys are recorded without it. */
  account?: string;
  /** Recorded with a send that begins. */
  origin?: SendOrigin;
}

/** @param begun by an earlier request, whose outcome is not known */
export type SendWithKey<Answer> = (begin: BeginSend, begun: SendMark | undefined) => Promise<Answer>;

export interface IdempotentSendsDeps extends Omit<IdempotencyLogDeps, 'random'> {
  randomness: Pick<Randomness, 'uuid' | 'fraction'>;
  /** Default: the process is alone. */
  ownership?: Pick<Ownership, 'owns'> | undefined;
  /** See `Vault.fingerprint`. */
  fingerprint: (sessionId: string, text: string) => Promise<Buffer>;
  log: { warn(fields: object, message: string): void };
}

/** Sends in memory, of all sessions: about 300 bytes each. Those of sessions that are idle are read again. */
const maxSends = 100_000;
/** A session that has sent in this time is not idle, however many keys it has: reading 100,000 takes a second. */
const idleMs = 10 * 60_000;
/** After another writer's append, one read shows its events. */
const maxTries = 3;
const fingerprintBytes = 16;

interface HeldLog {
  log: IdempotencyLog;
  /** Of the log when it was last used. */
  size: number;
  /** By the clock's `elapsed()`. */
  usedAt: number;
}

interface RunningSend {
  body: string;
  answer: Promise<Json>;
}

/** Sends with an `Idempotency-Key`: one key is one message, over repeated requests and restarts (MS7). */
export class IdempotentSends {
  readonly #deps: IdempotentSendsDeps;
  /** By session, the least recently used first. */
  readonly #logs = new Map<string, HeldLog>();
  /** Of all logs together. */
  #size = 0;
  /** Reading and writing a session's stream. */
  readonly #turns = new KeyedQueue();
  /** When the store was last found to be away, by the clock's `elapsed()`, and the error. Cleared by a success. */
  #away: { foundAt: number; error: unknown } | undefined;
  /** By session and key. */
  readonly #running = new Map<string, RunningSend>();

  constructor(deps: IdempotentSendsDeps) {
    this.#deps = deps;
  }

  /**
   * The answer to the first request with this key, which is awaited if it is in flight. For a new key, what `send` returns:
   * it is kept for 24 hours. A send that fails may be tried again, under the same `random_id` if it had begun, so that
   * Telegram takes it once.
   * @param body what is sent and where to, as text: equal for requests that mean the same
   * @throws {GatewayError} 400: the key was used with another body; 503: an event of the session's keyed sends cannot be read
   * (FA7.4). And what `send` throws.
   * @throws {KeyDestroyedError} {@link StoreUnavailableError} {@link NotOwnerError}
   */
  async once<Answer extends Json>(
    sender: Sender,
    key: string,
    body: string,
    send: SendWithKey<Answer>,
  ): Promise<Answer> {
    const { sessionId, account } = sender;
    const [ownKey, ownBody] = await Promise.all([
      this.#fingerprint(sessionId, account === undefined ? `key ${key}` : `account ${account} key ${key}`),
      this.#fingerprint(sessionId, `body ${body}`),
    ]);
    const name = `${sessionId} ${ownKey}`;
    for (;;) {
      const running = this.#running.get(name);
      if (running === undefined) break;
      if (running.body !== ownBody) throw anotherBody();
      try {
        return (await running.answer) as Answer;
      } catch (error) {
        // Its caller gave its turn up: this one takes the send over.
        if (!isClientLeft(error)) throw error;
        this.#ended(name, running);
      }
    }
    const running = { body: ownBody, answer: this.#send(sender, ownKey, ownBody, send) };
    this.#running.set(name, running);
    try {
      return await running.answer;
    } finally {
      this.#ended(name, running);
    }
  }

  /** Other processes write for these sessions: what is in memory is forgotten. */
  forget(partitions: Partitions): void {
    for (const id of this.#logs.keys()) if (partitions.has(id)) this.#forget(id);
  }

  #ended(name: string, running: RunningSend): void {
    if (this.#running.get(name) === running) this.#running.delete(name);
  }

  async #send<Answer extends Json>(
    { sessionId, origin }: Sender,
    key: string,
    body: string,
    send: SendWithKey<Answer>,
  ): Promise<Answer> {
    let begun = await this.#withLog(sessionId, async (log) => log.get(key, this.#deps.clock.now()));
    if (begun !== undefined && begun.body !== body) throw anotherBody();
    if (begun?.answer !== undefined) return begun.answer as Answer;
    const begin = async (): Promise<SendMark> => {
      begun ??= await this.#begin(sessionId, key, body, origin);
      return markOf(begun);
    };
    const answer = await send(begin, begun && markOf(begun));
    if (begun !== undefined) await this.#answered(sessionId, key, answer);
    return answer;
  }

  async #begin(sessionId: string, key: string, body: string, origin?: SendOrigin): Promise<KeyedSend> {
    const { clock, randomness, fingerprint } = this.#deps;
    const at = clock.now();
    const since = clock.elapsed();
    const randomId = (await keyedRandomId(fingerprint, { sessionId, key, at })).toString();
    const eventId = randomness.uuid();
    return this.#withLog(sessionId, async (log) => {
      // Another writer of the stream may have begun it.
      const found = log.get(key, at);
      if (found !== undefined && found.body !== body) throw anotherBody();
      if (found !== undefined) return found;
      this.#throwIfAwaySince(since);
      return log.begin(eventId, { key, body, randomId, at, ...origin });
    });
  }

  /** A failure is only logged: for a repeated request Telegram returns the message's ID. */
  async #answered(sessionId: string, key: string, answer: Json): Promise<void> {
    const { clock, randomness } = this.#deps;
    const eventId = randomness.uuid();
    const since = clock.elapsed();
    try {
      await this.#withLog(sessionId, async (log) => {
        this.#throwIfAwaySince(since);
        await log.answer(eventId, { key, answer });
      });
    } catch (err) {
      this.#deps.log.warn({ session: sessionId, err }, 'the answer to a send could not be recorded');
    }
  }

  /** One use at a time for each session. After another writer's append it is repeated with the current stream. */
  #withLog<T>(sessionId: string, use: (log: IdempotencyLog) => Promise<T>): Promise<T> {
    return this.#turns.run(sessionId, async () => {
      for (let tries = 1; ; tries++) {
        const log = this.#logs.get(sessionId)?.log ?? (await this.#read(sessionId));
        // What was read may be another owner's.
        mustOwn(this.#deps.ownership ?? soleOwner, sessionId);
        try {
          const result = await use(log);
          this.#hold(sessionId, log);
          this.#away = undefined;
          return result;
        } catch (error) {
          this.#forget(sessionId);
          if (error instanceof StoreUnavailableError) this.#away = { foundAt: this.#deps.clock.elapsed(), error };
          if (!(error instanceof WrongExpectedRevisionError) || tries >= maxTries) throw error;
        }
      }
    });
  }

  #hold(sessionId: string, log: IdempotencyLog): void {
    this.#forget(sessionId);
    const { size } = log;
    const usedAt = this.#deps.clock.elapsed();
    this.#logs.set(sessionId, { log, size, usedAt });
    this.#size += size;
    for (const [id, oldest] of this.#logs) {
      if (this.#size <= maxSends || oldest.usedAt + idleMs > usedAt) return;
      this.#forget(id);
    }
  }

  #forget(sessionId: string): void {
    this.#size -= this.#logs.get(sessionId)?.size ?? 0;
    this.#logs.delete(sessionId);
  }

  /** Each append waits for the store. Sends queued behind a failed one fail with it, not one after the other. */
  #throwIfAwaySince(since: number): void {
    if (this.#away !== undefined && this.#away.foundAt > since) throw this.#away.error;
  }

  async #read(sessionId: string): Promise<IdempotencyLog> {
    const { clock, randomness } = this.#deps;
    try {
      return await IdempotencyLog.read({ ...this.#deps, random: randomness }, sessionId, clock.now());
    } catch (error) {
      if (!(error instanceof UnreadableEventError)) throw error;
      throw new GatewayError(503, 'the idempotency keys of this session cannot be read', undefined, { cause: error });
    }
  }

  async #fingerprint(sessionId: string, text: string): Promise<string> {
    const made = await this.#deps.fingerprint(sessionId, text);
    return made.subarray(0, fingerprintBytes).toString('base64url');
  }
}

const markOf = ({ randomId, at }: KeyedSend): SendMark => ({ randomId: BigInt(randomId), begunAt: at });

const anotherBody = (): GatewayError => new GatewayError(400, 'idempotency key was used with another body');
