import type { Sealed } from '../../actors/ports/sealer.ts';
import { type ReadSessionDeps, readSession } from '../../actors/runtime/read-session.ts';
import type { RecordedSessionEvent } from '../../actors/session/session-codec.ts';
import { evolveSessionView, pictureChange } from '../../projections/evolve-session-view.ts';
import type { SessionView } from '../../projections/session-view.ts';

/** Up to `limit` events of a session's log after the one with this number (0: from the start). */
export function readAudit(
  deps: ReadSessionDeps,
  id: string,
  after: number,
  limit?: number,
): AsyncIterable<RecordedSessionEvent> {
  return readSession(deps, id, { from: after, ...(limit !== undefined && { limit }) });
}

/** A moment of a session: the event of this number, or the last one at this time (milliseconds since 1970). */
export type Moment = { seq: number } | { at: number };

/** The view after an event. */
export interface PastView {
  event: RecordedSessionEvent;
  view: SessionView;
  picture: Sealed | undefined;
}

/** A session's view at a moment (AD2). Undefined if it has no event of that number, or none up to that time. */
export async function viewAtMoment(deps: ReadSessionDeps, id: string, moment: Moment): Promise<PastView | undefined> {
  let past: PastView | undefined;
  for await (const event of readAudit(deps, id, 0)) {
    if ('at' in moment && event.metadata.at > moment.at) break;
    const { picture } = pictureChange(event) ?? past ?? {};
    past = { event, view: evolveSessionView(past?.view, event), picture };
    if ('seq' in moment && event.revision + 1 >= moment.seq) break;
  }
  return past !== undefined && 'seq' in moment && past.event.revision + 1 !== moment.seq ? undefined : past;
}
