import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { builtCommandLine } from '../../support/gateway/built-folder.ts';
import { createTemporaryFolder } from '../../support/kit/temporary-folder.ts';
import { startTestSandbox, type TestSandbox } from '../../support/sandbox/sandbox.ts';

let telegram: TestSandbox;
let sandbox: TestSandbox;
let folder: Awaited<ReturnType<typeof createTemporaryFolder>>;
beforeEach(async () => {
  telegram = await startTestSandbox();
  sandbox = await startTestSandbox();
  folder = await createTemporaryFolder();
});
afterEach(async () => {
  await telegram.close();
  await sandbox.close();
  await folder.remove();
});

/** Runs the command with both sandboxes, answers its questions one by one, and scans the links that it shows. */
async function compare(args: readonly string[], answers: readonly string[]): Promise<{ code: number; output: string }> {
  const addresses = ['--telegram-sandbox', telegram.url, '--sandbox', sandbox.url];
  const words = [await builtCommandLine(), 'compare', ...addresses, ...args];
  const child = spawn(process.execPath, words, { env: { PATH: process.env['PATH'] } });
  let output = '';
  let asked = 0;
  const scanned = new Set<string>();
  child.stderr.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
    const questions = output.match(/start: |password: /g) ?? [];
    for (; asked < questions.length; asked++) child.stdin.write(`${answers[asked] ?? ''}\n`);
    for (const [link] of output.matchAll(/tg:\/\/login\?token=[\w-]+(?=\n)/g)) {
      if (scanned.has(link)) continue;
      scanned.add(link);
      void telegram.scan(link, '1002').catch(() => undefined);
    }
  });
  const [code] = (await once(child, 'close')) as [number];
  return { code, output };
}

const callsAt = (side: TestSandbox): Promise<unknown[]> => side.call('GET', '/calls');

it('compare --dry-run says what it would do, and does nothing', async () => {
  const { code, output } = await compare(['--dry-run'], []);
  expect(output).toContain('messages.SendMessage: a text\n');
  expect(output).toContain('channels.DeleteChannel: the group is deleted\n');
  expect(code).toBe(0);
  expect([await callsAt(telegram), await callsAt(sandbox)]).toEqual([[], []]);
});

it('compare asks before it starts, and does nothing without a yes', async () => {
  const { code, output } = await compare([], ['no']);
  expect(output).toContain('Type yes to start: Nothing was done.');
  expect(code).toBe(0);
  expect(await callsAt(telegram)).toEqual([]);
});

it('[OP9.3] compare logs in by QR and with the password, writes the report, and ends the login', async () => {
  const report = join(folder.path, 'comparison.md');
  // Bob of the other sandbox has a password, and data of his own.
  const { code, output } = await compare(['--report', report, '--json'], ['yes', 'hunter2']);
  const said = JSON.parse(output.trimEnd().split('\n').at(-1) ?? '') as { report: string; differences: string[] };
  expect(said.report).toBe(report);
  expect(said.differences.join('\n')).toContain('fullUser: UserFull has about');
  expect(code).toBe(1);
  const text = await readFile(report, 'utf8');
  expect(text).toContain('- oneself in full: fullUser: UserFull has about never at Telegram, always in the sandbox\n');
  expect(text).not.toMatch(/skipped|Bob|1002/);
  for (const side of [telegram, sandbox]) expect(await side.call('GET', '/stats')).toMatchObject({ logins: 0 });
});
