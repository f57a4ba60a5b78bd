import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { runCommandLine } from '../../support/gateway/command-line.ts';
import { startProgram } from '../../support/gateway/program.ts';
import { createTemporaryFolder } from '../../support/kit/temporary-folder.ts';
import { startTestSandbox, type TestSandbox } from '../../support/sandbox/sandbox.ts';

let sandbox: TestSandbox;
let folder: Awaited<ReturnType<typeof createTemporaryFolder>>;
beforeEach(async () => {
  sandbox = await startTestSandbox();
  folder = await createTemporaryFolder();
});
afterEach(async () => {
  await sandbox.close();
  await folder.remove();
});

const environment = () => ({ DATA_DIR: join(folder.path, 'data'), TELEGRAM_SANDBOX_URL: sandbox.url });
const refuse = (error: string): Promise<unknown> =>
  sandbox.call('POST', '/faults', { method: 'auth.exportLoginToken', error, times: 1_000 });
const check = (more: Record<string, string> = {}) => runCommandLine('check', [], { ...environment(), ...more });

it('[SE15.3] check finds nothing wrong, and logs in nothing', async () => {
  const { code, output } = await check();
  expect(output.split('\n').map((line) => line.replace(/:.*/, ''))).toEqual([
    'ok    settings',
    'ok    event store',
    'ok    FFmpeg',
    'ok    Telegram',
    'ok    API ID',
    '',
  ]);
  expect(code).toBe(0);
  expect(await sandbox.call('GET', '/stats')).toMatchObject({ logins: 0 });
});

it.each([
  ['API_ID_INVALID', 'FAIL  API ID: API_ID_INVALID (TELEGRAM_API_ID and TELEGRAM_API_HASH are not those'],
  ['FLOOD_WAIT_3600', 'FAIL  API ID: FLOOD_WAIT_3600 (Telegram asks to wait'],
])('[SE15.3] check finds a refused API ID: %s', async (error, line) => {
  await refuse(error);
  const { code, output } = await check();
  expect(output).toContain('ok    Telegram: data centre 2 answers');
  expect(output).toContain(line);
  expect(code).toBe(1);
});

it('[SE15.3] check finds an unreachable Telegram, a missing program and wrong settings', async () => {
  await sandbox.call('POST', '/network', { action: 'refuse' });
  const first = await check({ FFMPEG_PATH: '/nowhere/ffmpeg' });
  expect(first.output).toContain('FAIL  FFmpeg: FFMPEG_PATH is not a program');
  expect(first.output).toContain('FAIL  Telegram: ');
  expect(first.code).toBe(1);
  const second = await check({ PORT: 'm4rker' });
  expect(second.output).toBe('FAIL  setting PORT must be integer\n');
  expect(second.code).toBe(1);
});

it('[SE15.3] the start screen says that the API ID is refused', async () => {
  await refuse('API_ID_PUBLISHED_FLOOD');
  const program = await startProgram(environment());
  await expect.poll(() => program.output()).toContain('Telegram refuses logins: API_ID_PUBLISHED_FLOOD');
  const ready = await fetch(`${program.url}/health/ready`);
  expect(await ready.json()).toMatchObject({ warnings: [expect.stringContaining('API_ID_PUBLISHED_FLOOD')] });
  expect(await program.end('SIGTERM')).toBe(0);
});
