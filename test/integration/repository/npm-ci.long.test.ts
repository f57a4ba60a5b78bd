import { execFile } from 'node:child_process';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTemporaryFolder, type TemporaryFolder } from '../../support/kit/temporary-folder.ts';
import { binariesOf, root, withBinaries } from '../../support/repository/package-lock.ts';

describe('npm ci', () => {
  let folder: TemporaryFolder;

  beforeAll(async () => {
    folder = await createTemporaryFolder();
    for (const file of ['package.json', 'package-lock.json', '.npmrc'])
      await copyFile(new URL(file, root), join(folder.path, file));
  });
  afterAll(() => folder.remove());

  /** The names of the packages that npm would install. @throws with npm's output if it refuses the lock. */
  async function packagesFor(...platform: string[]): Promise<Set<string>> {
    // Without the settings of the npm that runs these tests, without its cache, and without a network: the lock alone.
    const environment = Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name));
    const { stdout } = await promisify(execFile)(
      'npm',
      ['ci', '--dry-run', '--offline', `--cache=${join(folder.path, 'cache')}`, ...platform],
      { cwd: folder.path, env: Object.fromEntries(environment), maxBuffer: 16 * 1024 * 1024 },
    );
    return new Set([...stdout.matchAll(/^add (\S+) /gm)].map(([, name = '']) => name));
  }

  it.each([
    '--os=linux --cpu=x64 --libc=glibc',
    '--os=linux --cpu=x64 --libc=musl',
    '--os=linux --cpu=arm64 --libc=glibc',
    '--os=linux --cpu=arm64 --libc=musl',
    '--os=darwin --cpu=x64',
    '--os=darwin --cpu=arm64',
    '--os=win32 --cpu=x64',
  ])('[PK1.1] installs the binaries for %s', async (platform) => {
    const added = await packagesFor(...platform.split(' '));
    const without = withBinaries.filter((from) => !binariesOf(from).some((name) => added.has(name)));
    expect(without).toEqual([]);
    expect(withBinaries).toContain('node_modules/libsql');
  });
});
