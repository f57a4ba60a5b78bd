import { execFile } from 'node:child_process';
import { copyFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { minVersion, satisfies, valid } from 'semver';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTemporaryFolder, type TemporaryFolder } from '../../support/kit/temporary-folder.ts';

/** The fields of an entry of package-lock.json that are checked here. */
interface LockEntry {
  version?: string;
  resolved?: string;
  integrity?: string;
  optional?: boolean;
  os?: string[];
  cpu?: string[];
  libc?: string[];
  engines?: { node?: string };
  optionalDependencies?: Record<string, string>;
}

interface OptionalDependency {
  from: string;
  name: string;
  range: string;
  found: LockEntry | undefined;
}

interface Lock {
  packages: Record<string, LockEntry>;
}

const root = new URL('../../../', import.meta.url);
const readJson = async (file: string): Promise<unknown> => JSON.parse(await readFile(new URL(file, root), 'utf8'));

const { packages } = (await readJson('package-lock.json')) as Lock;
const { engines } = (await readJson('package.json')) as { engines: { node: string } };

/** The entry that npm resolves a dependency to: in the package's own node_modules, else in those of the folders above. */
function entryFor(name: string, from: string): LockEntry | undefined {
  const own = packages[from === '' ? `node_modules/${name}` : `${from}/node_modules/${name}`];
  if (own !== undefined || from === '') return own;
  return entryFor(name, from.slice(0, Math.max(0, from.lastIndexOf('node_modules/') - 1)));
}

const installed = Object.entries(packages).filter(([place]) => place !== '');
const optionalDependencies: OptionalDependency[] = Object.entries(packages).flatMap(([from, entry]) =>
  Object.entries(entry.optionalDependencies ?? {}).map(([name, range]) => ({
    from,
    name,
    range,
    found: entryFor(name, from),
  })),
);

const isPlatformPackage = (entry: LockEntry | undefined): boolean => (entry?.os ?? entry?.cpu) !== undefined;

const isForPromisedPlatforms = ({ os = [], cpu = [] }: LockEntry): boolean =>
  ['linux', 'darwin', 'win32'].some((name) => os.includes(name)) && ['x64', 'arm64'].some((name) => cpu.includes(name));

const binariesOf = (from: string): string[] =>
  optionalDependencies.filter((one) => one.from === from && isPlatformPackage(one.found)).map(({ name }) => name);

/** Packages with an optional package of binaries for each platform. A single one (fsevents) is an extra of one platform. */
const withBinaries = Object.keys(packages).filter((from) => binariesOf(from).length > 1);

describe('package-lock.json', () => {
  it('[PK1] has an entry for every optional package of every package', () => {
    const missing = optionalDependencies
      .filter(({ range, found }) => !satisfies(found?.version ?? '', range))
      .map(({ from, name, range }) => `${name}@${range}, of ${from}`);
    expect(missing).toEqual([]);
    expect(optionalDependencies.length).toBeGreaterThan(150);
  });

  it('[PK1] has the platforms of each optional package', () => {
    const anywhere = optionalDependencies.filter(({ found }) => !isPlatformPackage(found)).map(({ name }) => name);
    // The first is plain JavaScript; the other two bring binaries of all platforms along.
    expect(anywhere.toSorted()).toEqual(['@colors/colors', 'bufferutil', 'utf-8-validate']);
  });

  it('[PK1] has the C library of each binary for musl', () => {
    // npm 10 drops `libc` from a lock that it writes; then the binaries of both C libraries are installed.
    // libsql and KurrentDB's client do without that field.
    const withoutField = optionalDependencies
      .filter(({ name }) => name.includes('musl') && !/^@(libsql|kurrent)\//.test(name))
      .filter(({ found = {} }) => isForPromisedPlatforms(found) && found.libc?.join() !== 'musl');
    expect(withoutField).toEqual([]);
  });

  it('[PK1] has version and checksum of every package, and no registry', () => {
    const loose = installed.filter(
      ([, { version, integrity }]) => !valid(version) || !integrity?.startsWith('sha512-'),
    );
    expect(loose.map(([place]) => place)).toEqual([]);
    expect(installed.filter(([, { resolved }]) => resolved !== undefined).map(([place]) => place)).toEqual([]);
  });
});

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
  ])('[PK1] installs the binaries for %s', async (platform) => {
    const added = await packagesFor(...platform.split(' '));
    const without = withBinaries.filter((from) => !binariesOf(from).some((name) => added.has(name)));
    expect(without).toEqual([]);
    expect(withBinaries).toContain('node_modules/libsql');
  });

  it.each(['20.19.0', minVersion(engines.node)?.version ?? '', '24.0.0'])(
    '[PK2] installs only packages that accept Node %s',
    (version) => {
      const refusing = installed
        .filter(([, entry]) => entry.optional !== true || isForPromisedPlatforms(entry))
        .filter(([, entry]) => !satisfies(version, entry.engines?.node ?? '*'));
      expect(refusing.map(([place]) => place)).toEqual([]);
    },
  );
});
