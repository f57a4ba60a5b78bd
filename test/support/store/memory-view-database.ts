import type { Sealed } from '../../../actors/ports/sealer.ts';
import type { SessionEnd } from '../../../actors/session/restore.ts';
import {
  externalKeyOf,
  type ListOptions,
  type ListOrder,
  placeInList,
  type SessionView,
  searchTextOf,
} from '../../../projections/session-view.ts';
import type { ViewDatabase, ViewProgress } from '../../../projections/view-database.ts';

/** Views on a disk that is a map: they outlive the process. */
export function createMemoryViewDatabase(): ViewDatabase {
  const rows = new Map<string, SessionView>();
  const pictures = new Map<string, Sealed | undefined>();
  const ends = new Map<string, SessionEnd>();
  const sideRows = new Map<string, Map<string, string>>();
  let kept: ViewProgress | undefined;
  return {
    get progress() {
      return kept;
    },
    get: (id) => rows.get(id),
    picture: (id) => pictures.get(id),
    list: ({ after = '', limit, sort = 'created', state, q = '', ...names }) =>
      [...rows.values()]
        .filter((view) => isWanted(view, state) && searchTextOf(view).includes(q))
        .filter((view) => after === '' || inOrder(sort)(placeInList(view, sort), after) > 0)
        .filter((view) =>
          (['tenant', 'externalId', 'label'] as const).every((name) => (names[name] ?? view[name]) === view[name]),
        )
        .toSorted((one, other) => inOrder(sort)(placeInList(one, sort), placeInList(other, sort)))
        .slice(0, limit),
    liveIds: (after, limit) =>
      [...rows.values()]
        .filter(({ id, ended }) => !ended && id > after)
        .map(({ id }) => id)
        .toSorted()
        .slice(0, limit),
    byExternalKey: (key) => [...rows.values()].find((view) => externalKeyOf(view) === key),
    countByState(tenant) {
      const counts: ReturnType<ViewDatabase['countByState']> = {};
      const counted = [...rows.values()].filter((view) => tenant === undefined || view.tenant === tenant);
      for (const { state } of counted) counts[state] = (counts[state] ?? 0) + 1;
      return counts;
    },
    countOfKeys: (ids) => [...rows.values()].filter(({ key = '', ended }) => !ended && ids.includes(key)).length,
    ends: (after, limit) =>
      [...ends.values()]
        .filter(({ id }) => id > after)
        .toSorted((one, other) => (one.id < other.id ? -1 : 1))
        .slice(0, limit),
    save(changes, progress) {
      for (const view of changes.views) rows.set(view.id, view);
      for (const [id, picture] of changes.pictures) pictures.set(id, picture);
      for (const [id, end] of changes.ends) {
        if (end === undefined) ends.delete(id);
        else ends.set(id, end);
      }
      for (const [name, sides] of changes.sides) {
        const own = sideRows.get(name) ?? new Map<string, string>();
        sideRows.set(name, own);
        for (const [key, value] of sides) {
          if (value === undefined) own.delete(key);
          else own.set(key, value);
        }
      }
      kept = progress;
    },
    side: (name) => ({
      rows: () => sideRows.get(name) ?? [],
      get: (key) => sideRows.get(name)?.get(key),
      range: ({ after, before, limit, tenant }) =>
        [...(sideRows.get(name) ?? [])]
          .filter(([key, value]) => key > after && key < before && isOfTenant(value, tenant))
          .toSorted(([one], [other]) => (one < other ? -1 : 1))
          .slice(0, limit),
    }),
    remove(ids) {
      for (const id of ids) {
        rows.delete(id);
        pictures.delete(id);
        ends.delete(id);
      }
    },
    clear() {
      rows.clear();
      pictures.clear();
      ends.clear();
      sideRows.clear();
      kept = undefined;
    },
    close: () => {},
  };
}

const isOfTenant = (value: string, tenant: string | undefined): boolean =>
  tenant === undefined || (JSON.parse(value) as { tenant?: string }).tenant === tenant;

function isWanted({ state, ended }: SessionView, wanted: ListOptions['state']): boolean {
  if (wanted === undefined || wanted === 'ended') return ended === (wanted === 'ended');
  return wanted === 'any' || state === wanted;
}

/** Times of the same number of digits are compared as texts. */
const inOrder =
  (sort: ListOrder) =>
  (one: string, other: string): number => {
    if (one === other) return 0;
    return one < other === sort.startsWith('-') ? 1 : -1;
  };
