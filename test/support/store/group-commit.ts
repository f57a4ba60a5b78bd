import { systemClock } from '../../../src/config/clock.ts';
import type { Database } from '../../../src/store/database.ts';
import { GroupCommit } from '../../../src/store/events/sqlite/group-commit.ts';

/** The writer of a database, which tells nobody. */
export function createGroupCommit(database: Database): GroupCommit {
  return new GroupCommit({
    database,
    clock: systemClock,
    checkpoint: { run: () => {} },
    onDamaged: () => {},
    outage: { failed: () => {}, succeeded: () => {} },
    onCommitted: () => {},
  });
}

/** The database, whose transactions do what `around` makes of their work. */
export function aroundTransactions(database: Database, around: (work: () => unknown) => unknown): Database {
  return {
    prepare: (sql) => database.prepare(sql),
    transaction: <T>(work: () => T) => database.transaction(() => around(work) as T),
    dataVersion: () => database.dataVersion(),
    checkpoint: () => database.checkpoint(),
    findFault: (depth) => database.findFault(depth),
    close: () => database.close(),
  };
}
