import { type ListOrder, placeInList, type SessionView } from '../../../projections/session-view.ts';
import { GatewayError, sessionNotFound } from '../../errors/gateway-error.ts';
import { maySee } from '../access/caller.ts';
import { iso } from '../session/session-object.ts';
import type { App, AppDeps } from '../shared/app-types.ts';
import { defaultPageLimit } from '../shared/paging.ts';
import { type SessionSummary, SessionsQuery } from './schemas.ts';

/** `GET /sessions` (AD5) and `GET /sessions/{id}`, with a key; each sees its tenant's sessions alone (KY2). */
export function sessionListRoutes(
  app: App,
  { sessions, views, hops }: Pick<AppDeps, 'sessions' | 'views' | 'hops'>,
): void {
  /** Only a session's owner knows whether it is held. */
  const summariesOf = async (shown: readonly SessionView[]): Promise<SessionSummary[]> => {
    const live = shown.filter(({ ended }) => !ended).map(({ id }) => id);
    const elsewhere = await hops?.heldElsewhere(live);
    return shown.map((view) => summary(view, sessions.state(view.id) === 'held' || elsewhere?.has(view.id) === true));
  };

  app.get('/sessions', { schema: { querystring: SessionsQuery } }, async ({ query, caller }) => {
    const { after = '', limit = defaultPageLimit, sort = 'created', state, q } = query;
    if (!isPlaceIn(sort, after)) throw new GatewayError(400, 'after must be that of a page in the same order');
    // One more than requested shows whether there is another page.
    const { tenant } = caller.powers;
    // Of another tenant there is nothing to see.
    if (tenant !== undefined && query.tenant && query.tenant !== tenant) return { docs: [], after: '' };
    const found = views.list({
      after,
      sort,
      limit: Number(limit) + 1,
      tenant: tenant ?? (query.tenant || undefined),
      externalId: query.externalId || undefined,
      label: query.label || undefined,
      q: q?.trim().toLowerCase() || undefined,
      ...(state !== undefined && { state }),
    });
    const shown = found.slice(0, Number(limit));
    const last = found.length > shown.length ? shown.at(-1) : undefined;
    return { docs: await summariesOf(shown), after: last === undefined ? '' : placeInList(last, sort) };
  });

  app.get('/sessions/:id', async ({ params, caller }) => {
    const view = views.get((params as { id: string }).id);
    if (view === undefined || !maySee(caller, view)) throw sessionNotFound();
    const [shown] = await summariesOf([view]);
    return shown;
  });
}

/** A list that is sorted by times goes on after a time and an ID; one that is not, after any text. */
const isPlaceIn = (sort: ListOrder, after: string): boolean =>
  after === '' || !sort.endsWith('since') || /^\d{1,15}\../.test(after);

const summary = (
  { id, state, since, reason, deadline, created, externalId = '', label = '', webhook, tenant = '' }: SessionView,
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
  tenant,
  held,
});
