import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Libsql from 'libsql';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { systemClock, systemRandomness } from '../../../src/config/clock.ts';
import { openSqliteStore } from '../../../src/store/events/sqlite/sqlite-store.ts';
import { runProgram, startProgram } from '../../support/gateway/program.ts';

const pageBytes = 4096;

let dataDir = '';
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'program-'));
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

const environment = () => ({ DATA_DIR: dataDir, SANDBOX_PORT: '0', SANDBOX_DC_PORT: '0' });
const file = () => join(dataDir, 'events.db');
const sentence = /^(\S+events\.db) is damaged \(.+\): restore it from a backup, .+$/m;

/** More than SQLite caches. */
async function fill(): Promise<void> {
  const store = openSqliteStore({ file: file(), clock: systemClock });
  const data = { text: 'x'.repeat(2_000) };
  await Promise.all(
    Array.from({ length: 3_000 }, (_, at) =>
      store.append(`other-${at % 100}`, 'any', [{ id: systemRandomness.uuid(), type: 'T', data, metadata: {} }]),
    ),
  );
  await store.close();
}

function zeroPages(first: number, count: number): void {
  const descriptor = openSync(file(), 'r+');
  writeSync(descriptor, Buffer.alloc(pageBytes * count), 0, pageBytes * count, pageBytes * first);
  closeSync(descriptor);
}

it('[FA3.1] a start on a damaged file ends with one sentence, without a stack', async () => {
  await fill();
  zeroPages(300, 2);
  const { code, output } = await runProgram(environment());
  expect(code).toBe(1);
  expect(output).toMatch(sentence);
  expect(output).not.toMatch(/^\s+at /m);
});

it('[FA3.2] damage that shows while it runs ends the process with the same sentence', async () => {
  await fill();
  const program = await startProgram(environment());
  const ended = new Promise<number | null>((resolve) => {
    program.child.once('close', (code) => resolve(code));
  });
  // All that has been written is in the file, and not in the log beside it.
  const other = new Libsql(file());
  other.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  zeroPages(1, 1_400);
  // Another connection's write, here of the first page: the gateway's own reads the pages anew.
  other.exec('PRAGMA user_version = 2');
  other.close();
  // A request reads pages of the file.
  await fetch(`${program.url}/session`, { method: 'POST' }).catch(() => {});
  expect(await ended).toBe(1);
  expect(program.output()).toMatch(sentence);
});

it('[FA5.1] a start that cannot be says why in one sentence, without a stack', async () => {
  writeFileSync(join(dataDir, 'master.key'), 'rubbish\n');
  const { code, output } = await runProgram(environment());
  expect(code).toBe(1);
  expect(output).toBe(
    `${join(dataDir, 'master.key')} does not hold a key of 32 bytes in base64: restore it from a backup\n`,
  );
});
