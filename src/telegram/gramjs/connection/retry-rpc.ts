import type { LightAbortSignal } from '../../../../actors/kit/light-abort.ts';
import { sleep } from '../../../../actors/kit/sleep.ts';
import type { Clock } from '../../../../actors/ports/clock.ts';
import { type RateGate, RememberedWaitError } from '../../connection/rate-gate.ts';
import { type OnWait, retryAfterMs } from '../../connection/retry-after.ts';
import { NotConnectedError, TelegramError } from '../../port/errors.ts';
import { ConnectionDownError } from './mtproto-connection.ts';

/** How often a request is sent whose outcome is unknown. A message's 240 s end before that. */
const maxSends = 8;

/** Telegram received the request on a live connection and did not answer. */
export class NoAnswerError extends Error {
  override name = 'NoAnswerError';
  readonly retryable = true;
}

export interface RetryRpcOptions {
  clock: Clock;
  /** Of the account. */
  gate: RateGate;
  onWait: OnWait;
  /** Called before a request is sent again that may have been carried out. If it throws, that is not done. */
  onResend?: (() => void) | undefined;
  /** Milliseconds to wait after this many failed connections in a row; default 0. */
  pauseMs?: (failures: number) => number;
  /** The caller gets a longer wait as an error, even one under a minute. */
  maxWaitMs?: number | undefined;
}

/**
 * Repeats a request until it is answered: after a lost connection, and after a wait that Telegram asked for. An
 * answered request was therefore carried out at least once.
 * @param name of the request
 * @param ended ends the waits in between
 * @throws {TelegramError} Telegram refused. {@link NotConnectedError} no answer. A signal's reason.
 */
export async function retryRpc<T>(
  { clock, gate, onWait, onResend, pauseMs, maxWaitMs = Infinity }: RetryRpcOptions,
  name: string,
  send: () => Promise<T>,
  signal: LightAbortSignal,
  ended: LightAbortSignal,
): Promise<T> {
  const begunAt = clock.elapsed();
  let faults = 0;
  for (let sends = 1; ; sends++) {
    try {
      return await gate.run(name, maxWaitMs, send, signal, ended);
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof RememberedWaitError) throw error;
      if (error instanceof TelegramError) {
        sends = 0;
        const { waitSeconds: seconds } = error;
        if (seconds === undefined) faults += 1;
        const delayMs = retryAfterMs(error, faults, clock.elapsed() - begunAt);
        const isWorthIt = delayMs !== undefined && delayMs <= maxWaitMs;
        if (seconds !== undefined) onWait({ request: error.request, seconds, waited: isWorthIt });
        if (!isWorthIt) throw error;
        if (seconds === undefined) onResend?.();
        await sleep(clock, delayMs, signal, ended);
      } else if (!(error instanceof NoAnswerError || error instanceof ConnectionDownError)) {
        throw error;
      } else if (sends >= maxSends) {
        throw new NotConnectedError(`telegram did not answer ${name}`, { cause: error });
      } else {
        onResend?.();
        const delayMs = pauseMs?.(sends) ?? 0;
        if (delayMs > 0) await sleep(clock, delayMs, signal, ended);
      }
    }
  }
}
