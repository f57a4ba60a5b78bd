import {
  AccessDeniedError,
  CancelledError,
  InvalidArgumentError,
  NotLeaderError,
  StreamDeletedError,
  StreamNotFoundError,
  UnavailableError,
} from '@kurrent/kurrentdb-client';
import { WrongExpectedRevisionError } from '../../../../actors/ports/event-store.ts';

/**
 * What a failed call means for the next one.
 * - `answer`: the server has spoken, and would say the same again.
 * - `refused`: the server does not let this store in.
 * - `again`: the client makes itself a new channel, to the leader where it was told of one.
 * - `anew`: the client may be stuck; a new one may not.
 */
export type Verdict = 'answer' | 'refused' | 'again' | 'anew';

/** Those of this project are what the client's own have been translated to. */
const answers = [InvalidArgumentError, RangeError, StreamDeletedError, StreamNotFoundError, WrongExpectedRevisionError];

/** gRPC's UNAVAILABLE. Where the client asks for the server's features, it lets the bare gRPC error through. */
const unavailableCode = 14;

export function judge(error: unknown): Verdict {
  if (error instanceof AccessDeniedError) return 'refused';
  if (answers.some((known) => error instanceof known)) return 'answer';
  const heals =
    error instanceof UnavailableError ||
    error instanceof CancelledError ||
    error instanceof NotLeaderError ||
    (error instanceof Error && 'code' in error && error.code === unavailableCode);
  return heals ? 'again' : 'anew';
}

/** What an operator is told. The client's own words name hosts, never credentials. */
export function reasonOf(error: unknown): string {
  if (error instanceof AccessDeniedError) return 'the event store refuses these credentials';
  return error instanceof Error ? error.message : String(error);
}
