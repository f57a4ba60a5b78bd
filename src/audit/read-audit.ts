import type { EventStore, RecordedEvent } from '../../actors/ports/event-store.ts';
import { sessionStream, type TransitionMetadata } from '../../actors/session/events.ts';
import { evolveSessionView } from '../../projections/evolve-session-view.ts';
import type { SessionView } from '../../projections/session-view.ts';

export interface AuditPart {
  store: Pick<EventStore, 'read'>;
}

/** The events of a session's log after the one with this number (0: from the beginning), at most so many. */
export function readAudit(
  { store }: AuditPart,
  id: string,
  after: number,
  limit?: number,
): AsyncIterable<RecordedEvent> {
  return store.read(sessionStream(id), { from: after, ...(limit !== undefined && { limit }) });
}

/** A moment of a session's life: the event of this number, or the last one at this time (milliseconds since 1970). */
export type Moment = { seq: number } | { at: number };

/** What a reader saw after an event. */
export interface PastView {
  event: RecordedEvent;
  view: SessionView;
}

/** A session as it was (AD2): its events folded up to the moment; undefined where there were none yet, or so many. */
export async function viewAtMoment(part: AuditPart, id: string, moment: Moment): Promise<PastView | undefined> {
  let past: PastView | undefined;
  for await (const event of readAudit(part, id, 0)) {
    if ('at' in moment && (event.metadata as unknown as TransitionMetadata).at > moment.at) break;
    past = { event, view: evolveSessionView(past?.view, event) };
    if ('seq' in moment && event.revision + 1 >= moment.seq) break;
  }
  return past !== undefined && 'seq' in moment && past.event.revision + 1 !== moment.seq ? undefined : past;
}
