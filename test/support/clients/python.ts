import { type ChildProcessByStdio, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';

/** The package of the Python client: its own tests and its examples start here. */
export const pythonClient = fileURLToPath(new URL('../../../clients/python', import.meta.url));

/** Debian's packages of Python are those of its own interpreter, which need not be the first one. */
const interpreters = ['python3', '/usr/bin/python3'];

const environment = {
  PATH: process.env['PATH'],
  PYTHONPATH: pythonClient,
  // What is compiled once is kept, and not beside the sources.
  PYTHONPYCACHEPREFIX: fileURLToPath(new URL('../../../node_modules/.cache/python', import.meta.url)),
  PYTHONUNBUFFERED: '1',
  PYTHONUTF8: '1',
};

/** An interpreter that has these modules; undefined, and said, if this machine has none. */
export function pythonWith(...modules: string[]): string | undefined {
  const program = ['import sys', 'assert sys.version_info >= (3, 9)', ...modules.map((name) => `import ${name}`)];
  for (const interpreter of interpreters) {
    const script = [...program, 'print(sys.executable)'].join('\n');
    const { status, stdout } = spawnSync(interpreter, ['-c', script], { env: environment, encoding: 'utf8' });
    // The interpreter itself: what is first on the path may be a script that looks for it.
    if (status === 0) return stdout.trim();
  }
  const missing = modules.length === 0 ? 'Python 3.9 or newer' : `Python with ${modules.join(' and ')}`;
  process.stderr.write(`no ${missing}: what needs it is not tried\n`);
  return undefined;
}

/** A Python program that runs. */
export interface PythonProgram {
  /** Resolves once a line of its output matches, with the match. @throws with its output if it ends before */
  line(pattern: RegExp): Promise<RegExpExecArray>;
  /** All that it has printed. */
  output(): string;
  /** Types a line. */
  type(text: string): void;
  /** Resolves with the exit code, or null if a signal ended it. */
  ended: Promise<number | null>;
  end(signal: NodeJS.Signals): Promise<number | null>;
}

/** Starts a program of the package's folder. */
export function startPython(
  interpreter: string,
  args: readonly string[],
  variables: Record<string, string> = {},
): PythonProgram {
  const child: ChildProcessByStdio<Writable, Readable, Readable> = spawn(interpreter, args, {
    cwd: pythonClient,
    env: { ...environment, ...variables },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let text = '';
  const listeners = new Set<() => void>();
  const ended = once(child, 'close').then(([code]) => code as number | null);
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      for (const listener of listeners) listener();
    });
  }
  child.stdin.on('error', () => {});
  return {
    output: () => text,
    ended,
    type: (line) => void child.stdin.write(`${line}\n`),
    line: (pattern) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          const found = pattern.exec(text);
          if (found === null) return;
          listeners.delete(look);
          resolve(found);
        };
        listeners.add(look);
        look();
        void ended.then(() => reject(new Error(`the program ended without ${String(pattern)}:\n${text}`)));
      }),
    end: (signal) => {
      child.kill(signal);
      return ended;
    },
  };
}

/** Runs a program to its end. @throws with its output unless it ends with 0 */
export async function runPython(
  interpreter: string,
  args: readonly string[],
  variables: Record<string, string> = {},
  input = '',
): Promise<string> {
  const program = startPython(interpreter, args, variables);
  program.type(input);
  const code = await program.ended;
  if (code !== 0) throw new Error(`python ended with ${String(code)}:\n${program.output()}`);
  return program.output();
}

/** A program of `test/support/clients`. */
export const programFile = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

/** What programs of a session are told: GATEWAY, and SESSION with its two headers. Ann is logged in by the client. */
export async function sessionOfAnn(
  interpreter: string,
  gateway: string,
  sandbox: string,
): Promise<{ GATEWAY: string; SESSION: string }> {
  const variables = { GATEWAY: gateway, SANDBOX: sandbox };
  return { GATEWAY: gateway, SESSION: (await runPython(interpreter, [programFile('log_in.py')], variables)).trim() };
}

/** Runs a statement with `session`, and resolves with what it prints. */
export function runWithSession(
  interpreter: string,
  variables: Record<string, string>,
  statement: string,
): Promise<string> {
  const program = [
    'import json, os',
    'from telegram_gateway import Gateway',
    'known = json.loads(os.environ["SESSION"])',
    'session = Gateway(os.environ["GATEWAY"]).session(known["id"], known["session-id"])',
    statement,
  ];
  return runPython(interpreter, ['-c', program.join('\n')], variables);
}
