import {
  AccessDeniedError,
  CancelledError,
  InvalidArgumentError,
  MaxAppendSizeExceededError,
  NotLeaderError,
  StreamDeletedError,
  StreamNotFoundError,
  UnavailableError,
  WrongExpectedVersionError,
} from '@kurrent/kurrentdb-client';

/**
 * What a failed call means for the next one.
 * - `answer`: the server has spoken, and would say the same again.
 * - `again`: the client finds its way by itself.
 * - `anew`: the client may be stuck; a new one may not.
 */
export type Verdict = 'answer' | 'again' | 'anew';

const answers = [
  AccessDeniedError,
  InvalidArgumentError,
  MaxAppendSizeExceededError,
  StreamDeletedError,
  StreamNotFoundError,
  WrongExpectedVersionError,
];

/** gRPC's UNAVAILABLE. Where the client asks for the server's features, it lets the bare gRPC error through. */
const unavailableCode = 14;

/** Of the half of the client that is written in JavaScript: it makes itself a new channel. */
export function judgeWrite(error: unknown): Verdict {
  if (answers.some((known) => error instanceof known)) return 'answer';
  const heals =
    error instanceof UnavailableError ||
    error instanceof CancelledError ||
    error instanceof NotLeaderError ||
    (error instanceof Error && 'code' in error && error.code === unavailableCode);
  return heals ? 'again' : 'anew';
}

/** Of the native half, which reads: once it could not reach the server, it never does again. */
export function judgeRead(error: unknown): Verdict {
  if (answers.some((known) => error instanceof known)) return 'answer';
  return error instanceof NotLeaderError ? 'again' : 'anew';
}

/** What may be told to an operator. */
export const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
