import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import {
  type NewEvent,
  StoreUnavailableError,
  WrongExpectedRevisionError,
} from '../../../../../actors/ports/event-store.ts';
import { systemRandomness } from '../../../../../src/config/clock.ts';
import { type Database, openDatabase } from '../../../../../src/store/database.ts';
import { GroupCommit } from '../../../../../src/store/events/sqlite/group-commit.ts';
import { openSqliteStore } from '../../../../../src/store/events/sqlite/sqlite-store.ts';
import { WriteOutage } from '../../../../../src/store/events/sqlite/write-outage.ts';
import { createDrivenClock, type DrivenClock } from '../../../../support/kit/clock.ts';
import { createTemporaryFolder, type TemporaryFolder } from '../../../../support/kit/temporary-folder.ts';

/** A file that takes no more pages, as on a full disk. */

let folder: TemporaryFolder;
let clock: DrivenClock;
let database: Database;
let writing: GroupCommit;
let outage: WriteOutage;
let lines: string[];
const note = (_fields: object, message: string): void => void lines.push(message);
const log = { info: note, warn: note, error: note };

beforeEach(async () => {
  folder = await createTemporaryFolder();
  clock = createDrivenClock();
  lines = [];
  const file = join(folder.path, 'events.db');
  await openSqliteStore({ file, clock }).close();
  database = openDatabase({ file, migrations: ['', ''], durability: 'full' });
  outage = new WriteOutage({ clock, log, probe: () => writing.probe() });
  writing = new GroupCommit({
    database,
    clock,
    checkpoint: { run: () => {} },
    onDamaged: () => {},
    outage,
    onCommitted: () => {},
  });
});
afterEach(async () => {
  writing.close();
  outage.stop();
  database.close();
  await folder.remove();
});

const event = (characters: number): NewEvent => ({
  id: systemRandomness.uuid(),
  type: 'Happened',
  data: 'x'.repeat(characters),
  metadata: {},
});
const limitTo = (pages: number): unknown => database.prepare(`PRAGMA max_page_count = ${pages}`).get();
const pagesNow = (): number => Number(database.prepare('PRAGMA page_count').get()?.[0]);

it('[FA2.1] is away from the first append that fails, and back with the next one that succeeds', async () => {
  await writing.append('s', 'no-stream', [event(100)]);
  expect(outage.outage).toBeUndefined();
  limitTo(pagesNow());
  await clock.advance(5_000);
  await expect(writing.append('s', 0, [event(100_000)])).rejects.toThrow(StoreUnavailableError);
  expect(outage.outage).toEqual({ since: clock.now(), reason: 'database or disk is full' });
  await expect(writing.append('s', 0, [event(100_000)])).rejects.toThrow(StoreUnavailableError);
  expect(lines).toEqual(['the event store cannot write']);
  await writing.append('s', 0, [event(1)]);
  expect(outage.outage).toBeUndefined();
  expect(lines).toEqual(['the event store cannot write', 'the event store can write again']);
});

it('[FA2.1] is found to be back within a second, without an append, and nothing is left of the probe', async () => {
  await writing.append('s', 'no-stream', [event(100)]);
  const pages = pagesNow();
  limitTo(pages);
  await expect(writing.append('s', 0, [event(100_000)])).rejects.toThrow(StoreUnavailableError);
  for (let seconds = 0; seconds < 60; seconds += 1) await clock.advance(1_000);
  expect(outage.outage?.reason).toBe('database or disk is full');
  limitTo(pages + 1_000);
  await clock.advance(1_000);
  expect(outage.outage).toBeUndefined();
  expect(clock.armed()).toBe(0);
  expect(database.prepare('SELECT name FROM streams').all()).toEqual([['s']]);
  expect(database.prepare('SELECT rev FROM events').all()).toEqual([[0]]);
  await expect(writing.append('s', 0, [event(100_000)])).resolves.toMatchObject({ revision: 1 });
});

it('[FA2.1] is not away because an append is refused', async () => {
  await writing.append('s', 'no-stream', [event(1)]);
  await expect(writing.append('s', 'no-stream', [event(1)])).rejects.toThrow(WrongExpectedRevisionError);
  expect(outage.outage).toBeUndefined();
});
