import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createProjectionRunner } from '../../../projections/projection-runner.ts';
import { openViewDatabase } from '../../../src/store/views/view-database.ts';
import { createDrivenClock, createSeededRandomness } from '../../support/kit/clock.ts';
import { createTemporaryFolder } from '../../support/kit/temporary-folder.ts';
import { created, sessionEvent } from '../../support/projections/session-events.ts';
import { allReadable } from '../../support/store/all-readable.ts';
import { createMemoryStore } from '../../support/store/memory-store.ts';

it('[CL2.12] the IDs of live sessions are read in pages, those that are not saved yet among them', async () => {
  const folder = await createTemporaryFolder();
  const clock = createDrivenClock();
  const random = createSeededRandomness(1, clock);
  const store = createMemoryStore(clock);
  const database = openViewDatabase(join(folder.path, 'views.db'));
  const views = createProjectionRunner({ store, database, clock, onError: () => {}, reportUnreadable: allReadable });
  onTestFinished(async () => {
    await views.stop();
    database.close();
    await folder.remove();
  });
  await views.start();
  for (const id of ['d', 'b', 'a', 'c']) {
    const creation = sessionEvent(random.uuid(), created, { to: 'qrPending' });
    await store.append(`session-${id}`, 'no-stream', [creation]);
  }
  const deletion = sessionEvent(random.uuid(), { type: 'SessionDeleted' }, { to: 'deleted' });
  const { position } = await store.append('session-b', 0, [deletion]);
  await views.waitFor(position);
  expect(views.liveIds('', 2)).toEqual(['a', 'c']);
  expect(views.liveIds('c', 2)).toEqual(['d']);
  expect(views.liveIds('d', 2)).toEqual([]);
});
