import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { codeBlocks, patternOf, stepsOf } from '../../support/documents/code-blocks.ts';
import { localized, runShell, runStep } from '../../support/documents/run-steps.ts';
import { type Program, startProgram } from '../../support/gateway/program.ts';

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

async function start(): Promise<Program> {
  return startProgram({ DATA_DIR: join(folder, 'data'), SANDBOX_PORT: '0', SANDBOX_DC_PORT: '0' });
}

it('[DO1.1] the tour, typed line by line, prints what it says', async () => {
  let gateway = (program = await start());
  const steps = stepsOf(codeBlocks(readFileSync('docs/tour.md', 'utf8')));
  expect(steps.length).toBe(6);
  for (const [index, step] of steps.entries()) {
    if (index === steps.length - 1) {
      await gateway.end('SIGKILL');
      gateway = program = await start();
    }
    const run = (command: string): Promise<string> => runShell(localized(gateway, command), join(folder, 'here'));
    await runStep(step, run, step.printed === '' ? /"isConnected":true/ : patternOf(step.printed));
  }
});
