import type { RecordedEvent } from '../ports/event-store.ts';
import { type Effect, type SessionState, sessionStates, type TransitionMetadata } from './events.ts';

/** Everything that is committed about a session: its last event. */
export interface Committed {
  /** ID of the last event. */
  id: string;
  revision: number;
  position: bigint;
  metadata: TransitionMetadata;
}

/**
 * A session as its last event leaves it.
 * @throws {UnreadableEventError} the event was not written by a session's actor.
 */
export function restore(last: RecordedEvent): Committed {
  const metadata = last.metadata as Partial<TransitionMetadata> | null;
  if (
    metadata === null ||
    !sessionStates.includes(metadata.to as SessionState) ||
    typeof metadata.context?.login !== 'number' ||
    !Array.isArray(metadata.deadlines) ||
    !Array.isArray(metadata.effects)
  ) {
    throw new UnreadableEventError(`event ${last.revision} of ${last.stream} says no state`);
  }
  return {
    id: last.id,
    revision: last.revision,
    position: last.position,
    metadata: metadata as TransitionMetadata,
  };
}

/** What must be going on in a state, however long ago it was entered. */
const standing: Partial<Record<SessionState, Effect['type']>> = {
  qrPending: 'startQrLogin',
  passwordRequired: 'awaitPassword',
  disconnected: 'connect',
};

/**
 * What a process that takes the session up has to do: the effects of the last event, for the process that recorded them
 * may have died before, or else what the state needs at any time.
 */
export function unfinishedEffects({ to, context, effects }: TransitionMetadata): Effect[] {
  const type = standing[to];
  return effects.length > 0 || type === undefined ? effects : [{ type, login: context.login }];
}

export class UnreadableEventError extends Error {
  override name = 'UnreadableEventError';
}
