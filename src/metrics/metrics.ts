import type { FaultPart } from '../../actors/ports/log.ts';
import type { SessionFactType, SessionState } from '../../actors/session/events.ts';

/** A transition of a session, as far as it is counted. */
export interface CountedFact {
  type: SessionFactType;
  from: SessionState | null;
  to: SessionState;
  /** Why it is in `to`. */
  reason: string;
  /** Seconds that it was in `from`, if known. */
  secondsBefore?: number | undefined;
}

interface CountedRequest {
  method: string;
  /** The route's pattern; undefined for an unknown route. */
  route: string | undefined;
  status: number;
}

/** See `PassOutcome` in `src/hop/passed-request.ts`. */
export const forwardOutcomes = ['answered', 'moved', 'unreached', 'lost'] as const;
type ForwardOutcome = (typeof forwardOutcomes)[number];

/**
 * Counts of events as they happen, for `/metrics`. No IDs and no free text; the implementation limits names from
 * outside. Times are in seconds.
 */
export interface Metrics {
  requested(request: CountedRequest, seconds: number): void;
  /** `outcome`: `sent`, or the reason why not. */
  sent(type: string, outcome: string, seconds: number): void;
  /** Telegram asked to wait with a request (`messages.SendMessage`); `waited`: the gateway waited and repeated it. */
  waitAsked(asked: { request: string; waited: boolean }): void;
  appended(outcome: 'recorded' | 'wrong-revision' | 'unavailable', seconds: number): void;
  /** An error's line in the log: something that an operator has to look into. */
  faulted(where: FaultPart): void;
  happened(fact: CountedFact): void;
  /** A viewer requested a chunk of a file: it was cached, or had to be fetched. */
  chunkAsked(from: 'cache' | 'telegram'): void;
  /** A request was passed to the node that has its session. */
  forwarded(outcome: ForwardOutcome): void;
}
