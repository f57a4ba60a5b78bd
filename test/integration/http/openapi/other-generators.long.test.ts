import { execFile } from 'node:child_process';
import { cpSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTemporaryFolder, type TemporaryFolder } from '../../../support/kit/temporary-folder.ts';
import { installTools } from '../../../support/repository/npm-tools.ts';

/** Three generators of clients that are much in use, beside the one of `generated-client.long.test.ts`. */

const run = promisify(execFile);
const tools = ['openapi-typescript@7.13', 'openapi-fetch@0.17', '@hey-api/openapi-ts@0.99', 'orval@8.38', 'zod@4'];

/** How a program makes the requests of this test, in the words of the client. */
interface Generator {
  name: string;
  /** Arguments of its program, the first of them its file under `node_modules`. */
  generate: readonly string[];
  head: string;
  create: string;
  list: (query: string) => string;
  send: (body: string) => string;
  mute: (body: string) => string;
  more?: string;
}

const heyPlugins = ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk', 'zod'].flatMap((name) => [
  '-p',
  name,
]);

const generators: readonly Generator[] = [
  {
    name: 'openapi-typescript',
    generate: ['openapi-typescript/bin/cli.js', 'openapi.json', '-o', 'types.ts'],
    head: `import createClient from 'openapi-fetch';
import type { paths } from './types.ts';
const gateway = createClient<paths>({ baseUrl: 'http://127.0.0.1:3000' });`,
    create: `gateway.POST('/session', { body: { name: 'Desk' } }).then(({ data, error }) => data?.id ?? error?.message)`,
    list: (query) => `gateway.GET('/session/events', { params: { query: ${query} } })`,
    send: (body) => `gateway.POST('/message', { body: ${body} })`,
    mute: (body) => `gateway.POST('/chat/mute', { body: ${body} })`,
  },
  {
    name: '@hey-api/openapi-ts',
    generate: ['@hey-api/openapi-ts/bin/run.js', '-i', 'openapi.json', '-o', 'hey', ...heyPlugins, '--no-log-file'],
    head: `import * as gateway from './hey/index.ts';
import { zSetWebhookBody } from './hey/zod.gen.ts';`,
    create: `gateway.createSession({ body: { name: 'Desk' } }).then(({ data, error }) => data?.id ?? error?.message)`,
    list: (query) => `gateway.listEvents({ query: ${query} })`,
    send: (body) => `gateway.sendMessage({ body: ${body} })`,
    mute: (body) => `gateway.muteChat({ body: ${body} })`,
    // It turns a webhook off.
    more: `export const off = zSetWebhookBody.parse({ url: '', token: '' });`,
  },
  {
    name: 'orval',
    generate: ['orval/dist/bin/orval.mjs', '--input', 'openapi.json', '--output', 'orval.ts', '--client', 'fetch'],
    head: `import * as gateway from './orval.ts';`,
    create: `gateway.createSession({ name: 'Desk' }).then(({ status, data }) => status === 200 ? data.id : data.message)`,
    list: (query) => `gateway.listEvents(${query})`,
    send: (body) => `gateway.sendMessage(${body})`,
    mute: (body) => `gateway.muteChat(${body})`,
    more: `export const uploaded = gateway.uploadFile(new Blob(['x']), { name: 'a.txt' });`,
  },
];

let folder: TemporaryFolder;
let needTools: Awaited<ReturnType<typeof installTools>>;
beforeAll(async () => {
  folder = await createTemporaryFolder();
  needTools = await installTools(folder.path, tools);
  cpSync('docs/openapi.json', join(folder.path, 'openapi.json'));
});
afterAll(() => folder.remove());

/** The lines of a program that the compiler refuses, and what it says of other files. */
async function refusedLines(lines: readonly string[]): Promise<string[]> {
  writeFileSync(join(folder.path, 'program.ts'), lines.join('\n'));
  const compilerOptions = {
    strict: true,
    noEmit: true,
    target: 'es2023',
    module: 'esnext',
    moduleResolution: 'bundler',
    types: [],
    lib: ['es2023', 'dom', 'dom.iterable'],
    skipLibCheck: true,
    allowImportingTsExtensions: true,
  };
  writeFileSync(join(folder.path, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['program.ts'] }));
  const compiler = resolve('node_modules/typescript/bin/tsc');
  const stdout = await run(process.execPath, [compiler, '-p', folder.path, '--pretty', 'false']).then(
    (ended) => ended.stdout,
    (error: { stdout: string }) => error.stdout,
  );
  const faults = stdout.split('\n').filter((line) => /^\S/.test(line));
  return faults.map((line) => {
    const [, at] = /program\.ts\((\d+),/.exec(line) ?? [];
    return at === undefined ? line : (lines[Number(at) - 1] ?? line);
  });
}

describe.each(generators)('the client that $name makes', ({ generate, head, create, list, send, mute, more = '' }) => {
  it('[OA1.5] compiles, takes what the gateway takes, and refuses what it refuses', async (context) => {
    needTools(context);
    const [program = '', ...rest] = generate;
    await run(process.execPath, [join(folder.path, 'node_modules', program), ...rest], { cwd: folder.path });
    const taken = [
      `export const created: Promise<string | undefined> = ${create};`,
      `export const listed = ${list('{ after: 4, limit: 10 }')};`,
      `export const text = ${send(`{ username: 'bob', type: 'text', text: 'Hello' }`)};`,
      `export const image = ${send(`{ user: '1002', type: 'image', image: { url: 'https://a.b/c', mimetype: 'image/png' } }`)};`,
      `export const muted = ${mute(`{ group: '-1003001', on: true }`)};`,
    ];
    const refused = [
      `export const wrongNumber = ${list(`{ limit: 'ten' }`)};`,
      `export const wrongType = ${send(`{ username: 'bob', type: 'letter', text: 'Hello' }`)};`,
      `export const noText = ${send(`{ username: 'bob', type: 'text' }`)};`,
      `export const noRecipient = ${send(`{ type: 'text', text: 'Hello' }`)};`,
      `export const noImage = ${send(`{ username: 'bob', type: 'image', text: 'Hello' }`)};`,
      `export const noChat = ${mute('{ on: true }')};`,
    ];
    expect(await refusedLines([...head.split('\n'), ...taken, more, ...refused])).toEqual(refused);
  });
});
