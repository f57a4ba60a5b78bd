import type { Partitions } from '../../../actors/ports/ownership.ts';
import type { SessionView, SessionViews } from '../../../projections/session-view.ts';

/** Views read at once. */
const pageViews = 250;

/** The sessions of these partitions that are not deleted. */
export function sessionsIn(views: Pick<SessionViews, 'list'>, partitions: Partitions): SessionView[] {
  const found: SessionView[] = [];
  let page: SessionView[] = [];
  do {
    const after = page.at(-1)?.id;
    page = views.list({ limit: pageViews, ...(after !== undefined && { after }) });
    found.push(...page.filter(({ id }) => partitions.has(id)));
  } while (page.length === pageViews);
  return found;
}
