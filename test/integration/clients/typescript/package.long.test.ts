import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { publint } from 'publint';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { installPackedClient, type PackedClient } from '../../../support/clients/packed-client.ts';
import { createTemporaryFolder, type TemporaryFolder } from '../../../support/kit/temporary-folder.ts';

/** The TypeScript client as npm publishes it, in the folder of a user. */

const run = promisify(execFile);

let folder: TemporaryFolder;
let client: PackedClient;
beforeAll(async () => {
  folder = await createTemporaryFolder();
  client = await installPackedClient(folder.path);
  writeFileSync(join(folder.path, 'package.json'), '{ "type": "module" }');
});
afterAll(() => folder.remove());

describe('the package', () => {
  it('[TC1.9] has what its users need, no dependency, and nothing that publint finds', async () => {
    const strange = client.files.filter(
      (path) => !/^(?:dist\/.*\.(?:js|d\.ts)|README\.md|LICENSE|package\.json)$/.test(path),
    );
    expect(strange).toEqual([]);
    expect(client.files).toContain('dist/index.js');
    const manifest = JSON.parse(readFileSync(join(client.folder, 'package.json'), 'utf8')) as Record<string, unknown>;
    expect(Object.keys(manifest).filter((name) => /dependencies$/i.test(name))).toEqual([]);
    const { messages } = await publint({ pkgDir: client.folder, strict: true });
    expect(messages).toEqual([]);
  });

  it('[TC1.9] is imported and required by its name', async () => {
    const program = `import { Gateway, createWebhook } from 'telegram-session-gateway-client';
      console.log(typeof new Gateway().session({ id: 'a' }).send, typeof createWebhook);`;
    writeFileSync(join(folder.path, 'imports.mjs'), program);
    const { stdout } = await run(process.execPath, ['imports.mjs'], { cwd: folder.path });
    expect(stdout).toBe('function function\n');
  });
});

/** What a user may write: `wrong` is refused by the compiler, and nothing else is. */
const snippets: readonly { code: string; wrong?: RegExp }[] = [
  { code: "session.send({ username: 'bob', type: 'text', text: 'Hello' })" },
  { code: "session.send({ username: 'bob', type: 'text' })", wrong: /'text' is missing|Property 'text'/ },
  { code: "session.send({ type: 'text', text: 'Hello' })", wrong: /username|group/ },
  { code: "session.send({ user: '1', type: 'tekst', text: 'Hello' })", wrong: /"tekst"/ },
  { code: "session.send({ user: '1', type: 'text', text: 'Hello', parseMode: 'markup' })", wrong: /"markup"/ },
  { code: "session.send({ user: '1', type: 'image', image: { url: 'https://x', mimetype: 'image/png' } })" },
  { code: "session.send({ user: '1', type: 'image', text: 'a caption' })", wrong: /'image'/ },
  { code: "session.send({ user: '1', type: 'location', location: { latitude: 1 } })", wrong: /'longitude'/ },
  { code: "session.send({ user: 1, type: 'text', text: 'Hello' })", wrong: /number/ },
  { code: "session.send({ user: '1', type: 'text', text: 'a' }).then(({ messageId }) => messageId.length)" },
  {
    code: "session.send({ user: '1', type: 'text', text: 'a', sendAt: '2027-01-01T00:00:00Z' }).then(({ messageId }) => messageId.length)",
    wrong: /possibly 'undefined'/,
  },
  { code: "session.setGroupRole({ groupId: '-1', userId: '1' })", wrong: /'role'/ },
  { code: 'session.listMessages({})', wrong: /'chatId'/ },
  { code: "(async () => { for await (const one of session.listMessages({ chatId: '1' })) one.text.trim() })()" },
  { code: "session.listMessages({ chatId: '1' }).then(({ docs, before }) => [docs.length, before.trim()])" },
  {
    code: "(async () => { for await (const event of session.streamMessages({ reader: 'a' })) if (event.type === 'message') event.data.text.trim() })()",
  },
  {
    code: "(async () => { for await (const event of session.streamMessages({ reader: 'a' })) event.data.text })()",
    wrong: /'text' does not exist/,
  },
  {
    code: "gateway.createSession({ label: 'Desk' }).then((one) => one.waitForLogin({ onQr: (qr) => void qr.text.trim() }))",
  },
  { code: 'gateway.createSession({ label: 1 })', wrong: /number/ },
  { code: "createWebhook({ token: 'a', onEvent: (event: GatewayEvent<'message'>['data'] | GatewayEvent) => event })" },
  { code: 'createWebhook({ token: process.env.TOKEN, onEvent: () => {} })', wrong: /undefined/ },
  { code: "((error: GatewayError) => error.code === 'telegram_wait' && error.retryAfter! > 1)({} as never)" },
];

it('[TC1.2] the compiler refuses a message that lacks what its type requires, and takes the others', async () => {
  const head = `import { createWebhook, Gateway, type GatewayError, type GatewayEvent } from 'telegram-session-gateway-client';
declare const process: { env: Record<string, string | undefined> };
const gateway = new Gateway();
const session = gateway.session({ id: 'a' });
export const used = [createWebhook, process, session] as (GatewayError | GatewayEvent | unknown)[];
`;
  const names = snippets.map((_snippet, index) => `snippet-${index}.ts`);
  for (const [index, { code }] of snippets.entries())
    writeFileSync(join(folder.path, names[index] ?? ''), `${head}void ${code};\n`);
  // As strict as can be, the client's own declarations included.
  const options = [
    '--noEmit',
    '--strict',
    '--exactOptionalPropertyTypes',
    '--skipLibCheck',
    'false',
    '--target',
    'es2022',
  ];
  const modules = ['--module', 'nodenext', '--lib', 'es2023,dom,dom.iterable,dom.asynciterable', '--types', ''];
  const { stdout } = await run(resolve('node_modules/.bin/tsc'), [...options, ...modules, ...names], {
    cwd: folder.path,
  }).catch((error: unknown) => error as { stdout: string });
  const said = snippets.map(({ code, wrong }, index) => {
    const [, text = ''] =
      new RegExp(`^snippet-${index}\\.ts\\(\\d+,\\d+\\): (error[^]*?)(?=^\\S|(?![^]))`, 'm').exec(stdout) ?? [];
    return { code, right: wrong === undefined ? text === '' : wrong.test(text), text };
  });
  expect(said.filter(({ right }) => !right)).toEqual([]);
  // Nothing is wrong with the declarations themselves.
  expect(stdout.split('\n').filter((line) => /^\S+\(\d+/.test(line) && !line.startsWith('snippet-'))).toEqual([]);
});
