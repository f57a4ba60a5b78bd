import { execFile } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it, type TestContext } from 'vitest';
import { freePort } from '../../../support/clients/free-port.ts';
import { useKilling } from '../../../support/crash/killing.ts';
import { ann, loggedIn } from '../../../support/crash/writing-people.ts';
import type { PreparedStart } from '../../../support/gateway/built-program.ts';
import { type HttpClient, httpClient } from '../../../support/gateway/gateway.ts';
import { createTemporaryFolder, type TemporaryFolder } from '../../../support/kit/temporary-folder.ts';
import { type Postgres, postgresPrograms, startPostgres } from '../../../support/n8n/postgres.ts';
import { n8nPackages, type RealN8n, startN8n } from '../../../support/n8n/real-n8n.ts';

/**
 * The nodes in a real n8n, which has its data in a real PostgreSQL. n8n is 2,400 packages and 3 GB, so it is installed where
 * `REAL_N8N=1` asks for it; `N8N_FOLDER` names a folder in which it is installed already.
 */

const run = promisify(execFile);
const bob = '1002';
const ownerKey = 'the-key-of-the-owner';
const port = String(await freePort());
const killing = useKilling(() => ({ PORT: port, API_KEY: ownerKey, ALLOW_PRIVATE_URLS: 'true' }));

let folder: TemporaryFolder;
/** Why n8n cannot be started; undefined if it runs. */
let missing: string | undefined;
let postgres: Postgres | undefined;
let n8n: RealN8n | undefined;
let gateway: PreparedStart | undefined;

beforeAll(async () => {
  folder = await createTemporaryFolder();
  const installed = process.env['N8N_FOLDER'] ?? join(folder.path, 'n8n');
  missing = await whyMissing(installed);
  if (missing !== undefined) return;
  const extension = await compileNodes(installed);
  postgres = await startPostgres(folder.path);
  const home = join(folder.path, 'home');
  mkdirSync(home);
  n8n = await startN8n({ installed, home, extension, postgres });
});
afterAll(async () => {
  await n8n?.stop();
  await postgres?.stop();
  if (gateway !== undefined) await killing.kill(gateway);
  await folder.remove();
});

async function whyMissing(installed: string): Promise<string | undefined> {
  if (postgresPrograms() === undefined) return 'PostgreSQL is not installed';
  if (process.env['N8N_FOLDER'] !== undefined) return undefined;
  if (process.env['REAL_N8N'] !== '1') return 'n8n is installed only where REAL_N8N=1 asks for it';
  mkdirSync(installed);
  writeFileSync(join(installed, 'package.json'), '{ "private": true }');
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--engine-strict=false', '--loglevel=error'];
  try {
    await run('npm', ['install', ...options, ...n8nPackages], { cwd: installed });
    return undefined;
  } catch (error) {
    return `n8n cannot be installed here: ${(error as Error).message.slice(0, 300)}`;
  }
}

/** As the README of the package builds it, with the types of the n8n that is installed. @returns the folder for n8n */
async function compileNodes(installed: string): Promise<string> {
  const building = join(folder.path, 'nodes');
  cpSync('clients/n8n', building, { recursive: true });
  symlinkSync(join(installed, 'node_modules'), join(building, 'node_modules'));
  await run(process.execPath, [resolve('node_modules/typescript/bin/tsc'), '-p', 'tsconfig.json'], { cwd: building });
  const nodes = 'nodes/TelegramGateway';
  for (const name of readdirSync(join(building, nodes))) {
    if (/\.(svg|json)$/.test(name)) copyFileSync(join(building, nodes, name), join(building, 'dist', nodes, name));
  }
  writeFileSync(join(building, 'dist/package.json'), '{ "type": "commonjs" }');
  return join(building, 'dist');
}

/** Skips a test, and says why, where n8n is missing. */
function needN8n({ skip }: TestContext): RealN8n {
  if (n8n === undefined) skip(missing);
  return n8n as RealN8n;
}

interface Credential {
  id: string;
  name: string;
}

