import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { codeBlocks } from '../../support/documents/code-blocks.ts';
import { localized, sandboxOf } from '../../support/documents/run-steps.ts';
import { type Program, startProgram } from '../../support/gateway/program.ts';

let folder = '';
let gateway: Program;
let child: ChildProcess | undefined;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'readme-'));
  mkdirSync(join(folder, 'data'));
  gateway = await startProgram({ DATA_DIR: join(folder, 'data'), SANDBOX_PORT: '0', SANDBOX_DC_PORT: '0' });
});
afterEach(async () => {
  child?.kill('SIGKILL');
  await gateway?.end('SIGTERM');
  rmSync(folder, { recursive: true, force: true });
});

it('[DO1.1] the program of the README sends a message, and prints the answer to it', async () => {
  const blocks = codeBlocks(readFileSync('README.md', 'utf8'));
  const at = blocks.findIndex(({ language }) => language === 'js');
  const printed = localized(gateway, blocks[at + 1]?.code ?? '').trim();
  writeFileSync(join(folder, 'hello.mjs'), localized(gateway, blocks[at]?.code ?? ''));
  let said = '';
  const start = (): void => {
    said = '';
    const started = (child = spawn(process.execPath, ['hello.mjs'], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
    }));
    for (const stream of [started.stdout, started.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        said += chunk.toString();
      });
    }
    // A busy machine turns requests away, and a first program does not try again.
    started.on('close', () => {
      if (said.includes('service overloaded')) start();
    });
  };
  start();
  const [connected = '', sent = '', answer = ''] = printed.split('\n');
  await expect.poll(() => said.replace(/message \d+/, 'message 14')).toBe(`${connected}\n${sent}\n`);
  await fetch(`${sandboxOf(gateway)}/accounts/1002/messages`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ peer: '1001', text: answer.replace('Bob Stone: ', '') }),
  });
  await expect.poll(() => said.split('\n')[2]).toBe(answer);
});
