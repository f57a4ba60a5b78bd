import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../../support/gateway/http-app.ts';
import { asOwner, ownerKey } from '../../../support/gateway/issue-key.ts';
import { createTemporaryFolder, type TemporaryFolder } from '../../../support/kit/temporary-folder.ts';
import { installTools } from '../../../support/repository/npm-tools.ts';

/** Postman's own program on the collection, against a gateway whose Telegram is away. */

const run = promisify(execFile);
/** Streams do not end by themselves. */
const streamMs = 3_000;

interface Execution {
  item: { name: string; request: { url: { path: string[] } } };
  response?: { code: number; stream: { data: number[] } };
  assertions?: { error?: object }[];
}

let folder: TemporaryFolder;
let gate: TestApp;
let needTools: Awaited<ReturnType<typeof installTools>>;
beforeAll(async () => {
  folder = await createTemporaryFolder();
  needTools = await installTools(folder.path, ['newman@6']);
  gate = await startTestApp({ apiKey: ownerKey });
  await gate.app.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(async () => {
  await gate.close();
  await folder.remove();
});

it('[OA1.8] Postman’s program reads it, and each of its requests finds its endpoint', async (context) => {
  needTools(context);
  const report = join(folder.path, 'report.json');
  const { port } = gate.app.server.address() as AddressInfo;
  const newman = join(folder.path, 'node_modules/newman/bin/newman.js');
  const set = [`baseUrl=http://127.0.0.1:${port}`, `apiKey=${asOwner['x-api-key']}`];
  const options = ['--reporters', 'json', '--reporter-json-export', report, '--suppress-exit-code'];
  const patience = ['--timeout-request', String(streamMs)];
  const variables = set.flatMap((one) => ['--env-var', one]);
  const collection = resolve('docs/postman-collection.json');
  await run(process.execPath, [newman, 'run', collection, ...options, ...patience, ...variables]);
  const { executions } = (JSON.parse(readFileSync(report, 'utf8')) as { run: { executions: Execution[] } }).run;
  const responses = executions.flatMap(({ item, response }) =>
    response === undefined
      ? []
      : [{ name: item.name, code: response.code, text: Buffer.from(response.stream.data).toString() }],
  );
  const silent = executions.filter(({ response }) => response === undefined).map(({ item }) => item.request.url.path);
  expect(silent.filter((path) => !path.includes('stream'))).toEqual([]);
  expect(responses.length).toBeGreaterThan(100);
  const lost = responses.filter(({ code, text }) => [405, 415].includes(code) || /"message":"not found"/.test(text));
  expect(lost).toEqual([]);
  // The session that it created is the one of the requests after it.
  const codeOf = (name: string) => responses.find((one) => one.name.startsWith(name))?.code;
  expect([codeOf('Create a session'), codeOf('Get a session')]).toEqual([200, 200]);
});
