import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Program, startProgram } from '../../support/gateway/program.ts';

const pollMs = 50;
/** A minute and more: a step that takes longer prints something else than the README says. */
const maxAttempts = 600;

let folder = '';
let program: Program | undefined;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tour-'));
  mkdirSync(join(folder, 'data'));
  mkdirSync(join(folder, 'here'));
});
afterEach(async () => {
  await program?.end('SIGTERM');
  rmSync(folder, { recursive: true, force: true });
});

interface Step {
  command: string;
  /** What is printed below it; empty: nothing is. */
  printed: string;
}

/** The blocks of a section of the README: what is typed, and what is printed then. */
function stepsOf(section: string): Step[] {
  const readme = readFileSync('README.md', 'utf8');
  const text = readme
    .slice(readme.indexOf(`\n## ${section}\n`))
    .split('\n## ', 2)
    .join('\n## ');
  return [...text.matchAll(/```sh\n([^]*?)```(?:\s*```\n([^]*?)```)?/g)].map(([, command = '', printed = '']) => ({
    command,
    printed: printed.trim(),
  }));
}

/** As printed, but for what is new each time. */
function patternOf(printed: string): RegExp {
  const text = printed
    .replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`)
    .replaceAll('…', '[^]*')
    .replaceAll(/01[\da-f]{6}-(?:[\da-f]{4}-){3}[\da-f]{12}/g, '[\\da-f-]{36}')
    .replaceAll(/01[\da-f]{6}-/g, '[\\da-f]{8}-')
    .replaceAll(/E_kgH_gEXX\w*/g, '[\\w-]{10,43}')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:]+\\\.\d{3}Z/g, '[\\dT:.-]{23}Z');
  return new RegExp(`^\\s*${text.replaceAll(/\n/g, '\\s*')}\\s*$`);
}

const run = (command: string): Promise<string> =>
  new Promise((resolve) => {
    execFile('bash', ['-c', command], { cwd: join(folder, 'here') }, (_error, stdout) => resolve(stdout));
  });

async function start(): Promise<Program> {
  return startProgram({ DATA_DIR: join(folder, 'data'), SANDBOX_PORT: '0', SANDBOX_DC_PORT: '0' });
}

/** The tour's addresses are those of a gateway that has the machine to itself. */
function here(gateway: Program, command: string): string {
  const sandbox = /with: (\S+)/.exec(gateway.output())?.[1] ?? '';
  return command.replaceAll('http://127.0.0.1:3000', gateway.url).replaceAll('http://127.0.0.1:4400', sandbox);
}

it('[CO3.1] the tour of the README, typed line by line, prints what it says', async () => {
  program = await start();
  const steps = stepsOf('Five minutes');
  expect(steps.length).toBe(6);
  for (const [index, { command, printed }] of steps.entries()) {
    if (index === steps.length - 1) {
      await program.end('SIGKILL');
      program = await start();
    }
    const wanted = printed === '' ? /"isConnected":true/ : patternOf(printed);
    const asks = /^(?:sleep 1; )?curl -s -H @headers \S+\/session\n$/.test(command);
    for (let attempt = 1; ; attempt += 1) {
      const said = await run(here(program, command.replace('sleep 1; ', '')));
      if (wanted.test(said)) break;
      // What was only asked can be asked again, and so can what a busy machine has turned away.
      if (attempt === maxAttempts || (!asks && !said.includes('service overloaded'))) expect(said).toMatch(wanted);
      await pause(pollMs);
    }
  }
});
