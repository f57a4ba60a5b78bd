import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Command, Reply } from './commands.ts';
import type { Usage, UsageKind } from './probe.ts';

/** A program in a process of its own, so that its CPU time and memory are measured apart from the bench's. */
export interface ChildProgram {
  /** What it serves; empty if it only takes commands. */
  url: string;
  /** Runs a command that the program handles (`handleCommands`). @throws Error the command failed */
  command<T = void>(name: string, input?: unknown): Promise<T>;
  /** What it has used since it started. */
  usage(kind: UsageKind): Promise<Usage>;
  end(): Promise<void>;
  /** Ends it without a chance to tidy up. */
  kill(): Promise<void>;
}

/** The compiled bench runs compiled programs, the bench's sources run sources. */
const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
const root = new URL('../../', import.meta.url);
const pathOf = (module: string): string => fileURLToPath(new URL(`${module}.${extension}`, root));
/** Tests are not part of the build: they exist as sources only. */
const sources = extension === 'ts' ? root : new URL('../', root);
const isTest = (module: string): boolean => module.startsWith('test/');

/**
 * Node flags for a program that another one is measured against: it must not be fast in one run and slow in the next. V8
 * counts new `Buffer`s against the room that it leaves a heap to grow. In a small heap it then collects the whole heap at
 * every 10 to 20 MB of them, or never, depending on the size of its nursery at the last collection. GramJS alone takes 2.7
 * or 1.0 seconds of CPU for a document of 100 MB, depending on that. With this much room from the start it is always the
 * faster one.
 */
export const roomyHeap: readonly string[] = ['--initial-old-space-size=512'];

/**
 * Starts a program of the project and waits until it reports its address: in a message to its parent, or on its
 * console. If it ends before `end` is called, the whole bench ends and prints what the program wrote to standard error.
 * @param module its path from the project's root, without extension
 * @param flags for Node
 * @throws Error the process can't be started
 */
export async function startProgram(
  module: string,
  environment: Record<string, string>,
  flags: readonly string[] = [],
  args: readonly string[] = [],
): Promise<ChildProgram> {
  const program = isTest(module) ? fileURLToPath(new URL(`${module}.ts`, sources)) : pathOf(module);
  const child = fork(program, args, {
    execArgv: [
      ...process.execArgv,
      '--expose-gc',
      ...flags,
      ...(isTest(module) ? ['--import', 'tsx'] : []),
      '--import',
      pathOf('bench/support/probe'),
    ],
    // Nothing of our own environment: a program is measured as it is configured here.
    env: environment,
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let errorOutput = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    errorOutput += text;
  });
  // Without this, the bench would wait for the program's next reply without end.
  const onUnexpectedExit = (code: number | null, signal: string | null): void => {
    process.stderr.write(`${module} ended (${signal ?? code}):\n${errorOutput}\n`);
    process.exit(1);
  };
  const url = await new Promise<string>((resolve, reject) => {
    child.on('message', (message) => {
      const { url: announced } = Object(message) as { url?: string };
      if (announced !== undefined) resolve(announced);
    });
    child.stderr?.on('data', () => {
      const found = /^Gateway: +(\S+)/m.exec(errorOutput)?.[1];
      if (found !== undefined) resolve(found);
    });
    child.once('error', reject);
    child.once('exit', onUnexpectedExit);
  });
  const command = commandSender(child);
  return {
    url,
    command,
    usage: (kind) => command('usage', kind),
    async end() {
      child.off('exit', onUnexpectedExit);
      await end(child, 'SIGTERM');
    },
    async kill() {
      child.off('exit', onUnexpectedExit);
      await end(child, 'SIGKILL');
    },
  };
}

/** CPU time that a program spends while `work` is done, in milliseconds. */
export async function cpuMsDuring(program: ChildProgram, work: () => Promise<unknown>): Promise<number> {
  const before = await program.usage('cpu');
  await work();
  const after = await program.usage('cpu');
  return after.cpuMs - before.cpuMs;
}

function commandSender(child: ChildProcess): ChildProgram['command'] {
  const pending = new Map<number, (reply: Reply) => void>();
  let commands = 0;
  child.on('message', (message) => {
    const reply = message as Reply;
    pending.get(reply.number)?.(reply);
    pending.delete(reply.number);
  });
  return <T>(name: string, input?: unknown) =>
    new Promise<T>((resolve, reject) => {
      const command: Command = { number: (commands += 1), name, input };
      pending.set(command.number, ({ result, error }) => {
        if (error === undefined) resolve(result as T);
        else reject(new Error(`${name}: ${error}`));
      });
      child.send(command);
    });
}

async function end(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill(signal);
  await ended;
}
