import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTemporaryFolder, type TemporaryFolder } from '../../support/kit/temporary-folder.ts';

/** What `npm pack` makes, in a folder that holds nothing else but the packages that a user of it gets. */

const run = promisify(execFile);
const {
  name: packageName,
  version,
  bin,
} = JSON.parse(readFileSync('package.json', 'utf8')) as {
  name: string;
  version: string;
  bin: Record<string, string>;
};
const environment = { PATH: process.env['PATH'], HOME: process.env['HOME'], npm_config_update_notifier: 'false' };

let folder: TemporaryFolder;
beforeAll(async () => {
  folder = await createTemporaryFolder();
  await run('npm', ['run', '--silent', 'build']);
  const { stdout } = await run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder.path]);
  const [{ filename }] = JSON.parse(stdout) as [{ filename: string }];
  const installed = join(folder.path, 'node_modules', packageName);
  mkdirSync(installed, { recursive: true });
  await run('tar', ['-xzf', join(folder.path, filename), '--strip-components=1', '-C', installed]);
  linkDependencies();
  linkCommands(installed);
});
afterAll(() => folder.remove());

/** Without a registry: those of this project that are none of its development. */
function linkDependencies(): void {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
    packages: Record<string, { dev?: boolean; link?: boolean }>;
  };
  for (const [path, { dev, link }] of Object.entries(packages)) {
    if (dev === true || link === true || !/^node_modules\/(?:@[^/]+\/)?[^/]+$/.test(path) || !existsSync(path))
      continue;
    mkdirSync(dirname(join(folder.path, path)), { recursive: true });
    symlinkSync(resolve(path), join(folder.path, path));
  }
}

/** As npm installs the commands of a package. */
function linkCommands(installed: string): void {
  mkdirSync(join(folder.path, 'node_modules/.bin'));
  for (const [command, file] of Object.entries(bin)) {
    chmodSync(join(installed, file), 0o755);
    symlinkSync(join(installed, file), join(folder.path, 'node_modules/.bin', command));
  }
}

describe('the package', () => {
  it('[OP9.1] has its command for npx', async () => {
    const { stdout } = await run('npx', ['--no-install', 'telegram-gateway', '--version'], {
      cwd: folder.path,
      env: environment,
    });
    expect(stdout).toBe(`${version}\n`);
  });

  it('[OP9.1] starts the gateway with its pages, its documents and the sandbox', async () => {
    const ports = { PORT: '0', SANDBOX_PORT: '0', SANDBOX_DC_PORT: '0', LOG_LEVEL: 'silent' };
    const child = spawn(join(folder.path, 'node_modules/.bin/telegram-gateway'), ['start', '--json'], {
      cwd: folder.path,
      env: { ...environment, ...ports },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = once(child, 'exit');
    try {
      const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
      const { url, sandboxUrl } = JSON.parse(line) as { url: string; sandboxUrl: string };
      for (const path of ['/console/', '/link/', '/inspector/', '/docs/json', '/health/live']) {
        expect([path, (await fetch(`${url}${path}`)).status]).toEqual([path, 200]);
      }
      expect((await fetch(sandboxUrl)).status).toBe(200);
    } finally {
      child.kill('SIGTERM');
    }
    expect(await ended).toEqual([0, null]);
  });
});
