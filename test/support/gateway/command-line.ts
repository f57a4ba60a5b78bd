import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** Starts a command of `src/` as its npm script does, but for the build. */
export function startCommandLine(
  command: string,
  args: readonly string[],
  environment: Record<string, string> = {},
): ChildProcess {
  const program = fileURLToPath(new URL(`../../../src/programs/${command}.ts`, import.meta.url));
  return spawn(process.execPath, ['--import', 'tsx', program, ...args], {
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
