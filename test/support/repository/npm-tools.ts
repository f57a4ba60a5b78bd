import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { TestContext } from 'vitest';

const run = promisify(execFile);

/**
 * Installs packages that a test runs as programs, and that are too many, or want too new a Node, to be the project's own. None of
 * their install scripts runs.
 * @param folder gets a `package.json` and `node_modules`
 * @returns skips a test, and says why, if they cannot be had
 */
export async function installTools(
  folder: string,
  tools: readonly string[],
): Promise<(context: Pick<TestContext, 'skip'>) => void> {
  writeFileSync(join(folder, 'package.json'), '{ "private": true }');
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--engine-strict=false', '--loglevel=error'];
  try {
    await run('npm', ['install', ...options, ...tools], { cwd: folder });
    return () => {};
  } catch (error) {
    const missing = `${tools.join(', ')} cannot be installed here: ${(error as Error).message.slice(0, 300)}`;
    return ({ skip }) => skip(missing);
  }
}
