import type { SessionFactType, SessionState } from '../../actors/session/events.ts';

/** A step in a session's life, as far as it is counted. */
export interface CountedFact {
  type: SessionFactType;
  from: SessionState | null;
  to: SessionState;
  /** Why it is in `to`. */
  reason: string;
  /** How long it has been in `from`, where that is known. */
  secondsBefore?: number | undefined;
}

interface CountedRequest {
  method: string;
  /** The route's pattern; undefined where there is no such route. */
  route: string | undefined;
  status: number;
}

/**
 * What is counted as it happens, for `/metrics`. Never whose: no ID and no free text goes in, and names that come from
 * outside are bounded by who keeps the counts. Times are in seconds.
 */
export interface Metrics {
  requested(request: CountedRequest, seconds: number): void;
  /** `outcome`: `sent`, or why not. */
  sent(type: string, outcome: string, seconds: number): void;
  /** Telegram has asked to wait with a request (`messages.SendMessage`); `waited`: it was done, and asked again. */
  waitAsked(asked: { request: string; waited: boolean }): void;
  appended(outcome: 'recorded' | 'wrong-revision' | 'unavailable', seconds: number): void;
  happened(fact: CountedFact): void;
  /** A viewer has asked for a chunk of a file: it was here, or had to be fetched. */
  chunkAsked(from: 'cache' | 'telegram'): void;
}
