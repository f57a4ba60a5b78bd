import type { Sealed } from '../../../actors/ports/sealer.ts';
import type { ListOptions, SessionView } from '../../../projections/session-view.ts';
import type { ViewDatabase, ViewProgress } from '../../../projections/view-database.ts';

/** Views on a disk that is a map: they outlive the process. */
export function createMemoryViewDatabase(): ViewDatabase {
  const rows = new Map<string, SessionView>();
  const pictures = new Map<string, Sealed | undefined>();
  let kept: ViewProgress | undefined;
  return {
    get progress() {
      return kept;
    },
    get: (id) => rows.get(id),
    picture: (id) => pictures.get(id),
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
    save(changes, progress) {
      for (const view of changes.views) rows.set(view.id, view);
      for (const [id, picture] of changes.pictures) pictures.set(id, picture);
      kept = progress;
    },
    remove(ids) {
      for (const id of ids) {
        rows.delete(id);
        pictures.delete(id);
      }
    },
    clear() {
      rows.clear();
      pictures.clear();
      kept = undefined;
    },
    close: () => {},
  };
}

function isWanted({ state, ended }: SessionView, wanted: ListOptions['state']): boolean {
  if (wanted === undefined || wanted === 'ended') return ended === (wanted === 'ended');
  return wanted === 'any' || state === wanted;
}
