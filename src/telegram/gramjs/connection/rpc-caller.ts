import type { Api } from 'telegram/tl/index.js';
import type { LightAbortSignal } from '../../../../actors/kit/light-abort.ts';
import { withTimeout } from '../../../../actors/kit/timeout.ts';
import type { Clock } from '../../../../actors/ports/clock.ts';
import type { PersistentConnection } from '../../connection/persistent-connection.ts';
import type { RateGate } from '../../connection/rate-gate.ts';
import type { AskedWait, OnWait } from '../../connection/retry-after.ts';
import { LoginLostError, lostLoginReason } from '../../login/login-lost.ts';
import { isFrozen, NotConnectedError, type TelegramError } from '../../port/errors.ts';
import type { TraceCall } from '../../port/trace-call.ts';
import { movedTo } from './move-login.ts';
import type { MtprotoConnection } from './mtproto-connection.ts';
import { NoAnswerError, retryRpc } from './retry-rpc.ts';

/** An answer that takes longer than this may never come: the connection is asked whether it is alive. */
const slowMs = 5_000;
/** Timeout of an answer on a live connection; after it the answer is considered lost. */
const answerMs = 30_000;
const noAnswer = (): Error => new NoAnswerError();

/**
 * A wait that Telegram asks for is waited out if it is under a minute and not longer than `maxWaitMs`; `onWait` is called
 * when it begins. `onResend` is called before a request is sent again that may have been carried out; if it throws, the
 * call ends with that error.
 */
export type RpcCall = <R extends Api.AnyRequest>(
  request: R,
  signal: LightAbortSignal,
  maxWaitMs?: number,
  onWait?: () => void,
  onResend?: () => void,
) => Promise<R['__response']>;

export interface RpcListener {
  /** Gets every answer before the caller does: answers may carry users and chats. */
  answer: (answer: unknown, request: Api.AnyRequest) => void;
  wait: OnWait;
  /** Telegram has frozen the account: it refused a request for that reason. */
  frozen: (error: TelegramError) => void;
  /** Telegram has moved the account to this data centre. Resolves when the login was taken along. */
  moved: (dc: number) => Promise<void>;
  trace?: TraceCall | undefined;
}

/**
 * Sends requests on the session's current connection. It waits for the next connection, and repeats what was lost with
 * one.
 */
export class RpcCaller {
  readonly #clock: Clock;
  readonly #connection: PersistentConnection<MtprotoConnection>;
  readonly #gate: RateGate;
  readonly #listener: RpcListener;

  constructor(
    clock: Clock,
    connection: PersistentConnection<MtprotoConnection>,
    gate: RateGate,
    listener: RpcListener,
  ) {
    this.#clock = clock;
    this.#gate = gate;
    this.#connection = connection;
    this.#listener = listener;
  }

  /**
   * @throws {TelegramError} Telegram refused
   * @throws {NotConnectedError} unreachable, no answer, or the login is lost
   * @throws the signal's reason
   */
  readonly call: RpcCall = (request, signal, maxWaitMs, onWait, onResend) => {
    const { trace, wait } = this.#listener;
    const send = (): Promise<(typeof request)['__response']> => this.#send(request, signal);
    const { stopSignal } = this.#connection;
    const note = (asked: AskedWait): void => {
      wait(asked);
      if (asked.waited) onWait?.();
    };
    const options = { clock: this.#clock, gate: this.#gate, onWait: note, onResend, maxWaitMs };
    const repeat = (): ReturnType<typeof send> => retryRpc(options, request.className, send, signal, stopSignal);
    return trace === undefined ? repeat() : trace(request.className, this.#connection.current?.dc, repeat);
  };

  async #send<R extends Api.AnyRequest>(
    request: R,
    signal: LightAbortSignal,
    hasMoved = false,
  ): Promise<R['__response']> {
    try {
      const connection = await this.#connection.connection(signal);
      const answer = await this.#invoke(connection, request, signal);
      this.#listener.answer(answer, request);
      return answer;
    } catch (error) {
      if (isFrozen(error)) this.#listener.frozen(error);
      const dc = movedTo(error);
      if (dc !== undefined && !hasMoved && !signal.aborted) {
        await this.#listener.moved(dc);
        return this.#send(request, signal, true);
      }
      const lost = lostLoginReason(error);
      if (lost === undefined || signal.aborted) throw error;
      this.#connection.loginLost(lost);
      throw error instanceof LoginLostError ? new NotConnectedError('the login is lost', { cause: error }) : error;
    }
  }

  async #invoke<R extends Api.AnyRequest>(
    connection: MtprotoConnection,
    request: R,
    signal: LightAbortSignal,
  ): Promise<R['__response']> {
    const timer = this.#clock.setTimeout(() => this.#connection.probe(connection), slowMs);
    try {
      return await withTimeout(this.#clock, answerMs, noAnswer, () => connection.invoke(request), signal);
    } finally {
      this.#clock.clearTimeout(timer);
    }
  }
}
