import type { SessionView } from '../../../projections/session-view.ts';
import { sessionNotFound } from '../../errors/gateway-error.ts';
import { iso } from '../session/session-object.ts';
import type { App, AppDeps } from '../shared/app-types.ts';
import { defaultPageLimit } from '../shared/paging.ts';
import { type SessionSummary, SessionsQuery } from './schemas.ts';

/** `GET /sessions` (AD5) and `GET /sessions/{id}`, with the API key. */
export function sessionListRoutes(app: App, { sessions, views }: Pick<AppDeps, 'sessions' | 'views'>): void {
  const summaryOf = (view: SessionView): SessionSummary => summary(view, sessions.state(view.id) === 'held');

  app.get('/sessions', { schema: { querystring: SessionsQuery } }, ({ query }) => {
    const { after = '', limit = defaultPageLimit, state } = query;
    // One more than requested shows whether there is another page.
    const found = views.list({ after, limit: Number(limit) + 1, ...(state !== undefined && { state }) });
    const docs = found.slice(0, Number(limit)).map((view) => summaryOf(view));
    return { docs, after: found.length > docs.length ? (docs.at(-1)?.id ?? '') : '' };
  });

  app.get('/sessions/:id', ({ params }) => {
    const view = views.get((params as { id: string }).id);
    if (view === undefined) throw sessionNotFound();
    return summaryOf(view);
  });
}

const summary = (
  { id, state, since, reason, deadline, created, externalId = '', label = '', webhook }: SessionView,
  held: boolean,
): SessionSummary => ({
  id,
  state,
  since: iso(since),
  reason,
  deadline: held ? '' : iso(deadline),
  created: iso(created),
  externalId,
  label,
  hasWebhook: webhook !== undefined,
  held,
});
