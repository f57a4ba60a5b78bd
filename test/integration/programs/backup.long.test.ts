import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { runCommandLine } from '../../support/gateway/command-line.ts';
import { httpClient } from '../../support/gateway/gateway.ts';
import { logInAt } from '../../support/gateway/log-in.ts';
import { type Program, startProgram } from '../../support/gateway/program.ts';
import { createTemporaryFolder, type TemporaryFolder } from '../../support/kit/temporary-folder.ts';
import { controlOf, startTestSandbox, type TestSandbox } from '../../support/sandbox/sandbox.ts';

/** Accounts of the seeded world. */
const ann = '1001';
const bob = '1002';

let folder: TemporaryFolder;
let sandbox: TestSandbox;
let running: Program | undefined;
beforeEach(async () => {
  folder = await createTemporaryFolder();
  sandbox = await startTestSandbox();
});
afterEach(async () => {
  await running?.end('SIGKILL');
  await sandbox.close();
  await folder.remove();
});

const at = (name: string) => ({ DATA_DIR: join(folder.path, name), TELEGRAM_SANDBOX_URL: sandbox.url });

/** As a client does: what the gateway cannot take at the moment is sent again. */
async function post(url: string, headers: Record<string, string>, text: string): Promise<string> {
  for (;;) {
    const { status, body } = await httpClient(url).request<{ id: string }>('POST', '/message', {
      headers: { ...headers, 'idempotency-key': text },
      body: { type: 'text', user: bob, text },
    });
    if (status === 200) return body.id;
    expect(status).toBe(503);
  }
}

it('[OS6.1] [OS6.2] [OS6.3] backs a gateway up that sends, and restores it elsewhere with all that was answered', async () => {
  running = await startProgram(at('first'));
  const { url } = running;
  const headers = await logInAt(url, controlOf(sandbox.url), ann);
  const before = [];
  for (let count = 0; count < 20; count += 1) before.push(await post(url, headers, `early ${count}`));
  const backup = join(folder.path, 'backup');
  const ended = new AbortController();
  const load = (async () => {
    for (let count = 0; !ended.signal.aborted; count += 1) await post(url, headers, `late ${count}`);
  })();
  const made = await runCommandLine('backup', [backup], at('first'));
  ended.abort();
  await load;
  expect(made.output).toMatch(/ → .*backup: .*events\.db.* MB\), checked\n$/);
  expect(made.code).toBe(0);
  await running.end('SIGKILL');

  const restored = await runCommandLine('restore', [backup], at('second'));
  expect(restored).toMatchObject({ code: 0, output: expect.stringContaining('It is inactive') });
  await expect(startProgram(at('second'))).rejects.toThrow('is inactive');
  expect((await runCommandLine('restore', ['--activate'], at('second'))).code).toBe(0);
  running = await startProgram(at('second'));
  const client = httpClient(running.url);
  for (;;) {
    const { body } = await client.request<{ isConnected: boolean }>('GET', '/session', { headers });
    if (body.isConnected) break;
  }
  // What was answered before is known: a repeated request sends nothing and has the same answer.
  for (const [count, id] of before.entries()) expect(await post(running.url, headers, `early ${count}`)).toBe(id);
  const seen = await controlOf(sandbox.url).call<{ text: string }[]>(
    'GET',
    `/accounts/${ann}/messages?peer=${bob}&limit=1000`,
  );
  const texts = seen.map(({ text }) => text);
  expect(new Set(texts).size).toBe(texts.length);
  const replayed = await runCommandLine('replay', [], at('second'));
  expect(replayed).toMatchObject({ code: 0, output: expect.stringContaining('no drift') });
});

it('[OS6.2] says what is wrong, and touches nothing', async () => {
  const nothing = await runCommandLine('backup', [join(folder.path, 'backup')], at('none'));
  expect(nothing).toMatchObject({ code: 2, output: expect.stringMatching(/^there is nothing to back up: no \S+\n$/) });
  const other = await runCommandLine('restore', [join(folder.path, 'backup')], at('none'));
  expect(other).toMatchObject({ code: 2, output: expect.stringMatching(/is not a backup: .*\n$/) });
  const active = await runCommandLine('restore', ['--activate'], at('none'));
  expect(active).toMatchObject({ code: 2, output: expect.stringMatching(/is not inactive\n$/) });
});
