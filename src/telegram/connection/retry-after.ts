import type { TelegramError } from '../port/errors.ts';

/** A wait under a minute is waited out; a longer one is the caller's error (ER3). */
export const maxWaitSeconds = 59;
/** No further wait of a request begins after this time: as long as a send may take (MS6). */
const maxWaitedMs = 240_000;
const maxServerFaults = 3;
const firstServerFaultDelayMs = 1_000;

/**
 * Errors with the code of a server fault that are none: a message that was sent before, a login that has to begin anew, a
 * method that a server of another kind has.
 */
const lastingFaults = new Set(['RANDOM_ID_DUPLICATE', 'AUTH_RESTART', 'UNKNOWN_METHOD']);

/**
 * Whether Telegram's servers failed and the same request may succeed soon. The code decides: the names are many, change,
 * and come in capitals and in small letters (TDLib's `NetQueryDelayer.cpp` does the same). A wait without a number is one
 * of these, too.
 */
function isPassingFault({ code, errorName }: TelegramError): boolean {
  if (code === 420) return errorName.startsWith('FLOOD_SKIP_FAILED_WAIT');
  return (code >= 500 || code < 0) && !lastingFaults.has(errorName);
}

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
 * Milliseconds until a refused request may be sent again; undefined if it must not be. Waits that Telegram asks for are
 * limited by time, faults of its servers by their number.
 * @param faults how often a fault of Telegram's servers has refused it, from 1
 * @param passedMs since the request was first sent
 */
export function retryAfterMs(error: TelegramError, faults: number, passedMs: number): number | undefined {
  if (error.isSlowMode) return undefined;
  if (error.waitSeconds !== undefined) {
    return error.waitSeconds <= maxWaitSeconds && passedMs < maxWaitedMs ? error.waitSeconds * 1000 : undefined;
  }
  return isPassingFault(error) && faults <= maxServerFaults ? firstServerFaultDelayMs * 2 ** (faults - 1) : undefined;
}
