import { readFile } from 'node:fs/promises';

/** The fields of an entry of package-lock.json that are checked here. */
interface LockEntry {
  version?: string;
  resolved?: string;
  /** A package of this repository, beside the gateway. */
  link?: boolean;
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

/** The project's folder. */
export const root = new URL('../../../', import.meta.url);
const readJson = async (file: string): Promise<unknown> => JSON.parse(await readFile(new URL(file, root), 'utf8'));

const { packages } = (await readJson('package-lock.json')) as Lock;
export const { engines } = (await readJson('package.json')) as { engines: { node: string } };

/** The entry that npm resolves a dependency to: in the package's own node_modules, else in those of the folders above. */
function entryFor(name: string, from: string): LockEntry | undefined {
  const own = packages[from === '' ? `node_modules/${name}` : `${from}/node_modules/${name}`];
  if (own !== undefined || from === '') return own;
  return entryFor(name, from.slice(0, Math.max(0, from.lastIndexOf('node_modules/') - 1)));
}

/** What npm downloads: not the packages of this repository. */
export const installed = Object.entries(packages).filter(
  ([place, { link }]) => place.includes('node_modules/') && !link,
);
export const optionalDependencies: OptionalDependency[] = Object.entries(packages).flatMap(([from, entry]) =>
  Object.entries(entry.optionalDependencies ?? {}).map(([name, range]) => ({
    from,
    name,
    range,
    found: entryFor(name, from),
  })),
);

export const isPlatformPackage = (entry: LockEntry | undefined): boolean => (entry?.os ?? entry?.cpu) !== undefined;

export const isForPromisedPlatforms = ({ os = [], cpu = [] }: LockEntry): boolean =>
  ['linux', 'darwin', 'win32'].some((name) => os.includes(name)) && ['x64', 'arm64'].some((name) => cpu.includes(name));

export const binariesOf = (from: string): string[] =>
  optionalDependencies.filter((one) => one.from === from && isPlatformPackage(one.found)).map(({ name }) => name);

/** Packages with an optional package of binaries for each platform. A single one (fsevents) is an extra of one platform. */
export const withBinaries = Object.keys(packages).filter((from) => binariesOf(from).length > 1);
