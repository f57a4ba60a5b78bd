import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { builtCommandLine } from './built-folder.ts';

/**
 * Starts a command as its npm script does.
 * @param command its words
 */
export async function startCommandLine(
  command: string,
  args: readonly string[],
  environment: Record<string, string> = {},
): Promise<ChildProcess> {
  return spawn(process.execPath, [await builtCommandLine(), ...command.split(' '), ...args], {
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
  const child = await startCommandLine(command, args, environment);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  }
  const [code] = (await once(child, 'close')) as [number];
  return { code, output };
}
