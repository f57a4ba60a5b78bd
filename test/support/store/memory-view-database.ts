import type { ListOptions, SessionView } from '../../../projections/session-view.ts';
import type { ViewDatabase, ViewProgress } from '../../../projections/view-database.ts';

/** Views on a disk that is a map: they outlive the process. */
export function createMemoryViewDatabase(): ViewDatabase {
  const rows = new Map<string, SessionView>();
  let kept: ViewProgress | undefined;
  return {
    get progress() {
      return kept;
    },
    get: (id) => rows.get(id),
    list: ({ after = '', limit, state }) =>
      [...rows.values()]
        .filter((view) => view.id > after && isWanted(view, state))
        .toSorted((one, other) => (one.id < other.id ? -1 : 1))
        .slice(0, limit),
    countByState() {
      const counts: ReturnType<ViewDatabase['countByState']> = {};
      for (const { state } of rows.values()) counts[state] = (counts[state] ?? 0) + 1;
      return counts;
    },
    save(views, progress) {
      for (const view of views) rows.set(view.id, view);
      kept = progress;
    },
    remove(ids) {
      for (const id of ids) rows.delete(id);
    },
    clear() {
      rows.clear();
      kept = undefined;
    },
    close: () => {},
  };
}

function isWanted({ state, ended }: SessionView, wanted: ListOptions['state']): boolean {
  if (wanted === undefined || wanted === 'ended') return ended === (wanted === 'ended');
  return wanted === 'any' || state === wanted;
}
