import { GatewayError } from '../../errors/gateway-error.ts';
import { type CustomerLink, stateOfLink } from '../../links/customer-link.ts';
import { linkStream } from '../../links/link-events.ts';
import { linkNotFound } from '../../links/link-sessions.ts';
import { type Caller, ownersOf } from '../access/caller.ts';
import { scopeOfGroup } from '../access/route-scopes.ts';
import { readTime } from '../audit/read-time.ts';
import { iso } from '../session/session-object.ts';
import { settingsOfCreation } from '../session/settings-from.ts';
import type { App, AppDeps } from '../shared/app-types.ts';
import { readWritesOf } from '../shared/read-your-writes.ts';
import { LinkBody, type LinkSchema, LinksQuery, type NewLink } from './schemas.ts';

type Deps = Pick<AppDeps, 'links' | 'linkBook' | 'clock' | 'publicUrl' | 'store' | 'hops'>;

/** OS5: how long a link lasts if its maker does not say, and at most. */
const defaultLifeMs = 24 * 60 * 60_000;
const longestLifeMs = 7 * 24 * 60 * 60_000;
/** A page's length if the query does not say. */
const defaultLinks = 50;

/** `/links` (OS5), with a key of the scope `sessions:create`; one with a tenant sees the links of its tenant alone. */
export function linkRoutes(app: App, deps: Deps): void {
  void app.register(async (group: App) => {
    scopeOfGroup(group, 'sessions:create');
    addRoutes(group, deps);
  });
}

function addRoutes(app: App, deps: Deps): void {
  const { links, linkBook, clock, publicUrl } = deps;
  app.post('/links', { schema: { body: LinkBody } }, async ({ caller, body }): Promise<NewLink> => {
    const expires = expiryOf(body, clock.now());
    const settings = settingsOfCreation(body.session ?? {});
    const proxy = body.session?.proxy?.url || undefined;
    const { link, token } = await links.issue({ settings, proxy, expires, ...ownersOf(caller) }, caller.name);
    await readWritesOf(deps, linkStream(link.id));
    return { id: link.id, url: `${publicUrl()}/link/#${token}`, expires: iso(expires) };
  });

  app.get('/links', { schema: { querystring: LinksQuery } }, ({ query, caller }) => {
    const { after = '', limit = defaultLinks, state: wanted = 'open' } = query;
    const found = linkBook
      .list()
      .filter((link) => link.id > after && sees(caller, link))
      .map((link) => linkObject(link, clock.now()))
      .filter(({ state }) => wanted === 'any' || state === wanted);
    const docs = found.slice(0, Number(limit));
    return { docs, after: found.length > docs.length ? (docs.at(-1)?.id ?? '') : '' };
  });

  app.delete('/links/:id', async ({ params, caller }) => {
    const { id } = params as { id: string };
    const link = linkBook.get(id);
    if (link === undefined || !sees(caller, link)) throw linkNotFound();
    if (!(await links.withdraw(id, caller.name))) throw linkNotFound();
    await readWritesOf(deps, linkStream(id));
    return { id };
  });
}

const sees = ({ powers: { tenant } }: Caller, link: CustomerLink): boolean =>
  tenant === undefined || link.tenant === tenant;

/** @throws {GatewayError} 400 */
function expiryOf({ expires: until }: LinkBody, now: number): number {
  if (!until) return now + defaultLifeMs;
  const expires = readTime(until);
  if (expires === undefined) throw new GatewayError(400, 'expires must be an ISO 8601 time');
  if (expires <= now) throw new GatewayError(400, 'expires must be in the future');
  if (expires > now + longestLifeMs) throw new GatewayError(400, 'expires must be within 7 days');
  return expires;
}

function linkObject(link: CustomerLink, now: number): LinkSchema {
  const {
    id,
    externalId = '',
    label = '',
    tenant = '',
    created,
    by,
    expires,
    end,
    sessionId = '',
    sessionsMade,
  } = link;
  const times = { created: iso(created), by, expires: iso(expires), ended: iso(end?.at) };
  return { id, state: stateOfLink(link, now), externalId, label, tenant, ...times, session: sessionId, sessionsMade };
}
