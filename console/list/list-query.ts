import { type SessionState, sessionStates } from '../../actors/session/events.ts';

/** `live`: every state but `deleted`; `any`: all of them. */
export type StateFilter = 'live' | 'any' | SessionState;

export const stateFilters: readonly StateFilter[] = ['live', ...sessionStates, 'any'];

/** The orders that the API has. */
const sortOrders = ['-created', 'created', '-since', 'since'] as const;
export type SortOrder = (typeof sortOrders)[number];

/** What the list shows, as its address has it. Empty texts ask for nothing. */
export interface ListQuery {
  state: StateFilter;
  /** Characters of the ID, the external ID or the label. */
  q: string;
  tenant: string;
  externalId: string;
  label: string;
  sort: SortOrder;
  /** The `after` of the page before. */
  after: string;
}

export const everyLiveSession: ListQuery = {
  state: 'live',
  q: '',
  tenant: '',
  externalId: '',
  label: '',
  sort: '-created',
  after: '',
};

const listHash = /^#\/sessions(?:\?(.*))?$/;
const texts = ['q', 'tenant', 'externalId', 'label', 'after'] as const;

/** Reads the part of the address after `#`; undefined if it is not that of the list. What it does not know is left out. */
export function readListQuery(hash: string): ListQuery | undefined {
  const found = listHash.exec(hash);
  if (found === null) return undefined;
  const fields = new URLSearchParams(found[1] ?? '');
  const query = { ...everyLiveSession };
  for (const name of texts) query[name] = fields.get(name) ?? '';
  query.state = stateFilters.find((state) => state === fields.get('state')) ?? query.state;
  query.sort = sortOrders.find((sort) => sort === fields.get('sort')) ?? query.sort;
  return query;
}

/** The address of a list; what is as always is not in it. */
export function listHref(query: Partial<ListQuery>): string {
  const fields = new URLSearchParams(
    Object.entries(query).filter(([name, value]) => value !== everyLiveSession[name as keyof ListQuery]),
  );
  return fields.size === 0 ? '#/sessions' : `#/sessions?${fields.toString()}`;
}

/** The query of `GET /sessions`. */
export function apiQueryOf({ state, ...rest }: ListQuery, limit: number): string {
  const fields = new URLSearchParams({ limit: String(limit) });
  if (state !== 'live') fields.set('state', state);
  for (const [name, value] of Object.entries(rest)) if (value.trim() !== '') fields.set(name, value.trim());
  return fields.toString();
}
