import { join } from 'node:path';
import { systemClock } from '../../../../../src/config/clock.ts';
import { openSqliteStore } from '../../../../../src/store/events/sqlite/sqlite-store.ts';
import { createTemporaryFolder } from '../../../../support/kit/temporary-folder.ts';
import { describeEventStore } from '../../../../support/store/contract/event-store.ts';
import { plantInSqlite } from '../../../../support/store/plant-event.ts';

describeEventStore('sqlite', async () => {
  const folder = await createTemporaryFolder();
  const file = join(folder.path, 'events.db');
  const open = () => openSqliteStore({ file, clock: systemClock });
  return {
    store: open(),
    reopen: async () => open(),
    plant: (stream, event) => plantInSqlite(file, stream, event),
    dispose: folder.remove,
  };
});
