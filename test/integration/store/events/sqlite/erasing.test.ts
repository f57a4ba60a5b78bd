import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type EventStore, type NewEvent, StoreUnavailableError } from '../../../../../actors/ports/event-store.ts';
import { systemRandomness } from '../../../../../src/config/clock.ts';
import { type Database, openDatabase } from '../../../../../src/store/database.ts';
import { openSqliteStore } from '../../../../../src/store/events/sqlite/sqlite-store.ts';
import { createDrivenClock } from '../../../../support/kit/clock.ts';
import { createTemporaryFolder, type TemporaryFolder } from '../../../../support/kit/temporary-folder.ts';

let folder: TemporaryFolder;
let clock: ReturnType<typeof createDrivenClock>;
let said: { level: string; fields: Record<string, unknown>; message: string }[];
const opened: { close: () => unknown }[] = [];
beforeEach(async () => {
  folder = await createTemporaryFolder();
  clock = createDrivenClock();
  said = [];
});
afterEach(async () => {
  for (const each of opened.splice(0)) await each.close();
  await folder.remove();
});

const file = (): string => join(folder.path, 'events.db');
const say =
  (level: string) =>
  (fields: object, message: string): void =>
    void said.push({ level, fields: { ...fields }, message });

function open(): EventStore {
  const log = { info: say('info'), warn: say('warn'), error: say('error') };
  const store = openSqliteStore({ file: file(), clock, log });
  opened.push(store);
  return store;
}

const event = (text: string): NewEvent => ({ id: systemRandomness.uuid(), type: 'T', data: { text }, metadata: {} });
const log = (): string => readFileSync(`${file()}-wal`, 'latin1');

/** A transaction of another connection that has begun to read. */
function beginReading(): Database {
  const reader = openDatabase({ file: file(), migrations: ['', ''], durability: 'full' });
  opened.push(reader);
  reader.prepare('BEGIN').run();
  reader.prepare('SELECT count(*) FROM events').get();
  return reader;
}

const erased = /still in the log/;
const messages = (): string[] => said.map(({ level, message }) => `${level} ${message}`);
const held = 'warn the log of the event store may still hold what was erased';
const emptied = 'info the log of the event store holds nothing erased any more';

describe('an erasure while another connection reads', () => {
  it('[SE11.4] waits for the reader neither in the erasure nor in any append after it', async () => {
    const store = open();
    await store.append('vault-1', 'any', [event('secret')]);
    beginReading();
    // If each of them waited, the test would run into its time-out.
    for (let round = 0; round < 30; round += 1) {
      await expect(store.erase('vault-1')).rejects.toThrow(StoreUnavailableError);
      await store.append('other', 'any', [event('kept')]);
    }
    expect(messages()).toEqual([held]);
  });

  it('[SE11.4] empties the log by itself after 1 s, 2 s … when the reader has ended, and says so', async () => {
    const store = open();
    await store.append('vault-1', 'any', [event('secret')]);
    const reader = beginReading();
    await expect(store.erase('vault-1')).rejects.toThrow(erased);
    await clock.advance(1_000);
    await store.append('other', 'any', [event('kept')]);
    reader.prepare('ROLLBACK').run();
    await store.append('other', 'any', [event('kept')]);
    await clock.advance(1_999);
    expect(log()).toContain('kept');
    await clock.advance(1);
    expect(log()).toBe('');
    expect(messages()).toEqual([held, emptied]);
    expect(clock.armed()).toBe(0);
    await store.erase('vault-1');
  });

  it('[SE11.4] tries each minute in the end, and another erasure does not put it off', async () => {
    const store = open();
    await store.append('vault-1', 'any', [event('secret')]);
    const reader = beginReading();
    await expect(store.erase('vault-1')).rejects.toThrow(erased);
    await clock.advance(10 * 60_000);
    const due = clock.nextDueAt() ?? Infinity;
    expect(due - clock.now()).toBeLessThanOrEqual(60_000);
    await expect(store.erase('vault-1')).rejects.toThrow(erased);
    expect(clock.nextDueAt()).toBe(due);
    reader.prepare('ROLLBACK').run();
    await clock.advance(60_000);
    expect(log()).toBe('');
  });

  it('[SE11.4] empties the log by itself after a start beside a reader', async () => {
    const [before, store] = [open(), open()];
    await before.append('vault-1', 'any', [event('secret')]);
    const reader = beginReading();
    const next = open();
    await next.append('other', 'any', [event('kept')]);
    expect(messages()).toEqual([held]);
    reader.prepare('ROLLBACK').run();
    await clock.advance(1_000);
    expect(log()).toBe('');
    await store.close();
  });

  it('[SE11.4] does not try again after it is closed', async () => {
    const store = open();
    await store.append('vault-1', 'any', [event('secret')]);
    beginReading();
    await expect(store.erase('vault-1')).rejects.toThrow(erased);
    await store.close();
    expect(clock.armed()).toBe(0);
  });

  it.runIf(process.platform === 'linux')('[SE11.4] names the process that reads', async () => {
    const store = open();
    await store.append('vault-1', 'any', [event('secret')]);
    const script = `
      const connection = new (require('libsql'))(${JSON.stringify(file())});
      connection.exec('BEGIN');
      connection.prepare('SELECT count(*) FROM events').get();
      console.log('reading');
      process.stdin.on('end', () => connection.close()).resume();`;
    const reader = spawn(process.execPath, ['-e', script], { stdio: ['pipe', 'pipe', 'inherit'] });
    await once(reader.stdout, 'data');
    await expect(store.erase('vault-1')).rejects.toThrow(erased);
    expect(said[0]?.fields).toMatchObject({ file: file(), readers: [reader.pid] });
    reader.stdin.end();
    await once(reader, 'exit');
    await clock.advance(1_000);
    expect(messages()).toEqual([held, emptied]);
  });
});
