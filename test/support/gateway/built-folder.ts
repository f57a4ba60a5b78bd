import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm, stat, symlink } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const root = resolve(import.meta.dirname, '../../..');
/** What a build is made of. */
const sources = [
  'src',
  'actors',
  'projections',
  'sandbox',
  'bench',
  'clients/mcp',
  'scripts/copy-assets.js',
  'tsconfig.json',
  'tsconfig.build.json',
  'package-lock.json',
];
/** A build that no run can still be using. */
const oldMs = 24 * 60 * 60 * 1000;

let built: Promise<string> | undefined;

/**
 * The folder of the program as `npm run build` compiles it. All test files and all runs share one build, until the sources
 * change: its name has their hash. Whoever runs or makes a build in `dist` is not disturbed.
 */
export function builtFolder(): Promise<string> {
  built ??= build(join(root, 'dist', `built-${hashOfSources()}`));
  return built;
}

/** The file of the built command line: `node FILE start`. */
export const builtCommandLine = async (): Promise<string> => join(await builtFolder(), 'src/programs/cli.js');

function hashOfSources(): string {
  const hash = createHash('sha256');
  for (const path of sources.flatMap((source) => filesOf(source))) {
    hash
      .update(`${path}\0`)
      .update(readFileSync(join(root, path)))
      .update('\0');
  }
  return hash.digest('hex').slice(0, 16);
}

function filesOf(path: string): string[] {
  if (!statSync(join(root, path)).isDirectory()) return [path];
  return readdirSync(join(root, path), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .toSorted();
}

async function build(target: string): Promise<string> {
  if (existsSync(target)) return target;
  const dist = join(root, 'dist');
  await mkdir(dist, { recursive: true });
  const folder = await mkdtemp(join(dist, 'building-'));
  await compile(folder);
  await run(process.execPath, ['scripts/copy-assets.js', folder], { cwd: root });
  // Where the program looks for the console, which has a build of its own.
  await symlink('../console', join(folder, 'console'));
  // It appears as a whole. If another process was faster, its build stays.
  await rename(folder, target).catch((error: unknown) => {
    if (!existsSync(target)) throw error;
  });
  await rm(folder, { recursive: true, force: true });
  await removeOldBuilds(dist);
  return target;
}

/** Whether the types are right is not for these tests to say. */
async function compile(folder: string): Promise<void> {
  const options = ['-p', 'tsconfig.build.json', '--outDir', folder, '--sourceMap', 'false'];
  const said = await run(join(root, 'node_modules/.bin/tsc'), options, { cwd: root }).then(
    () => '',
    (error: { message: string; stdout: string }) => `${error.message}\n${error.stdout}`,
  );
  if (!existsSync(join(folder, 'src/programs/cli.js'))) {
    throw new Error(`the program could not be compiled:\n${said}`);
  }
}

async function removeOldBuilds(dist: string): Promise<void> {
  for (const name of await readdir(dist)) {
    if (!/^(?:built|building)-/.test(name)) continue;
    const { mtimeMs } = await stat(join(dist, name)).catch(() => ({ mtimeMs: Date.now() }));
    if (Date.now() - mtimeMs > oldMs) await rm(join(dist, name), { recursive: true, force: true });
  }
}
