import {
  ConnectionError,
  GatewayError,
  OutcomeUnknownError,
  SessionNotConnectedError,
  UnavailableError,
} from '../errors/errors.ts';

const firstDelayMs = 250;
const longestDelayMs = 10_000;
/** Codes of errors that come before anything is done. */
const untouched = new Set([
  'starting',
  'shutting_down',
  'overloaded',
  'session_not_active',
  'session_not_connected',
  'too_many_files',
  'too_many_requests',
  'pace_reached',
  'limit_reached',
]);

/** Doubles with each failure, up to ten seconds, and is spread so that clients do not come all at once. */
export function backoffMs(failures: number): number {
  const full = Math.min(longestDelayMs, firstDelayMs * 2 ** failures);
  return full * (0.5 + Math.random() / 2);
}

/**
 * How long to wait before the same call is made again, in milliseconds; undefined if it must not be.
 * @param failures before this one
 * @param isRepeatable whether the call may be made twice: it reads, it sets, or it has an idempotency key
 */
export function delayBeforeRetry(error: unknown, failures: number, isRepeatable: boolean): number | undefined {
  if (!(error instanceof GatewayError) || error.code === 'outcome_unknown') return undefined;
  if (!isRepeatable && !untouched.has(error.code) && !wasNeverSent(error)) return undefined;
  if (error.retryAfter !== undefined) return Math.max(error.retryAfter * 1000, backoffMs(failures));
  const isPassing =
    error instanceof UnavailableError ||
    error instanceof SessionNotConnectedError ||
    error instanceof OutcomeUnknownError;
  return isPassing ? backoffMs(failures) : undefined;
}

/** Nothing listened: Node, Bun and Deno say so, browsers do not. */
function wasNeverSent(error: GatewayError): boolean {
  const { cause } = error as { cause?: { code?: string; cause?: { code?: string } } };
  return (
    error instanceof ConnectionError &&
    [cause?.code, cause?.cause?.code].some((code) => code === 'ECONNREFUSED' || code === 'ConnectionRefused')
  );
}

/** @throws the reason of the signal as soon as it is aborted */
export function wait(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (): void => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', end);
      resolve();
    }, ms);
    if (signal?.aborted) end();
    else signal?.addEventListener('abort', end, { once: true });
  });
}
