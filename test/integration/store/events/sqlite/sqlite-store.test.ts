import { join } from 'node:path';
import { systemClock } from '../../../../../src/config/clock.ts';
import { openSqliteStore } from '../../../../../src/store/events/sqlite/sqlite-store.ts';
import { createTemporaryFolder } from '../../../../support/kit/temporary-folder.ts';
import { describeEventStore } from '../../../../support/store/contract/event-store.ts';

describeEventStore('sqlite', async () => {
  const folder = await createTemporaryFolder();
  const open = () => openSqliteStore({ file: join(folder.path, 'events.db'), clock: systemClock });
  return { store: open(), reopen: async () => open(), dispose: folder.remove };
});
