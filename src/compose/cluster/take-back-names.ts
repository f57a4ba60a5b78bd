import type { Ownership } from '../../../actors/ports/ownership.ts';
import type { Sessions } from '../../../actors/runtime/sessions.ts';
import type { SessionViews } from '../../../projections/session-view.ts';

export interface TakeBackNamesDeps {
  views: Pick<SessionViews, 'get'>;
  ownership: Pick<Ownership, 'owns'>;
  sessions: Pick<Sessions, 'rename'>;
}

/**
 * If the log gives the session names that are not its own (CL5.13), its owner records those that are: otherwise it would get the
 * others in views that are built anew when the first session's log is erased. To be called after each event of a session.
 */
export function takeBackNames({ views, ownership, sessions }: TakeBackNamesDeps, sessionId: string): void {
  const view = views.get(sessionId);
  if (view?.hasForeignNames !== true || !ownership.owns(sessionId)) return;
  const { externalId = '', label = '', tenant } = view;
  // The next event of the session is another occasion.
  sessions.rename(sessionId, { externalId, label, tenant }).catch(() => {});
}
