import { afterEach, beforeEach, expect, it } from 'vitest';
import { ann } from '../../support/e2e/scene.ts';
import { httpClient } from '../../support/gateway/gateway.ts';
import { logInAt } from '../../support/gateway/log-in.ts';
import { type Program, startProgram } from '../../support/gateway/program.ts';
import { createTemporaryFolder, type TemporaryFolder } from '../../support/kit/temporary-folder.ts';
import { startTestSandbox, type TestSandbox } from '../../support/sandbox/sandbox.ts';

const pollMs = 20;

let folder: TemporaryFolder;
let sandbox: TestSandbox;
let program: Program;
const start = (): Promise<Program> => startProgram({ DATA_DIR: folder.path, TELEGRAM_SANDBOX_URL: sandbox.url });

beforeEach(async () => {
  [folder, sandbox] = await Promise.all([createTemporaryFolder(), startTestSandbox()]);
  program = await start();
});
afterEach(async () => {
  await program.end('SIGKILL');
  await sandbox.close();
  await folder.remove();
});

const devices = (): Promise<unknown[]> => sandbox.call('GET', `/accounts/${ann}/devices`);

const logIn = () => logInAt(program.url, sandbox, ann);

it.each([
  ['[SE3.1] a deletion', 'DELETE', '/session', undefined],
  ['[SE2.1] a reset', 'POST', '/session/reset', {}],
] as const)(
  '%s still logs out at Telegram where the process is killed before it could',
  async (_, method, path, body) => {
    const headers = await logIn();
    expect(await devices()).toHaveLength(1);
    // Telegram hears nothing of what follows.
    await sandbox.call('POST', '/network', { action: 'blackhole' });
    expect(await httpClient(program.url).request(method, path, { headers, body })).toMatchObject({ status: 200 });
    await program.end('SIGKILL');
    await sandbox.call('POST', '/network', { action: 'cut' });
    await sandbox.call('POST', '/network', { action: 'accept' });
    expect(await devices()).toHaveLength(1);

    program = await start();
    await expect.poll(devices, { interval: pollMs }).toEqual([]);
  },
);
