import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { builtCommandLine } from './built-folder.ts';

/** The gateway as `npm start` runs it: a process of its own, to be killed and started again. */
export interface Program {
  url: string;
  child: ChildProcess;
  /** All it has printed. */
  output(): string;
  /** Sends the signal and waits for the end; the exit code, or null where the signal ended it. */
  end(signal: NodeJS.Signals): Promise<number | null>;
}

/** Node opens all modules of a built program at once: with few descriptors it starts from its sources alone. */
const fromSource = ['--import', 'tsx', fileURLToPath(new URL('../../../src/programs/cli.ts', import.meta.url))];

/**
 * Starts it and waits until it says where it answers.
 * @param limit of descriptors, of the shell that starts it: `ulimit -n 256`
 * @throws with what it said where it ends before.
 */
export async function startProgram(environment: Record<string, string>, limit = ''): Promise<Program> {
  const { child, output } = await spawnProgram(environment, limit);
  const ended = once(child, 'exit');
  const url = await new Promise<string>((resolve, reject) => {
    child.stderr?.on('data', () => {
      const found = /^Gateway: +(\S+)/m.exec(output())?.[1];
      if (found !== undefined) resolve(found);
    });
    child.once('exit', () => reject(new Error(`the program ended:\n${output()}`)));
  });
  return {
    url,
    child,
    output,
    end: async (signal) => {
      child.kill(signal);
      const [code] = (await ended) as [number | null];
      return code;
    },
  };
}

/** Runs it to its end: for starts that must fail. */
export async function runProgram(
  environment: Record<string, string>,
): Promise<{ code: number | null; output: string }> {
  const { child, output } = await spawnProgram(environment);
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output: output() };
}

async function spawnProgram(
  environment: Record<string, string>,
  limit = '',
): Promise<{ child: ChildProcess; output: () => string }> {
  let text = '';
  const program = [process.execPath, ...(limit === '' ? [await builtCommandLine()] : fromSource), 'start'];
  const child = spawn('sh', ['-c', `${limit}\nexec "$0" "$@"`, ...program], {
    env: { PATH: process.env['PATH'], PORT: '0', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      text += chunk.toString();
    });
  }
  return { child, output: () => text };
}
