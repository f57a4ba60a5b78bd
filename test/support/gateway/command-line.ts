import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const cliFile = fileURLToPath(new URL('../../../src/programs/cli.ts', import.meta.url));

/**
 * Starts a command as its npm script does, but for the build.
 * @param command its words
 */
export function startCommandLine(
  command: string,
  args: readonly string[],
  environment: Record<string, string> = {},
): ChildProcess {
  return spawn(process.execPath, ['--import', 'tsx', cliFile, ...command.split(' '), ...args], {
    env: { PATH: process.env['PATH'], ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** Runs it to its end: exit code, and all that it said. */
export async function runCommandLine(
  command: string,
  args: readonly string[],
  environment?: Record<string, string>,
): Promise<{ code: number; output: string }> {
  const child = startCommandLine(command, args, environment);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  }
  const [code] = (await once(child, 'close')) as [number];
  return { code, output };
}
