import type { SessionView } from '../../../projections/session-view.ts';
import type { AppDeps } from '../shared/app-types.ts';

/** The view of a session that is not deleted. The views may lag: a deletion counts once the session's actor has it. */
export function liveView(
  { sessions, views }: Pick<AppDeps, 'sessions' | 'views'>,
  id: string,
): SessionView | undefined {
  const view = views.get(id);
  return view === undefined || view.ended || sessions.isDeleted(id) ? undefined : view;
}
