import type { LightAbortSignal } from '../../../../actors/kit/light-abort.ts';
import { sleep } from '../../../../actors/kit/sleep.ts';
import type { Clock } from '../../../../actors/ports/clock.ts';
import { type OnWait, retryAfterMs } from '../../connection/retry-policy.ts';
import { NotConnectedError, TelegramError } from '../../port/errors.ts';
import { ConnectionDownError } from './mtproto-connection.ts';

/** How often a request is sent at most because nobody knows what became of it: a message's own 240 s end before. */
const mostSends = 8;

/** Telegram has had the request, on a connection that seemed alive, and said nothing. */
export class NoAnswerError extends Error {
  override name = 'NoAnswerError';
  readonly retryable = true;
}

export interface RetryRpcOptions {
  clock: Clock;
  onWait: OnWait;
  /** How long to wait where a connection has failed so often in a row, in milliseconds; at once where it is left out. */
  pauseMs?: (failures: number) => number;
  /** A longer wait is the caller's to hear of, even one under a minute. */
  longestWaitMs?: number | undefined;
}

/**
 * Sends a request again and again until it is answered: what was lost with its connection, and what Telegram wanted
 * later. A request is therefore carried out at least once when it is answered at all.
 *
 * @param name of the request
 * @param ended ends the waits between
 * @throws {TelegramError} Telegram refused. {@link NotConnectedError} no answer. A signal's reason.
 */
export async function retryRpc<T>(
  { clock, onWait, pauseMs, longestWaitMs = Infinity }: RetryRpcOptions,
  name: string,
  send: () => Promise<T>,
  signal: LightAbortSignal,
  ended: LightAbortSignal,
): Promise<T> {
  let refusals = 0;
  for (let sends = 1; ; sends++) {
    try {
      return await send();
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof TelegramError) {
        refusals += 1;
        sends = 0;
        const delayMs = retryAfterMs(error, refusals);
        const isWorthIt = delayMs !== undefined && delayMs <= longestWaitMs;
        const { waitSeconds: seconds } = error;
        if (seconds !== undefined) onWait({ request: error.request, seconds, waited: isWorthIt });
        if (!isWorthIt) throw error;
        await sleep(clock, delayMs, signal, ended);
      } else if (!(error instanceof NoAnswerError || error instanceof ConnectionDownError)) {
        throw error;
      } else if (sends >= mostSends) {
        throw new NotConnectedError(`telegram did not answer ${name}`, { cause: error });
      } else {
        const delayMs = pauseMs?.(sends) ?? 0;
        if (delayMs > 0) await sleep(clock, delayMs, signal, ended);
      }
    }
  }
}
