import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Question, Usage } from './probe.ts';

/** A program in a process of its own, so that what it uses is counted apart. */
export interface ChildProgram {
  url: string;
  /** What it has used since it began. */
  usage(what: Question['what']): Promise<Usage>;
  end(): Promise<void>;
}

/** The compiled bench runs compiled programs, the source sources. */
const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
const root = new URL('../../', import.meta.url);
const pathOf = (module: string): string => fileURLToPath(new URL(`${module}.${extension}`, root));
/** What is not part of the build: tests, which are sources only. */
const sources = extension === 'ts' ? root : new URL('../', root);
const isTest = (module: string): boolean => module.startsWith('test/');

/**
 * For what a gateway is measured with, which must not be fast one time and slow the next. V8 counts new `Buffer`s against
 * the room that it leaves a heap to grow: in a small one it then looks for garbage in the whole heap at every 10 to 20 MB
 * of them, or never, depending on how large its nursery was when it last did. For GramJS alone these are 2.7 and 1.0
 * seconds of CPU for a document of 100 MB. With this much room from the start it is the faster one every time.
 */
export const roomyHeap: readonly string[] = ['--initial-old-space-size=512'];

/**
 * Starts a program of the project and waits until it says where it answers: in a message to its parent, or on its
 * console.
 * @param module its path from the project's root, without extension
 * @param flags for Node
 * @throws where it can't be started. Where it ends unasked, the whole bench ends, and shows what it said.
 */
export async function startProgram(
  module: string,
  environment: Record<string, string>,
  flags: readonly string[] = [],
): Promise<ChildProgram> {
  const program = isTest(module) ? fileURLToPath(new URL(`${module}.ts`, sources)) : pathOf(module);
  const child = fork(program, {
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
  let said = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  // Whoever waits for what it would do next, waits for ever.
  const unasked = (code: number | null, signal: string | null): void => {
    process.stderr.write(`${module} ended (${signal ?? code}):\n${said}\n`);
    process.exit(1);
  };
  const url = await new Promise<string>((resolve, reject) => {
    child.on('message', (message) => {
      const { url: told } = Object(message) as { url?: string };
      if (told !== undefined) resolve(told);
    });
    child.stderr?.on('data', () => {
      const found = /^Gateway: +(\S+)/m.exec(said)?.[1];
      if (found !== undefined) resolve(found);
    });
    child.once('error', reject);
    child.once('exit', unasked);
  });
  return {
    url,
    usage: askUsage(child),
    async end() {
      child.off('exit', unasked);
      await end(child);
    },
  };
}

function askUsage(child: ChildProcess): ChildProgram['usage'] {
  const asked = new Map<number, (usage: Usage) => void>();
  let questions = 0;
  child.on('message', (message) => {
    const { number, usage } = Object(message) as { number?: number; usage?: Usage };
    if (number === undefined || usage === undefined) return;
    asked.get(number)?.(usage);
    asked.delete(number);
  });
  return (what) =>
    new Promise((resolve) => {
      const question: Question = { number: (questions += 1), what };
      asked.set(question.number, resolve);
      child.send(question);
    });
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}
