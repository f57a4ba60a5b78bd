import {
  appendFileSync,
  closeSync,
  openSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import Libsql from 'libsql';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isRetryable } from '../../../../../actors/kit/retryable.ts';
import type { EventStore, NewEvent } from '../../../../../actors/ports/event-store.ts';
import { systemClock, systemRandomness } from '../../../../../src/config/clock.ts';
import { DamagedDatabaseError } from '../../../../../src/store/database.ts';
import { openSqliteReader, openSqliteStore } from '../../../../../src/store/events/sqlite/sqlite-store.ts';
import { failureOf } from '../../../../support/kit/failure-of.ts';
import { createTemporaryFolder, type TemporaryFolder } from '../../../../support/kit/temporary-folder.ts';
import { collect } from '../../../../support/store/contract/given.ts';

const pageBytes = 4096;
/** More than SQLite's cache holds. */
const events = 3_000;

let folder: TemporaryFolder;
const opened: EventStore[] = [];
let damages: Error[];
beforeEach(async () => {
  folder = await createTemporaryFolder();
  damages = [];
});
afterEach(async () => {
  for (const store of opened.splice(0)) await store.close();
  await folder.remove();
});

const file = (): string => join(folder.path, 'events.db');

function open(): EventStore {
  const onDamaged = (error: Error): void => void damages.push(error);
  const store = openSqliteStore({ file: file(), clock: systemClock, onDamaged });
  opened.push(store);
  return store;
}

const event = (): NewEvent => ({
  id: systemRandomness.uuid(),
  type: 'T',
  data: { text: 'x'.repeat(2_000) },
  metadata: {},
});

async function fill(store: EventStore): Promise<void> {
  await Promise.all(Array.from({ length: events }, (_, at) => store.append(`session-${at % 100}`, 'any', [event()])));
  const other = new Libsql(file());
  other.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  other.close();
}

function zeroPages(first: number, count: number): void {
  const descriptor = openSync(file(), 'r+');
  writeSync(descriptor, Buffer.alloc(pageBytes * count), 0, pageBytes * count, pageBytes * first);
  closeSync(descriptor);
}

const sentence = (): RegExp => new RegExp(`^${file()} is damaged \\(.+\\): restore .+ from a backup, .+$`);

describe('[FA3.1] a damaged file is refused, with one sentence that names it and says what to do', () => {
  it.each<[string, () => void]>([
    ['its second page is zeroed', () => zeroPages(1, 1)],
    ['ten pages in its middle are zeroed', () => zeroPages(400, 10)],
    ['its last page is zeroed', () => zeroPages(statSync(file()).size / pageBytes - 1, 1)],
    ['its head is destroyed', () => zeroPages(0, 1)],
    [
      'its head is another one',
      () => writeFileSync(file(), Buffer.concat([Buffer.from('GIF89a'), readFileSync(file())])),
    ],
    ['it is cut off', () => truncateSync(file(), 200 * pageBytes)],
  ])('%s', async (_, damage) => {
    const store = open();
    await fill(store);
    await store.close();
    damage();
    const error = await failureOf(Promise.resolve().then(() => open()));
    expect(error).toBeInstanceOf(DamagedDatabaseError);
    expect((error as Error).message).toMatch(sentence());
    expect(isRetryable(error)).toBe(false);
  });

  it('but not one with rubbish behind its end', async () => {
    await fill(open());
    await opened.pop()?.close();
    appendFileSync(file(), Buffer.alloc(pageBytes));
    expect(await collect(open().readAll())).toHaveLength(events);
  });
});

describe('[FA3.2] a file that is damaged while it is open', () => {
  beforeEach(async () => {
    await fill(open());
    zeroPages(20, 1_000);
  });

  it('ends reads with the error, and reports it once', async () => {
    const [store] = opened as [EventStore];
    for (let round = 0; round < 2; round += 1) {
      const error = await failureOf(collect(store.readAll()));
      expect(error).toBeInstanceOf(DamagedDatabaseError);
      expect((error as Error).message).toMatch(sentence());
    }
    expect(damages).toHaveLength(1);
  });

  it('ends a subscription with the error instead of reading again in silence', async () => {
    const [store] = opened as [EventStore];
    const error = await new Promise((resolve) => {
      store.subscribeAll({ onEvent: () => {}, onError: resolve });
    });
    expect(error).toBeInstanceOf(DamagedDatabaseError);
    expect(damages).toHaveLength(1);
  });

  it('refuses appends with the error', async () => {
    const [store] = opened as [EventStore];
    const outcomes = await Promise.allSettled(
      Array.from({ length: 100 }, (_, at) => store.append(`session-${at}`, 'any', [event()])),
    );
    const reasons = outcomes.map((outcome) => (outcome.status === 'rejected' ? outcome.reason : undefined));
    expect(reasons).toContainEqual(expect.any(DamagedDatabaseError));
    expect(damages).toHaveLength(1);
  });
});

it('[FA3.3] a reader can check the whole file, its indices too', async () => {
  const store = open();
  await store.append('session-a', 'no-stream', [event(), event()]);
  await store.close();
  const reader = openSqliteReader(file());
  expect(reader.findFault?.()).toBeUndefined();
  await reader.close();
  const other = new Libsql(file());
  other.exec(`PRAGMA writable_schema = ON;
    UPDATE sqlite_schema SET name = 'other_index', sql = 'CREATE INDEX other_index ON events (id)'
      WHERE name = 'sqlite_autoindex_events_1'`);
  other.close();
  const changed = openSqliteReader(file());
  expect(changed.findFault?.()).toMatch(/.+/);
  await changed.close();
});
