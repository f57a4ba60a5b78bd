import type { Effect, TransitionMetadata } from './events.ts';
import { sessionLifecycle } from './lifecycle.ts';
import type { RecordedSessionEvent } from './session-codec.ts';

/** Everything that is committed about a session: its last event. */
export interface Committed {
  /** ID of the last event. */
  id: string;
  revision: number;
  position: bigint;
  metadata: TransitionMetadata;
}

/** How the stream of a session ends, as a reader of the log remembers it. */
export interface SessionEnd {
  id: string;
  /** Undefined if its last event cannot be read. */
  committed: Committed | undefined;
}

/** A session as its last event leaves it. */
export function restore({ id, revision, position, metadata }: RecordedSessionEvent): Committed {
  return { id, revision, position, metadata };
}

/**
 * The effects that a process runs when it takes over a session: those of the last event, because the process that
 * recorded them may have died before it ran them; else those that its state needs at any time.
 */
export function unfinishedEffects(
  { to, context, effects }: TransitionMetadata,
  lifecycle = sessionLifecycle,
): readonly Effect[] {
  return effects.length > 0 ? effects : lifecycle.entryEffects(to, context);
}
