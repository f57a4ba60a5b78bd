import { join } from 'node:path';
import Libsql from 'libsql';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { EventReader, NewEvent, RecordedEvent } from '../../../../../actors/ports/event-store.ts';
import { systemClock } from '../../../../../src/config/clock.ts';
import { openSqliteReader, openSqliteStore } from '../../../../../src/store/events/sqlite/sqlite-store.ts';
import { createTemporaryFolder, type TemporaryFolder } from '../../../../support/kit/temporary-folder.ts';
import { collect, Follower } from '../../../../support/store/contract/given.ts';

let folder: TemporaryFolder;
beforeEach(async () => {
  folder = await createTemporaryFolder();
  const store = openSqliteStore({ file: file(), clock: systemClock });
  await store.append('session-a', 'no-stream', ids.map(event));
  await store.close();
});
afterEach(() => folder.remove());

const file = (): string => join(folder.path, 'events.db');
const ids = ['id-0', 'id-1', 'id-2'];
const event = (id: string): NewEvent => ({ id, type: 'T', data: { text: 'one' }, metadata: { by: 'test' } });

function change(sql: string): void {
  const database = new Libsql(file());
  database.exec(sql);
  database.close();
}

/** What every way to read the stream says of the second event. */
async function secondRead(): Promise<(RecordedEvent | undefined)[]> {
  const store = openSqliteStore({ file: file(), clock: systemClock });
  const reader: EventReader = openSqliteReader(file());
  const follower = new Follower(store, { prefixes: ['session-'] });
  await follower.caughtUp;
  await follower.stop();
  const seen = [
    (await collect(store.read('session-a')))[1],
    (await collect(store.readAll()))[1],
    (await collect(reader.readAll({ prefixes: ['session-'] })))[1],
    follower.seen[1],
  ];
  await store.close();
  await reader.close();
  return seen;
}

describe('[FA3.4] an event that was changed on the disk', () => {
  it.each([
    ['data', `data = '{"text":"onf"}'`],
    ['metadata', `metadata = '{"by":"tesu"}'`],
    ['type', `type = 'U'`],
    ['ID', `id = 'id-9'`],
    ['time', 'created = created + 1'],
  ])('is found by its checksum: its %s', async (_, changed) => {
    change(`UPDATE events SET ${changed} WHERE rev = 1`);
    for (const found of await secondRead()) {
      expect(found).toMatchObject({ revision: 1, data: null, metadata: null, damage: 'wrong-checksum' });
    }
  });

  it('is found by its checksum: the name of its stream', async () => {
    change(`UPDATE streams SET name = 'session-b'`);
    const store = openSqliteStore({ file: file(), clock: systemClock });
    expect((await collect(store.read('session-b'))).map(({ damage }) => damage)).toEqual(
      ids.map(() => 'wrong-checksum'),
    );
    expect(await store.last('session-b')).toMatchObject({ damage: 'wrong-checksum' });
    expect(await collect(store.lastOfEach('session-'))).toMatchObject([{ damage: 'wrong-checksum' }]);
    await store.close();
  });
});

it('[FA3.4] an event of an earlier version, which has no checksum, is read as it is', async () => {
  change('UPDATE events SET checksum = NULL WHERE rev = 1');
  for (const found of await secondRead()) {
    expect(found).toMatchObject({ revision: 1, data: { text: 'one' }, metadata: { by: 'test' } });
    expect(found).not.toHaveProperty('damage');
  }
});

it('[FA3.4] a file of the format before checksums is renewed, and read as it is', async () => {
  change('ALTER TABLE events DROP COLUMN checksum; PRAGMA user_version = 1');
  const reader = openSqliteReader(file());
  expect((await collect(reader.readAll())).map(({ id }) => id)).toEqual(ids);
  await reader.close();
  const store = openSqliteStore({ file: file(), clock: systemClock });
  await store.append('session-a', 2, [event('id-3')]);
  const found = await collect(store.read('session-a'));
  expect(found.map(({ id, damage }) => [id, damage])).toEqual([...ids, 'id-3'].map((id) => [id, undefined]));
  await store.close();
  change(`UPDATE events SET type = 'U' WHERE rev = 3`);
  const again = openSqliteStore({ file: file(), clock: systemClock });
  expect(await again.last('session-a')).toMatchObject({ id: 'id-3', damage: 'wrong-checksum' });
  await again.close();
});
