import { afterEach, beforeEach, expect, it } from 'vitest';
import { isUnreadable } from '../../../actors/ports/event-codec.ts';
import { sessionStream } from '../../../actors/session/events.ts';
import { sessionCodec } from '../../../actors/session/session-codec.ts';
import { eventsOfExport, exportSession } from '../../../src/audit/session-export.ts';
import { systemClock } from '../../../src/config/clock.ts';
import { openSqliteStore } from '../../../src/store/events/sqlite/sqlite-store.ts';
import { createHistory } from '../../support/actors/session-histories.ts';
import { createSeededRandomness } from '../../support/kit/clock.ts';
import { createTemporaryFolder, type TemporaryFolder } from '../../support/kit/temporary-folder.ts';

let folder: TemporaryFolder;
beforeEach(async () => {
  folder = await createTemporaryFolder();
});
afterEach(() => folder.remove());

it('[AD6.3] an exported life has all that its events need to be read again', async () => {
  const store = openSqliteStore({ file: `${folder.path}/events.db`, clock: systemClock });
  const types = new Set<string>();
  for (let seed = 1; seed <= 12; seed += 1) {
    const id = `0190a000-0000-7000-8000-0000000000${String(seed).padStart(2, '0')}`;
    const history = createHistory(createSeededRandomness(seed, systemClock), Date.UTC(2026, 0, 1));
    const events = Array.from({ length: 60 }, () => history.next()).filter((event) => event !== undefined);
    await store.append(sessionStream(id), 'no-stream', events);
    const deps = {
      store,
      reportUnreadable: () => {
        throw new Error('the history itself cannot be read');
      },
    };
    const exported = await exportSession(deps, id, 0);
    const read = eventsOfExport(JSON.stringify(exported)).map((event) => sessionCodec.decode(event));
    expect(read.filter(isUnreadable)).toEqual([]);
    for (const event of read) if (!isUnreadable(event)) types.add(event.type);
  }
  // Among them those that came with logins by code and by session string.
  expect([...types]).toEqual(expect.arrayContaining(['CodeSent', 'LoginImported', 'LoginExported', 'LoggedIn']));
  await store.close();
});
