import { copyFileSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type EventStore, type NewEvent, StoreUnavailableError } from '../../../../../actors/ports/event-store.ts';
import { systemClock, systemRandomness } from '../../../../../src/config/clock.ts';
import { type Database, NewerDatabaseError, openDatabase } from '../../../../../src/store/database.ts';
import { openSqliteStore } from '../../../../../src/store/events/sqlite/sqlite-store.ts';
import { createTemporaryFolder, type TemporaryFolder } from '../../../../support/kit/temporary-folder.ts';
import { aroundTransactions, createGroupCommit } from '../../../../support/store/group-commit.ts';

let folder: TemporaryFolder;
const opened: { close: () => unknown }[] = [];
beforeEach(async () => {
  folder = await createTemporaryFolder();
});
afterEach(async () => {
  for (const each of opened.splice(0)) await each.close();
  await folder.remove();
});

const file = (): string => join(folder.path, 'deeper', 'events.db');

function open(): EventStore {
  const store = openSqliteStore({ file: file(), clock: systemClock });
  opened.push(store);
  return store;
}

/** A connection beside the store's own. */
function openBeside(): Database {
  const database = openDatabase({ file: file(), migrations: ['', ''], durability: 'full' });
  opened.push(database);
  return database;
}

const event = (text = ''): NewEvent => ({
  id: systemRandomness.uuid(),
  type: 'Happened',
  data: { text },
  metadata: { text },
});

const bytesOnDisk = (): string =>
  readdirSync(join(folder.path, 'deeper'))
    .map((name) => readFileSync(join(folder.path, 'deeper', name), 'latin1'))
    .join('');

describe('the SQLite store', () => {
  it('writes everything of one turn of the event loop in one transaction', async () => {
    open();
    const database = openBeside();
    let transactions = 0;
    const writing = createGroupCommit(
      aroundTransactions(database, (work) => {
        transactions += 1;
        return work();
      }),
    );
    await Promise.all(Array.from({ length: 200 }, (_, index) => writing.append(`s-${index}`, 'no-stream', [event()])));
    expect(transactions).toBe(1);
    await writing.append('s-0', 0, [event()]);
    expect(transactions).toBe(2);
  });

  it('has handed an event to its subscribers when the append is answered', async () => {
    const store = open();
    const seen: string[] = [];
    await new Promise<void>((resolve) => {
      store.subscribeAll({ onEvent: ({ id }) => void seen.push(id), onCaughtUp: resolve });
    });
    for (let round = 0; round < 20; round += 1) {
      const next = event();
      await store.append('s', 'any', [next]);
      expect(seen.at(-1)).toBe(next.id);
    }
  });

  it('[SE11.2] leaves no byte of an erased stream on the disk', async () => {
    const store = open();
    const marker = 'erased-marker';
    const large = `${marker} `.repeat(5000);
    for (const text of [marker, large, marker]) await store.append('vault-1', 'any', [event(text), event(text)]);
    await store.append('vault-2', 'any', [event('kept-marker')]);
    expect(bytesOnDisk()).toContain(marker);
    await store.erase('vault-1');
    expect(bytesOnDisk()).not.toContain(marker);
    expect(bytesOnDisk()).toContain('kept-marker');
  });

  it('[SE11.2] leaves no byte of what was truncated once a stream is erased', async () => {
    const store = open();
    const { revision } = await store.append('vault-1', 'any', [event('old-marker'), event('new-marker')]);
    await store.truncate('vault-1', revision);
    await store.erase('vault-1');
    expect(bytesOnDisk()).not.toMatch(/old-marker|new-marker/);
  });

  it('says so when something keeps it from erasing whole, and does when it is asked again', async () => {
    const store = open();
    await store.append('vault-1', 'any', [event('erased-marker')]);
    const reader = openBeside();
    await expect(holdRead(reader, () => store.erase('vault-1'))).rejects.toThrow(StoreUnavailableError);
    await store.erase('vault-1');
    expect(bytesOnDisk()).not.toContain('erased-marker');
  });

  it('has everything in the one file once it is closed', async () => {
    const store = open();
    await store.append('s-1', 'no-stream', [event()]);
    await store.close();
    const copy = join(folder.path, 'copy.db');
    copyFileSync(file(), copy);
    const copied = openSqliteStore({ file: copy, clock: systemClock });
    opened.push(copied);
    expect(await copied.last('s-1')).toMatchObject({ revision: 0 });
  });

  it('is readable to its owner only', async () => {
    await open().append('s', 'any', [event()]);
    for (const name of readdirSync(join(folder.path, 'deeper'))) {
      expect(statSync(join(folder.path, 'deeper', name)).mode & 0o077).toBe(0);
    }
  });

  it('refuses a file that a newer version has written, and leaves it alone', () => {
    const migrations = Array.from({ length: 50 }, (_, index) => `CREATE TABLE t${index} (x)`);
    openDatabase({ file: file(), migrations, durability: 'full' }).close();
    expect(() => open()).toThrow(NewerDatabaseError);
    expect(() => open()).toThrow(/has format 50, this program knows up to \d+: it was written by a newer version/);
  });

  it('refuses a file that is no database, and leaves it alone', () => {
    mkdirSync(join(folder.path, 'deeper'));
    writeFileSync(file(), 'something else entirely'.repeat(1000));
    expect(() => open()).toThrow(/not a database/);
    expect(readFileSync(file(), 'utf8')).toContain('something else entirely');
  });

  it('fails whole while another process holds the file, and takes the same append afterwards', async () => {
    const store = open();
    const blocker = openBeside();
    const events = [event(), event()];
    const [refused] = await Promise.allSettled([holdWrite(blocker, () => store.append('s', 'no-stream', events))]);
    expect(refused).toMatchObject({ status: 'rejected', reason: { name: 'StoreUnavailableError' } });
    expect(await store.last('s')).toBeUndefined();
    expect(await store.append('s', 'no-stream', events)).toMatchObject({ revision: 1 });
  });

  it('notices when another process has appended', async () => {
    const [one, other] = [open(), open()];
    await one.append('s', 'no-stream', [event()]);
    await other.append('s', 0, [event()]);
    await expect(one.append('s', 0, [event()])).rejects.toMatchObject({ actual: 1 });
    expect(await one.append('s', 'any', [event()])).toMatchObject({ revision: 2 });
    await other.erase('s');
    expect(await one.append('s', 'no-stream', [event()])).toMatchObject({ revision: 0 });
  });
});

/** Runs work while the connection holds the write lock. */
async function holdWrite<T>(database: Database, work: () => Promise<T>): Promise<T> {
  database.prepare('BEGIN IMMEDIATE').run();
  try {
    return await work();
  } finally {
    database.prepare('ROLLBACK').run();
  }
}

/** Runs work while the connection reads: the log cannot be emptied. */
async function holdRead<T>(database: Database, work: () => Promise<T>): Promise<T> {
  database.prepare('BEGIN').run();
  database.prepare('SELECT count(*) FROM events').get();
  try {
    return await work();
  } finally {
    database.prepare('ROLLBACK').run();
  }
}
