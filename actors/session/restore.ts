import type { Effect, SessionState, TransitionMetadata } from './events.ts';
import type { RecordedSessionEvent } from './session-codec.ts';

/** Everything that is committed about a session: its last event. */
export interface Committed {
  /** ID of the last event. */
  id: string;
  revision: number;
  position: bigint;
  metadata: TransitionMetadata;
}

/** A session as its last event leaves it. */
export function restore({ id, revision, position, metadata }: RecordedSessionEvent): Committed {
  return { id, revision, position, metadata };
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
