import type { TelegramError } from '../port/account.ts';

/** A wait under a minute is waited out, a longer one is the caller's (ER3). */
const longestWaitSeconds = 59;
const mostWaits = 5;
const mostServerFaults = 3;
const firstServerFaultDelayMs = 1_000;

/** What Telegram answers when the fault is its own and passing (https://core.telegram.org/api/errors#500-internal). */
const passingFault =
  /^(?:INTERNAL|INTERNAL_SERVER_ERROR|RPC_CALL_FAIL|RPC_MCGET_FAIL|WORKER_BUSY_TOO_LONG_RETRY|INTERDC_\d+_CALL\w*|Timeout|Timedout|No workers running)$/;

/** Telegram has asked to wait; what an operator sees of it. */
export interface AskedWait {
  /** `messages.SendMessage` */
  request: string;
  seconds: number;
  /** False where the request failed by it. */
  waited: boolean;
}

export type OnWait = (asked: AskedWait) => void;

/**
 * After how many milliseconds a refused request is worth sending again, or undefined where it is not.
 * @param attempt how often it has been sent already, from 1
 */
export function retryAfterMs(error: TelegramError, attempt: number): number | undefined {
  if (error.waitSeconds !== undefined) {
    return error.waitSeconds <= longestWaitSeconds && attempt <= mostWaits ? error.waitSeconds * 1000 : undefined;
  }
  if (passingFault.test(error.errorName) && attempt <= mostServerFaults) {
    return firstServerFaultDelayMs * 2 ** (attempt - 1);
  }
  return undefined;
}
