import type { ViewDatabase } from '../../../projections/view-database.ts';

export interface WatchedDatabase extends ViewDatabase {
  /** How often the views were saved, or that was tried. */
  saves: number;
  /** Saving fails as long as it is there. */
  failure: Error | undefined;
}

/** A database of views that counts what is saved, and refuses on demand. */
export function watchDatabase(database: ViewDatabase): WatchedDatabase {
  return {
    saves: 0,
    failure: undefined,
    get progress() {
      return database.progress;
    },
    get: (id) => database.get(id),
    picture: (id) => database.picture(id),
    list: (options) => database.list(options),
    liveIds: (after, limit) => database.liveIds(after, limit),
    byExternalKey: (key) => database.byExternalKey(key),
    countByState: (tenant) => database.countByState(tenant),
    countOfKeys: (ids) => database.countOfKeys(ids),
    side: (name) => database.side(name),
    ends: (after, limit) => database.ends(after, limit),
    remove: (ids) => database.remove(ids),
    clear: () => database.clear(),
    close: () => database.close(),
    save(changes, progress) {
      this.saves += 1;
      if (this.failure !== undefined) throw this.failure;
      database.save(changes, progress);
    },
  };
}
