import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { builtCommandLine } from '../../support/gateway/built-folder.ts';
import { startProgram } from '../../support/gateway/program.ts';
import { createTemporaryFolder, type TemporaryFolder } from '../../support/kit/temporary-folder.ts';

const pollMs = 20;
const start = `${process.execPath} ${await builtCommandLine()} start`;

let folder: TemporaryFolder;
let children: ChildProcess[] = [];
let pids: number[] = [];
beforeEach(async () => {
  folder = await createTemporaryFolder();
});
afterEach(async () => {
  for (const pid of [...pids, ...children.map((child) => child.pid ?? 0)].filter(isRunning))
    process.kill(pid, 'SIGKILL');
  pids = [];
  children = [];
  await folder.remove();
});

const environment = (): Record<string, string> => ({ DATA_DIR: folder.path, SANDBOX_PORT: '0', SANDBOX_DC_PORT: '0' });

/** Runs a line of the shell in the test's folder, in a session of its own. */
function shell(command: string, ...args: string[]): { child: ChildProcess; output: () => string } {
  const child = spawn(command, args, {
    cwd: folder.path,
    env: { PATH: process.env['PATH'], PORT: '0', ...environment() },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  children.push(child);
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      text += chunk.toString();
    });
  }
  return { child, output: () => text };
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await pause(pollMs);
}

/** Once the gateway has told it. */
async function pidIn(output: () => string): Promise<number> {
  const found = (): string | undefined => /\(process (\d+),/.exec(output())?.[1];
  await until(() => found() !== undefined);
  const pid = Number(found());
  pids.push(pid);
  return pid;
}

/** Whether util-linux's `script` is there, which runs a program in a terminal of its own. */
function hasTerminals(): boolean {
  try {
    return execFileSync('script', ['--version']).toString().includes('util-linux');
  } catch {
    process.stderr.write('tests of closed terminals are skipped: there is no `script` of util-linux\n');
    return false;
  }
}

describe.skipIf(!hasTerminals())('a terminal that is closed', () => {
  const inTerminal = (command: string) => shell('script', '-qec', command, '/dev/null');

  it('[FA6.1] ends the gateway in order, and the next start works', async () => {
    const { child, output } = inTerminal(start);
    const pid = await pidIn(output);
    child.kill('SIGKILL');
    await until(() => !isRunning(pid));
    const next = await startProgram(environment());
    expect(await next.end('SIGTERM')).toBe(0);
  });

  it('[FA6.2] is survived under nohup', async () => {
    const said = join(folder.path, 'nohup.out');
    const read = (): string => (existsSync(said) ? readFileSync(said, 'utf8') : '');
    const { child } = inTerminal(`nohup ${start}`);
    const pid = await pidIn(read);
    child.kill('SIGKILL');
    await until(() => read().includes('the hang-up is ignored'));
    const url = /^Gateway: +(\S+)/m.exec(read())?.[1] ?? '';
    expect((await fetch(`${url}/health/live`)).status).toBe(200);
    expect(isRunning(pid)).toBe(true);
  });
});

it('[FA6.2] a hang-up is survived below a shell that ignores it', async () => {
  const { output } = shell('sh', '-c', `trap '' HUP; ${start}; :`);
  const pid = await pidIn(output);
  process.kill(pid, 'SIGHUP');
  await until(() => output().includes('the hang-up is ignored'));
  expect(isRunning(pid)).toBe(true);
});

it('[FA6.1] hang-ups end the gateway in order, however many come', async () => {
  const { child, output } = shell('sh', '-c', `exec ${start}`);
  const pid = await pidIn(output);
  const ended = once(child, 'exit');
  process.kill(pid, 'SIGHUP');
  process.kill(pid, 'SIGHUP');
  expect(await ended).toEqual([0, null]);
});

it('[FA6.1] a log that nobody reads any more ends the gateway in order', async () => {
  const { child, output } = shell('sh', '-c', `{ ${start}; echo "exit code $?" >&2; } | :`);
  await once(child, 'close');
  expect(output()).toContain('exit code 0');
});

it.each(['SIGSEGV', 'SIGBUS', 'SIGABRT', 'SIGILL', 'SIGFPE'] as const)(
  '[FA6.3] %s, by which a defect of native code shows, ends the gateway at once',
  async (signal) => {
    const running = await startProgram(environment());
    const ended = once(running.child, 'exit');
    running.child.kill(signal);
    expect(await ended).toEqual([null, signal]);
  },
);
