import {
  AccessDeniedError,
  CancelledError,
  DeadlineExceededError,
  InvalidArgumentError,
  NotLeaderError,
  StreamDeletedError,
  StreamNotFoundError,
  UnavailableError,
} from '@kurrent/kurrentdb-client';
import { WrongExpectedRevisionError } from '../../../../actors/ports/event-store.ts';

/**
 * What a failed call means for the next one.
 * - `answer`: the server has answered, and would answer the same again.
 * - `refused`: the server refuses the credentials.
 * - `again`: retry; the client opens a new channel by itself, to the leader if the server named one.
 * - `anew`: retry with a new client; this one may be stuck.
 */
export type Verdict = 'answer' | 'refused' | 'again' | 'anew';

const answers = [InvalidArgumentError, RangeError, StreamDeletedError, StreamNotFoundError, WrongExpectedRevisionError];

/** gRPC's UNAVAILABLE. When the client asks for the server's features, it throws the bare gRPC error. */
const unavailableCode = 14;

export function judge(error: unknown): Verdict {
  if (error instanceof AccessDeniedError) return 'refused';
  if (answers.some((known) => error instanceof known)) return 'answer';
  const heals =
    error instanceof UnavailableError ||
    error instanceof CancelledError ||
    error instanceof DeadlineExceededError ||
    error instanceof NotLeaderError ||
    (error instanceof Error && 'code' in error && error.code === unavailableCode);
  return heals ? 'again' : 'anew';
}

/** For logs and `/ready`. The client's messages name hosts, never credentials. */
export function failureReason(error: unknown): string {
  if (error instanceof AccessDeniedError) return 'the event store refuses these credentials';
  return error instanceof Error ? error.message : String(error);
}
