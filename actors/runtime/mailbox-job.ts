import type { Deadline, SessionFact } from '../session/events.ts';

/** Tracing hook, called when a fact is enqueued. The wrapper that it returns runs around the processing of the fact. */
export type TraceFact = (sessionId: string) => (<T>(work: () => Promise<T>) => Promise<T>) | undefined;

/**
 * A fact, or a factory that builds it from the event ID once the mailbox reaches it. The factory may be called again
 * with a new ID after a failed append. It returns undefined to record nothing, and
 * several facts to record them with one append; the effects of states that are left with the same append are not run.
 */
export type FactSource = SessionFact | ((eventId: string) => Promise<SessionFact | readonly SessionFact[] | undefined>);

export interface RecordOptions {
  /** Retry until the store is back instead of failing: the sender cannot repeat this fact. Default: false. */
  patient?: boolean;
  /** Pace the effects of the step among those of all sessions. Default: false. */
  paced?: boolean;
  /** ID of the request that sends the fact, for the log. */
  reqId?: string | undefined;
  /** Who causes it (KY4). Default: `gateway`. */
  author?: string | undefined;
}

export interface RecordOutcome {
  /** Of the session's last event. */
  position: bigint;
  /** False if the fact changed nothing. */
  recorded: boolean;
}

/** One fact in the mailbox of a session's actor. */
export interface Job {
  readonly source: FactSource;
  readonly patient: boolean;
  readonly paced: boolean;
  /** The deadline that passes with this fact. */
  readonly deadline: Deadline | undefined;
  readonly watched: ReturnType<TraceFact>;
  readonly reqId: string | undefined;
  readonly author: string;
  readonly resolve: (outcome: RecordOutcome) => void;
  readonly reject: (reason: unknown) => void;
}
