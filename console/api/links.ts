import { request } from './request.ts';
import type { LinkDoc, MadeLink, SessionSummary } from './types.ts';

/** The customers' links (OS5), with the API key or a key of the scope `sessions:create`. */

const hourMs = 3_600_000;
/** The API takes up to 7 days ahead by its own clock, which may be behind that of this computer. */
const skewMs = 60_000;

/** The page's length. */
const pageLength = 100;

/** @param hours how long it lasts, up to 7 days */
export function makeLink(names: Pick<SessionSummary, 'label' | 'externalId'>, hours: number): Promise<MadeLink> {
  const session = Object.fromEntries(Object.entries(names).filter(([, name]) => name !== ''));
  const expires = new Date(Date.now() + hours * hourMs - skewMs).toISOString();
  return request('POST', '/links', { body: { session, expires } });
}

/** One page, from the oldest. */
export const loadLinks = (
  state: string,
  after: string,
  signal?: AbortSignal,
): Promise<{ docs: LinkDoc[]; after: string }> => {
  const query = new URLSearchParams({ state, after, limit: String(pageLength) });
  return request('GET', `/links?${query.toString()}`, signal === undefined ? {} : { signal });
};

export const withdrawLink = (id: string): Promise<unknown> => request('DELETE', `/links/${encodeURIComponent(id)}`);

/**
 * A link that leads to a session: its page finds it by the external ID, among the sessions of the same tenant.
 * @throws {Error} the key has another tenant than the session
 */
export async function makeLinkOf(
  { label, externalId, tenant }: Pick<SessionSummary, 'label' | 'externalId' | 'tenant'>,
  hours: number,
): Promise<MadeLink> {
  const made = await makeLink({ label, externalId }, hours);
  if (tenant === '' || (await tenantOf(made.id)) === tenant) return made;
  await withdrawLink(made.id);
  throw new Error(`the session is of the tenant ${tenant}: only a key of that tenant makes its link`);
}

async function tenantOf(id: string): Promise<string | undefined> {
  let after = '';
  do {
    const page = await loadLinks('open', after);
    const link = page.docs.find((one) => one.id === id);
    if (link !== undefined) return link.tenant;
    ({ after } = page);
  } while (after !== '');
  return undefined;
}
