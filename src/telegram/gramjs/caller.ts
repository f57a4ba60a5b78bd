import { Api } from 'telegram/tl/index.js';
import type { Clock } from '../../../actors/clock.ts';
import type { StopSignal } from '../../stop-signal.ts';
import type { Line } from '../line.ts';
import { LoginLostError, lostLoginReason } from '../login-lost.ts';
import { NotConnectedError, TelegramError } from '../port.ts';
import { retryAfterMs } from '../retry-policy.ts';
import { wait, within } from '../waiting.ts';
import { type Wire, WireDownError } from './wire.ts';

/** Telegram has had the request for so long, on a connection that is alive: the answer is lost. */
const answerMs = 30_000;
/** How often a request is sent at most because nobody knows what became of it: a message's own 240 s end before. */
const mostSends = 8;

class NoAnswerError extends Error {
  override name = 'NoAnswerError';
}

/**
 * Sends requests over whatever connection there is: waits for it to come back, sends again what was lost with it, waits
 * out what Telegram asks to wait. A request is therefore carried out at least once when it is answered at all.
 */
export class Caller {
  readonly #clock: Clock;
  readonly #line: Line<Wire>;
  readonly #onAnswer: (answer: unknown) => void;

  /** @param onAnswer told of every answer before the one who asked is: it may bring users and chats */
  constructor(clock: Clock, line: Line<Wire>, onAnswer: (answer: unknown) => void) {
    this.#clock = clock;
    this.#line = line;
    this.#onAnswer = onAnswer;
  }

  /**
   * @throws {TelegramError} Telegram refused
   * @throws {NotConnectedError} out of reach, no answer, or the login is lost
   * @throws the signal's reason
   */
  async call<R extends Api.AnyRequest>(request: R, signal: StopSignal): Promise<R['__response']> {
    let refusals = 0;
    for (let sends = 1; ; sends++) {
      try {
        const wire = await this.#line.wire(signal);
        const answer = await within(this.#clock, answerMs, wire.invoke(request), () => new NoAnswerError(), signal);
        this.#onAnswer(answer);
        return answer;
      } catch (error) {
        signal.throwIfAborted();
        if (error instanceof TelegramError) {
          refusals += 1;
          sends = 0;
        }
        await this.#beforeNextTry(error, request, { sends, refusals }, signal);
      }
    }
  }

  async #beforeNextTry(
    error: unknown,
    request: Api.AnyRequest,
    tries: { sends: number; refusals: number },
    signal: StopSignal,
  ): Promise<void> {
    const lost = lostLoginReason(error);
    if (lost !== undefined) {
      this.#line.loginLost(lost);
      throw error instanceof LoginLostError ? new NotConnectedError('the login is lost', { cause: error }) : error;
    }
    if (error instanceof TelegramError) {
      const delayMs = retryAfterMs(error, tries.refusals);
      if (delayMs === undefined) throw error;
      await wait(this.#clock, delayMs, signal, this.#line.stopSignal);
    } else if (!(error instanceof NoAnswerError || error instanceof WireDownError)) {
      throw error;
    } else if (tries.sends >= mostSends) {
      throw new NotConnectedError(`telegram did not answer ${request.className}`, { cause: error });
    }
  }
}