/** A workflow that answers each message with what was written. */
const echo = (credential: Credential) => {
  const credentials = { telegramGatewayApi: { id: credential.id, name: credential.name } };
  const common = { typeVersion: 1, position: [0, 0], credentials };
  return {
    name: 'echo',
    active: false,
    settings: { executionOrder: 'v1' },
    nodes: [
      {
        ...common,
        id: 'a1',
        name: 'Trigger',
        type: 'CUSTOM.telegramGatewayTrigger',
        parameters: { events: ['message'], chats: 'private' },
        webhookId: '4f0a8a30-0000-4000-8000-000000000001',
      },
      {
        ...common,
        id: 'a2',
        name: 'Send',
        type: 'CUSTOM.telegramGateway',
        parameters: {
          resource: 'message',
          operation: 'send',
          messageType: 'text',
          recipientType: 'user',
          recipient: '={{ $json.data.user.id }}',
          text: '=you wrote: {{ $json.data.text }}',
        },
      },
    ],
    connections: { Trigger: { main: [[{ node: 'Send', type: 'main', index: 0 }]] } },
  };
};

it('[NN1.5] a workflow in a real n8n answers each message once, over a restart of the gateway', async (context) => {
  const editor = needN8n(context);
  const start = async (): Promise<HttpClient> => {
    gateway = killing.prepare();
    const plain = httpClient(await gateway.run());
    return {
      request: (method, path, options = {}) =>
        plain.request(method, path, { ...options, headers: { 'x-api-key': ownerKey, ...options.headers } }),
    };
  };
  let http = await start();
  const session = await loggedIn(killing.sandbox, http);
  const { body: key } = await http.request<{ key: string }>('POST', '/keys', {
    body: { name: 'n8n', scopes: ['accounts'] },
  });

  // The credentials, right and wrong.
  const data = { url: `http://127.0.0.1:${port}`, apiKey: key.key, session: session.id };
  const named = { name: 'Ann', type: 'telegramGatewayApi' };
  const credential = await editor.call<Credential>('POST', '/rest/credentials', { ...named, data });
  const test = (with_: object) =>
    editor.call('POST', '/rest/credentials/test', {
      credentials: { ...named, id: credential.id, data: { ...data, ...with_ } },
    });
  expect(await test({})).toMatchObject({ status: 'OK' });
  expect(await test({ apiKey: 'tgw_wrong' })).toMatchObject({ status: 'Error' });

  // Active: the webhook is there. A message is answered.
  const { id, versionId } = await editor.call<{ id: string; versionId: string }>(
    'POST',
    '/rest/workflows',
    echo(credential),
  );
  await editor.call('POST', `/rest/workflows/${id}/activate`, { versionId });
  const webhooks = async (): Promise<{ url: string }[]> =>
    (await http.request<{ docs: { url: string }[] }>('GET', '/session/webhooks', { headers: session })).body.docs;
  // n8n says that it is active before it has told the gateway.
  await expect.poll(webhooks).toMatchObject([{ events: ['message'], chats: 'private' }]);
  const [webhook] = await webhooks();
  const write = (text: string) => killing.sandbox.call('POST', `/accounts/${bob}/messages`, { peer: ann, text });
  const answers = async (): Promise<string[]> => {
    const path = `/accounts/${bob}/messages?peer=${ann}&limit=100`;
    const messages = await killing.sandbox.call<{ text: string }[]>('GET', path);
    return messages.map(({ text }) => text).filter((text) => text.startsWith('you wrote: '));
  };
  await write('one');
  await expect.poll(answers).toEqual(['you wrote: one']);

  // A stranger's delivery starts nothing.
  const forged = { type: 'message', data: { text: 'forged', user: { id: bob } } };
  const strange = await fetch(webhook?.url ?? '', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(forged),
  });
  expect(strange.status).toBe(401);

  // What is written while the gateway is down is answered, too, and nothing twice.
  if (gateway !== undefined) await killing.kill(gateway);
  await write('two');
  http = await start();
  await expect.poll(answers).toEqual(['you wrote: two', 'you wrote: one']);
  await write('three');
  await expect.poll(answers).toEqual(['you wrote: three', 'you wrote: two', 'you wrote: one']);

  // Not active any more: the webhook is gone.
  await editor.call('POST', `/rest/workflows/${id}/deactivate`);
  await expect.poll(webhooks).toEqual([]);
});
