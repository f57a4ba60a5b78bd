import { execFile } from 'node:child_process';
import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../../', import.meta.url));
const source = join(root, 'clients/typescript');

/** The TypeScript client as npm publishes it, and a folder of a user who has installed it. */
export interface PackedClient {
  /** What is in the package, as paths. */
  files: string[];
  /** The installed package. */
  folder: string;
}

/**
 * Builds the client beside its sources, packs it, and installs the package into a folder, without a registry.
 * @param user where a user's programs lie
 */
export async function installPackedClient(user: string): Promise<PackedClient> {
  const building = join(user, 'building');
  await mkdir(building, { recursive: true });
  for (const file of ['package.json', 'README.md', 'LICENSE']) await copyFile(join(source, file), join(building, file));
  const compiler = join(root, 'node_modules/.bin/tsc');
  await run(compiler, ['-p', join(source, 'tsconfig.build.json'), '--outDir', join(building, 'dist')]);
  const { stdout } = await run('npm', ['pack', '--json', '--ignore-scripts'], { cwd: building });
  const [{ filename, files }] = JSON.parse(stdout) as [{ filename: string; files: { path: string }[] }];
  const folder = join(user, 'node_modules/telegram-session-gateway-client');
  await mkdir(folder, { recursive: true });
  await run('tar', ['-xzf', join(building, filename), '--strip-components=1', '-C', folder]);
  return { files: files.map(({ path }) => path), folder };
}
