import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DataDirInUseError, lockDataDir } from '../../../src/store/data-dir-lock.ts';

const lockModule = new URL('../../../src/store/data-dir-lock.ts', import.meta.url).href;

/** Another process that takes the directory and then does nothing. */
async function holder(dataDir: string): Promise<ChildProcess> {
  const program = `
    import { lockDataDir } from ${JSON.stringify(lockModule)};
    globalThis.held = lockDataDir(${JSON.stringify(dataDir)}, 'process ' + process.pid);
    process.send('held');
    setInterval(() => {}, 60_000);
  `;
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', program], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  await once(child, 'message');
  return child;
}

describe('data directory', () => {
  let folder = '';
  beforeEach(() => {
    folder = join(mkdtempSync(join(tmpdir(), 'lock-')), 'data');
  });
  afterEach(() => rmSync(join(folder, '..'), { recursive: true }));

  it('[OP2.1] is taken once, and again when it was released', () => {
    const lock = lockDataDir(folder, 'the first');
    expect(() => lockDataDir(folder, 'the second')).toThrow(`${folder} is in use by the first`);
    for (const file of ['lock.txt', 'lock.db']) expect(statSync(join(folder, file)).mode & 0o777).toBe(0o600);
    lock.release();
    lockDataDir(folder, 'the third').release();
  });

  it('[OP2.1] says which process has it, and is free again once that was killed', async () => {
    const child = await holder(folder);
    expect(() => lockDataDir(folder, 'me')).toThrow(DataDirInUseError);
    expect(() => lockDataDir(folder, 'me')).toThrow(`in use by process ${child.pid}`);
    child.kill('SIGKILL');
    await once(child, 'exit');
    lockDataDir(folder, 'me').release();
  });
});
