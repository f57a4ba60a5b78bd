import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { GatewayEvent } from '../../../../clients/typescript/src/index.ts';
import { Gateway } from '../../../../clients/typescript/src/index.ts';
import { installPackedClient } from '../../../support/clients/packed-client.ts';
import { ann, bob } from '../../../support/e2e/scene.ts';
import { type Program, startProgram } from '../../../support/gateway/program.ts';
import { createTemporaryFolder, type TemporaryFolder } from '../../../support/kit/temporary-folder.ts';
import { freePort } from '../../../support/kit/web-server.ts';
import { startTestSandbox, type TestSandbox } from '../../../support/sandbox/sandbox.ts';

/** The guide, as a reader follows it: its programs, the published package, the real gateway, and restarts. */

const guide = readFileSync('docs/guides/first-integration/typescript.md', 'utf8');

let folder: TemporaryFolder;
let sandbox: TestSandbox;
let gateway: Program;
let ports: { gateway: number; receiver: number };
const running = new Set<ChildProcess>();

const startGateway = (): Promise<Program> =>
  startProgram({
    PORT: String(ports.gateway),
    DATA_DIR: join(folder.path, 'data'),
    TELEGRAM_SANDBOX_URL: sandbox.url,
    ALLOW_PRIVATE_URLS: 'true',
  });

beforeAll(async () => {
  [folder, sandbox] = await Promise.all([createTemporaryFolder(), startTestSandbox()]);
  ports = { gateway: await freePort(), receiver: await freePort() };
  [gateway] = await Promise.all([startGateway(), installPackedClient(folder.path)]);
});
afterAll(async () => {
  for (const child of running) child.kill('SIGKILL');
  await gateway?.end('SIGKILL');
  await Promise.all([sandbox?.close(), folder?.remove()]);
});

interface Running {
  /** Resolves when what it has printed is as wanted. */
  printed(wanted: RegExp): Promise<string>;
  output(): string;
  end(): Promise<void>;
}

/** Saves the program of the guide under the name that it says, and starts it. */
function start(name: string): Running {
  const [, code = ''] = new RegExp(`\`${name.replace('.', '\\.')}\`[^]*?\`\`\`js\n([^]*?)\`\`\``).exec(guide) ?? [];
  expect(code).toContain("from 'telegram-session-gateway-client'");
  const here = code
    .replaceAll('127.0.0.1:3000', `127.0.0.1:${ports.gateway}`)
    .replaceAll('8080', String(ports.receiver));
  writeFileSync(join(folder.path, name), here);
  const child = spawn(process.execPath, [name], { cwd: folder.path, stdio: ['ignore', 'pipe', 'pipe'] });
  running.add(child);
  let text = '';
  const watchers = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      for (const watcher of watchers) watcher();
    });
  }
  const ended = once(child, 'close');
  void ended.then(() => running.delete(child));
  return {
    output: () => text,
    printed: (wanted) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          const [found] = wanted.exec(text) ?? [];
          if (found !== undefined) resolve(found);
        };
        watchers.add(look);
        look();
        void ended.then(() => reject(new Error(`${name} ended:\n${text}`)));
      }),
    end: async () => {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

const write = (text: string): Promise<unknown> =>
  sandbox.call('POST', `/accounts/${bob}/messages`, { peer: ann, text });
const textsWith = async (part: string): Promise<string[]> =>
  (await sandbox.call<{ text: string }[]>('GET', `/accounts/${bob}/messages?peer=${ann}&limit=50`))
    .map(({ text }) => text)
    .filter((text) => text.includes(part));

const answers = (): Promise<string[]> => textsWith('You said: ');

function eventsOnFile(): GatewayEvent<'message'>[] {
  const file = join(folder.path, 'events.ndjson');
  const lines = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as GatewayEvent<'message'>);
}

it('[TC1.10] the programs of the guide log in, send, receive over restarts, and answer', async () => {
  const first = start('first.mjs');
  await sandbox.scan(await first.printed(/tg:\/\/login\?token=\S+/), ann);
  await first.printed(/^Ann Lee is connected\nmessage \d+ is sent\n/m);
  expect(await textsWith('Hello')).toEqual(['Hello Bob']);
  expect(first.output()).toContain('\u001B[30;107m');

  // The webhook, with a restart of the receiver.
  let receiver = start('receiver.mjs');
  await receiver.printed(/^listening$/m);
  await start('connect.mjs').printed(/^I: Hello Bob$/m);
  await write('Hi Ann');
  await receiver.printed(/^Bob Stone: Hi Ann$/m);
  await receiver.end();
  await write('while it is away 1');
  await write('while it is away 2');
  receiver = start('receiver.mjs');
  await receiver.printed(/^Bob Stone: while it is away 2$/m);

  // The gateway is killed, and is as before.
  await gateway.end('SIGKILL');
  gateway = await startGateway();
  const credentials = JSON.parse(readFileSync(join(folder.path, 'session.json'), 'utf8')) as { id: string };
  const session = new Gateway({ baseUrl: gateway.url }).session(credentials);
  expect(await session.waitForLogin({ pollMs: 50 })).toMatchObject({ isConnected: true, name: 'Ann Lee' });
  await write('after the kill');
  await receiver.printed(/^Bob Stone: after the kill$/m);
  const texts = ['Hi Ann', 'while it is away 1', 'while it is away 2', 'after the kill'];
  const messages = eventsOnFile().filter(({ type }) => type === 'message');
  // Nothing lost, nothing twice, in their order.
  expect(messages.map(({ data }) => data.text)).toEqual(texts);
  await receiver.end();

  // The stream answers, and goes on behind a gateway that was killed.
  const stream = start('stream.mjs');
  await stream.printed(/^reading$/m);
  // A reader gets what comes after it first came: until then nothing is answered.
  for (let count = 1; (await answers()).length === 0; count += 1) {
    await write(`are you there ${count}`);
    await pause(250);
  }
  await gateway.end('SIGKILL');
  await write('and now');
  gateway = await startGateway();
  await expect.poll(answers).toContain('You said: and now');
  const answered = await answers();
  expect(new Set(answered).size).toBe(answered.length);
  await stream.end();
});
