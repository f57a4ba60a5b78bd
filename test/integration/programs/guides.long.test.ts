import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type CodeBlock, codeBlocks, type Step, stepsOf } from '../../support/documents/code-blocks.ts';
import { localizedTo, runShell, runStep } from '../../support/documents/run-steps.ts';
import { builtCommandLine } from '../../support/gateway/built-folder.ts';
import { startTestGateway, type TestGateway } from '../../support/gateway/gateway.ts';
import { startTestSandbox, type TestSandbox } from '../../support/sandbox/sandbox.ts';

/** The shell blocks of `docs/guides`, run as they stand, in their order, against a gateway and the sandbox. */

const apiKey = 'the key of the guides, which is long enough';

let folder = '';
let gateway: TestGateway | undefined;
let sandbox: TestSandbox;
beforeEach(async () => {
  sandbox = await startTestSandbox();
  folder = mkdtempSync(join(tmpdir(), 'guides-'));
  mkdirSync(join(folder, 'here'));
  mkdirSync(join(folder, 'bin'));
  // `npm run X -- …` of a checkout that is built already.
  const npm = join(folder, 'bin', 'npm');
  writeFileSync(
    npm,
    `#!/bin/sh\nname=$2; shift 2; [ "$1" = -- ] && shift; [ "$name" = check-setup ] && name=check\n` +
      `exec "${process.execPath}" "${await builtCommandLine()}" "$name" "$@"\n`,
  );
  chmodSync(npm, 0o755);
});
afterEach(async () => {
  await gateway?.close();
  gateway = undefined;
  await sandbox.close();
  rmSync(folder, { recursive: true, force: true });
});

const blocksOf = (file: string): CodeBlock[] => codeBlocks(readFileSync(file, 'utf8'));
/** What a reader of the page has to have first, the text above it says. */
const isRunnable = ({ above }: CodeBlock): boolean => !/\bneeds\b/.test(above);

async function start(environment: Record<string, string> = {}): Promise<(command: string) => Promise<string>> {
  const dataDir = join(folder, 'here', 'data');
  const { url } = (gateway = await startTestGateway({ sandbox, dataDir, environment }));
  const shell = {
    PATH: `${join(folder, 'bin')}:${process.env['PATH'] ?? ''}`,
    API_KEY: apiKey,
    DATA_DIR: dataDir,
    TELEGRAM_SANDBOX_URL: sandbox.url,
  };
  return (command) => runShell(localizedTo({ url, sandboxUrl: sandbox.url }, command), join(folder, 'here'), shell);
}

const localStep = (step: Step): Step => ({
  ...step,
  printed: localizedTo({ url: gateway?.url ?? '', sandboxUrl: sandbox.url }, step.printed),
});

/** Runs all runnable blocks of a page. @returns how many */
async function runPage(file: string, run: (command: string) => Promise<string>): Promise<number> {
  const steps = stepsOf(blocksOf(file).filter(isRunnable));
  for (const step of steps) {
    // Where the page does not say what is printed, that is nothing, or differs from machine to machine.
    await runStep(localStep(step), run, step.printed === '' ? /^(?!failed: )(?![^]*"statusCode")/ : undefined);
  }
  return steps.length;
}

/** The first steps of the tour: a session, whose `headers` are in a file, with Ann's account connected. */
async function logIn(run: (command: string) => Promise<string>): Promise<void> {
  const steps = stepsOf(blocksOf('docs/tour.md')).slice(0, 4);
  for (const step of steps) await runStep(localStep(step), run);
}

it('[DO1.3] a support desk', async () => {
  const run = await start({ API_KEY: apiKey });
  expect(await runPage('docs/guides/support-desk.md', run)).toBe(11);
});

it('[DO1.3] healthy accounts', async () => {
  const run = await start();
  await logIn(run);
  expect(await runPage('docs/guides/healthy-accounts.md', run)).toBe(4);
});

it('[DO1.3] moving', async () => {
  const run = await start();
  await logIn(run);
  expect(await runPage('docs/guides/moving.md', run)).toBe(1);
});

it('[DO1.3] an upgrade: backup, check, and the way back', async () => {
  const run = await start();
  await logIn(run);
  const said: string[] = [];
  const record = async (command: string): Promise<string> => {
    const text = await run(`${command.trimEnd()}\necho "status $?"\n`);
    said.push(text);
    return text;
  };
  expect(await runPage('docs/guides/upgrade.md', record)).toBe(3);
  expect(said.map((text) => /status (\d+)\s*$/.exec(text)?.[1])).toEqual(['0', '0', '0']);
});
