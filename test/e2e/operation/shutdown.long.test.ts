import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { audit } from '../../support/e2e/audit.ts';
import { ann, bob } from '../../support/e2e/scene.ts';
import { httpClient } from '../../support/gateway/gateway.ts';
import { logInAt } from '../../support/gateway/log-in.ts';
import { type Program, runProgram, startProgram } from '../../support/gateway/program.ts';
import { createTemporaryFolder, type TemporaryFolder } from '../../support/kit/temporary-folder.ts';
import { controlOf } from '../../support/sandbox/sandbox.ts';

const pollMs = 20;
/** How long Telegram takes for each message that is under way when the signal comes. */
const slowMs = 700;
const messages = 5;

let folder: TemporaryFolder;
let program: Program;
const environment = (): Record<string, string> => ({ DATA_DIR: folder.path, SANDBOX_PORT: '0', SANDBOX_DC_PORT: '0' });
const sandboxUrl = (): string => /with: (\S+)/.exec(program.output())?.[1] ?? '';

beforeEach(async () => {
  folder = await createTemporaryFolder();
  program = await startProgram(environment());
});
afterEach(async () => {
  await program.end('SIGKILL');
  await folder.remove();
});

const logIn = () => logInAt(program.url, controlOf(sandboxUrl()), ann);

const isGone = (url: string): Promise<boolean> =>
  fetch(url).then(
    () => false,
    () => true,
  );

describe.each(['SIGTERM', 'SIGINT'] as const)('%s', (signal) => {
  it('[OP2.2] lets open requests end, loses nothing, takes its sandbox along, and exits with 0', async () => {
    const headers = await logIn();
    const http = httpClient(program.url);
    const control = controlOf(sandboxUrl());
    const method = 'messages.sendMessage';
    await control.call('POST', '/faults', { method, delayMs: slowMs, times: messages });
    const texts = Array.from({ length: messages }, (_, at) => `in time ${at}`);
    const sending = texts.map((text) =>
      http.request('POST', '/message', { headers, body: { username: 'bob', type: 'text', text } }),
    );
    // Under way when Telegram has been asked for it.
    while ((await control.call<unknown[]>('GET', `/calls?method=${method}`)).length < messages) await pause(pollMs);
    const webhook = { url: 'https://hook.example/last', token: 'last' };
    expect(await http.request('PUT', '/session/webhook', { headers, body: webhook })).toMatchObject({ status: 200 });
    const ended = program.end(signal);
    expect((await Promise.all(sending)).map(({ status }) => status)).toEqual(texts.map(() => 200));
    const address = sandboxUrl();
    expect(await ended).toBe(0);
    expect(await isGone(program.url)).toBe(true);
    expect(await isGone(address)).toBe(true);

    // All that was recorded is in the views too: they have been kept on the way out.
    const { faults, streams } = await audit(folder.path);
    expect(faults).toEqual([]);
    expect([...streams.values()].flat().map(({ type }) => type)).toContain('WebhookSet');

    program = await startProgram(environment());
    const read = (): Promise<{ body: Record<string, unknown> }> =>
      httpClient(program.url).request('GET', '/session', { headers });
    let { body } = await read();
    for (; body['isConnected'] !== true; { body } = await read()) await pause(pollMs);
    expect(body).toMatchObject({ webhook, generatedId: ann });
    const path = `/accounts/${bob}/messages?peer=${ann}&limit=${messages}`;
    const arrived = await controlOf(sandboxUrl()).call<{ text: string }[]>('GET', path);
    expect(arrived.map(({ text }) => text).toSorted()).toEqual(texts);
  });
});

it('[OP2.1] a second process on the same data refuses to start, names the first, and leaves it alone', async () => {
  const headers = await logIn();
  const { code, output } = await runProgram(environment());
  expect(code).toBe(1);
  expect(output).toContain(`${folder.path} is in use by process ${program.child.pid} on `);
  const answer = await httpClient(program.url).request('GET', '/session', { headers });
  expect(answer).toMatchObject({ status: 200, body: { isConnected: true } });
});
