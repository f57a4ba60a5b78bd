import type { Api } from 'telegram/tl/index.js';
import type { LightAbortSignal } from '../../../../actors/kit/light-abort.ts';
import { withTimeout } from '../../../../actors/kit/timeout.ts';
import type { Clock } from '../../../../actors/ports/clock.ts';
import type { PersistentConnection } from '../../connection/persistent-connection.ts';
import type { OnWait } from '../../connection/retry-policy.ts';
import { LoginLostError, lostLoginReason } from '../../login/login-lost.ts';
import { NotConnectedError } from '../../port/errors.ts';
import type { TraceCall } from '../../port/trace-call.ts';
import type { MtprotoConnection } from './mtproto-connection.ts';
import { NoAnswerError, retryRpc } from './retry-rpc.ts';

/** Telegram has had the request for so long, on a connection that is alive: the answer is lost. */
const answerMs = 30_000;
const noAnswer = (): Error => new NoAnswerError();

/** A wait that Telegram asks for is waited out where it is under a minute, and not longer than `longestWaitMs`. */
export type RpcCall = <R extends Api.AnyRequest>(
  request: R,
  signal: LightAbortSignal,
  longestWaitMs?: number,
) => Promise<R['__response']>;

export interface RpcListener {
  /** Told of every answer before the one who asked is, as it may bring users and chats. */
  answer: (answer: unknown) => void;
  wait: OnWait;
  trace?: TraceCall | undefined;
}

/** Sends requests over whatever connection there is: waits for it to come back, and sends again what was lost with it. */
export class RpcCaller {
  readonly #clock: Clock;
  readonly #line: PersistentConnection<MtprotoConnection>;
  readonly #listener: RpcListener;

  constructor(clock: Clock, line: PersistentConnection<MtprotoConnection>, listener: RpcListener) {
    this.#clock = clock;
    this.#line = line;
    this.#listener = listener;
  }

  /**
   * @throws {TelegramError} Telegram refused
   * @throws {NotConnectedError} out of reach, no answer, or the login is lost
   * @throws the signal's reason
   */
  readonly call: RpcCall = (request, signal, longestWaitMs) => {
    const { trace } = this.#listener;
    if (trace === undefined) return this.#repeat(request, signal, longestWaitMs);
    return trace(request.className, this.#line.current?.dc, () => this.#repeat(request, signal, longestWaitMs));
  };

  #repeat<R extends Api.AnyRequest>(
    request: R,
    signal: LightAbortSignal,
    longestWaitMs: number | undefined,
  ): Promise<R['__response']> {
    return retryRpc(
      { clock: this.#clock, onWait: this.#listener.wait, longestWaitMs },
      request.className,
      () => this.#send(request, signal),
      signal,
      this.#line.stopSignal,
    );
  }

  async #send<R extends Api.AnyRequest>(request: R, signal: LightAbortSignal): Promise<R['__response']> {
    try {
      const wire = await this.#line.connection(signal);
      const answer = await withTimeout(this.#clock, answerMs, noAnswer, () => wire.invoke(request), signal);
      this.#listener.answer(answer);
      return answer;
    } catch (error) {
      const lost = lostLoginReason(error);
      if (lost === undefined || signal.aborted) throw error;
      this.#line.loginLost(lost);
      throw error instanceof LoginLostError ? new NotConnectedError('the login is lost', { cause: error }) : error;
    }
  }
}
