import type { TelegramError } from '../port/errors.ts';

/** A wait under a minute is waited out; a longer one is the caller's error (ER3). */
const maxWaitSeconds = 59;
const maxWaits = 5;
const maxServerFaults = 3;
const firstServerFaultDelayMs = 1_000;

/** Names of Telegram's own, temporary errors (https://core.telegram.org/api/errors#500-internal). */
const passingFault =
  /^(?:INTERNAL|INTERNAL_SERVER_ERROR|RPC_CALL_FAIL|RPC_MCGET_FAIL|WORKER_BUSY_TOO_LONG_RETRY|INTERDC_\d+_CALL\w*|Timeout|Timedout|No workers running)$/;

/** A wait that Telegram asked for, as an operator sees it. */
export interface AskedWait {
  /** `messages.SendMessage` */
  request: string;
  seconds: number;
  /** False if the request failed because of it. */
  waited: boolean;
}

export type OnWait = (wait: AskedWait) => void;

/**
 * Milliseconds until a refused request may be sent again; undefined if it must not be.
 * @param attempt how often it was sent already, from 1
 */
export function retryAfterMs(error: TelegramError, attempt: number): number | undefined {
  if (error.waitSeconds !== undefined) {
    return error.waitSeconds <= maxWaitSeconds && attempt <= maxWaits ? error.waitSeconds * 1000 : undefined;
  }
  if (passingFault.test(error.errorName) && attempt <= maxServerFaults) {
    return firstServerFaultDelayMs * 2 ** (attempt - 1);
  }
  return undefined;
}
