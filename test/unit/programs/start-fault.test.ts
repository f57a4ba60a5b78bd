import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import Libsql from 'libsql';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock, systemRandomness } from '../../../src/config/clock.ts';
import { readConfig } from '../../../src/config/config.ts';
import { readOrCreateKey } from '../../../src/config/key-file.ts';
import { describeStartFault } from '../../../src/programs/start-fault.ts';
import { lockDataDir } from '../../../src/store/data-dir-lock.ts';
import { openStore } from '../../../src/store/events/open-store.ts';
import { openViewDatabase } from '../../../src/store/views/view-database.ts';
import { createTemporaryFolder, type TemporaryFolder } from '../../support/kit/temporary-folder.ts';

let folder: TemporaryFolder;
beforeEach(async () => {
  folder = await createTemporaryFolder();
});
afterEach(() => folder.remove());

/** The sentence about the error that `work` ends with. */
async function faultOf(work: () => unknown): Promise<string | undefined> {
  try {
    await work();
  } catch (error) {
    return describeStartFault(error);
  }
  throw new Error('it was expected to fail');
}

const openKurrent = (query: string): Promise<unknown> =>
  openStore(`kurrentdb://localhost:2113${query}`, {
    clock: systemClock,
    randomness: systemRandomness,
    log: { info: () => {}, error: () => {} } as never,
    streamPrefix: '',
    onDamaged: () => {},
  });

describe('what keeps the gateway from running', () => {
  it.each(['master.key', 'media-link.key'])('[FA5.1] a %s that holds no key', async (name) => {
    writeFileSync(join(folder.path, name), 'rubbish\n');
    const found = await faultOf(() => readOrCreateKey(folder.path, name, systemRandomness));
    expect(found).toBe(
      `${join(folder.path, name)} does not hold a key of 32 bytes in base64: restore it from a backup`,
    );
  });

  it('[FA5.1] a lock that is no database', async () => {
    writeFileSync(join(folder.path, 'lock.db'), 'rubbish'.repeat(200));
    const found = await faultOf(() => lockDataDir(folder.path, 'this'));
    expect(found).toBe(`${join(folder.path, 'lock.db')} is damaged: remove it; nothing is stored in it`);
  });

  it.runIf(process.getuid?.() !== 0)('[FA5.1] a folder of another user', async () => {
    chmodSync(folder.path, 0o500);
    expect(await faultOf(() => lockDataDir(folder.path, 'this'))).toBe(
      `EACCES: permission denied, access '${folder.path}'`,
    );
    chmodSync(folder.path, 0o700);
  });

  it('[FA5.1] a database that cannot be opened', async () => {
    const file = join(folder.path, 'lock.db');
    mkdirSync(file);
    expect(await faultOf(() => new Libsql(file))).toBe(`${file} cannot be opened: does it belong to another user?`);
    // The views are made anew from any file, but not from a folder.
    mkdirSync(join(folder.path, 'views.db'));
    expect(await faultOf(() => openViewDatabase(join(folder.path, 'views.db')))).toContain('views.db');
  });

  it('[FA5.1] a full disk', async () => {
    const full = 'the disk is full: nothing can be written to DATA_DIR';
    const database = new Libsql(join(folder.path, 'small.db'));
    database.exec('PRAGMA max_page_count = 2');
    const found = await faultOf(() => {
      for (let table = 0; table < 9; table += 1) database.exec(`CREATE TABLE t${table} (a)`);
    });
    database.close();
    expect(found).toBe(`${full} (database or disk is full)`);
    if (process.platform !== 'linux') return;
    expect(await faultOf(() => writeFileSync('/dev/full', 'x'))).toMatch(new RegExp(`^${full} \\(ENOSPC: .+\\)$`));
  });

  it('[FA5.1] a database on a read-only disk', async () => {
    const file = join(folder.path, 'some.db');
    const first = new Libsql(file);
    first.exec('CREATE TABLE t (a)');
    first.close();
    const database = new Libsql(file);
    database.exec('PRAGMA query_only = ON');
    const found = await faultOf(() => database.exec('INSERT INTO t VALUES (1)'));
    database.close();
    expect(found).toContain('cannot be written');
  });

  it.each(['tlsCAFile', 'userCertFile', 'userKeyFile'])('[FA5.1] a %s that is not there', async (name) => {
    const found = await faultOf(() => openKurrent(`?tls=true&${name}=/nowhere/file.pem`));
    expect(found).toBe(`the event store URL names a file that cannot be read: ${name}=/nowhere/file.pem (ENOENT)`);
  });

  it('[FA5.1] an event store URL that the client does not take, without its password', async () => {
    const url = 'kurrentdb://admin:m4rker@localhost:2113?tls=maybe&throwOnAppendFailure=false';
    const found = await faultOf(() => openStore(url, {} as never));
    expect(found).toBe('the event store URL must not turn throwOnAppendFailure off');
    const unknown = await faultOf(() => openKurrent('?keepAliveInterval=m4rker'));
    expect(unknown).toBe('the event store URL is not valid');
  });

  it('[FA5.1] a port in use', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    const found = await faultOf(
      () => new Promise((_, reject) => createServer().once('error', reject).listen(port, '127.0.0.1')),
    );
    server.close();
    expect(found).toBe(`listen EADDRINUSE: address already in use 127.0.0.1:${port}`);
  });

  it('[FA5.1] wrong settings, each by its name', async () => {
    const found = await faultOf(() => readConfig({ PORT: 'x', MASTER_KEY: 'short' }));
    expect(found).toMatch(/PORT must[^]+MASTER_KEY must/);
  });

  it('[FA5.1] but a defect of the gateway keeps its stack', () => {
    expect(describeStartFault(new TypeError('x is not a function'))).toBeUndefined();
    expect(describeStartFault(new Error('ConnectionFailed'))).toBeUndefined();
    expect(describeStartFault('text')).toBeUndefined();
  });
});

it('[FA5.1] the lock of this process outlives the look at its file', () => {
  const lock = lockDataDir(folder.path, 'the first');
  expect(() => lockDataDir(folder.path, 'the second')).toThrow('is in use by the first');
  expect(() => lockDataDir(folder.path, 'the third')).toThrow('is in use by the first');
  expect(readFileSync(join(folder.path, 'lock.txt'), 'utf8')).toBe('the first\n');
  lock.release();
});
