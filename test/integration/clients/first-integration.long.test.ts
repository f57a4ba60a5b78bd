import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { freePort } from '../../support/clients/free-port.ts';
import { pythonClient, pythonWith } from '../../support/clients/python.ts';
import { codeBlocks, patternOf, stepsOf } from '../../support/documents/code-blocks.ts';
import { localized, runShell, sandboxOf } from '../../support/documents/run-steps.ts';
import { readQr } from '../../support/gateway/gateway.ts';
import { type Program, startProgram } from '../../support/gateway/program.ts';
import { createTemporaryFolder, type TemporaryFolder } from '../../support/kit/temporary-folder.ts';
import { programOf } from '../../support/repository/programs.ts';
import { controlOf, type TestSandbox } from '../../support/sandbox/sandbox.ts';

/** What docs/guides/first-integration shows, run as it stands beside a gateway and its sandbox. */

const pollMs = 50;
const ann = '1001';
const bob = '1002';
const guide = (name: string): string => readFileSync(`docs/guides/first-integration/${name}.md`, 'utf8');

let folder: TemporaryFolder;
let gateway: Program;
let sandbox: Omit<TestSandbox, 'close'>;
const children = new Set<ChildProcess>();
beforeEach(async () => {
  folder = await createTemporaryFolder();
  await mkdir(join(folder.path, 'here'));
  const data = { DATA_DIR: join(folder.path, 'data'), SANDBOX_PORT: '0', SANDBOX_DC_PORT: '0' };
  gateway = await startProgram({ ...data, ALLOW_PRIVATE_URLS: 'true' });
  sandbox = controlOf(sandboxOf(gateway));
});
afterEach(async () => {
  for (const child of children) child.kill('SIGKILL');
  children.clear();
  await gateway.end('SIGTERM');
  await folder.remove();
});

const here = (name: string): string => join(folder.path, 'here', name);
const textOf = (name: string): string => (existsSync(here(name)) ? readFileSync(here(name), 'utf8') : '');
const write = (text: string): Promise<unknown> =>
  sandbox.call('POST', `/accounts/${bob}/messages`, { peer: ann, text });

async function ofAnn(): Promise<string[]> {
  const path = `/accounts/${bob}/messages?peer=${ann}&limit=100`;
  const messages = await sandbox.call<{ out: boolean; text: string }[]>('GET', path);
  return messages.filter(({ out }) => !out).map(({ text }) => text);
}

/** Writes the programs of a guide: the first comment of each says how its file is called. */
function writeFiles(name: string, language: string, port: string): void {
  const named = codeBlocks(guide(name)).filter((block) => block.language === language);
  expect(named.length).toBeGreaterThan(3);
  for (const { code } of named) {
    const [, file = ''] = /^(?:#|\/\/) (\w+\.\w+)$/m.exec(code) ?? [];
    expect(file).not.toBe('');
    writeFileSync(here(file), localized(gateway, code).replaceAll('8080', port));
  }
}

interface Running {
  output(): string;
  ended: Promise<unknown>;
}

function start(command: string, args: string[], variables: Record<string, string> = {}): Running {
  const child = spawn(command, args, {
    cwd: join(folder.path, 'here'),
    env: { PATH: process.env['PATH'], PYTHONUNBUFFERED: '1', PYTHONUTF8: '1', ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.add(child);
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
  }
  return { output: () => text, ended: once(child, 'close') };
}

/** Empty, and said, if this machine has none. */
function phpWithCurl(): string {
  const php = programOf('php', 'php-cli') ?? '';
  if (php === '' || spawnSync(php, ['-r', 'exit(extension_loaded("curl") ? 0 : 1);']).status === 0) return php;
  process.stderr.write('no curl in PHP (Debian’s php-curl): its guide is not tried\n');
  return '';
}

/** Asks until it is so, or the program has ended. */
async function until(isSo: () => boolean | Promise<boolean>, running?: Running): Promise<void> {
  let hasEnded = false;
  void running?.ended.then(() => {
    hasEnded = true;
  });
  while (!(await isSo())) {
    if (hasEnded && !(await isSo())) throw new Error(`the program ended:\n${running?.output()}`);
    await pause(pollMs);
  }
}

describe('a first integration', () => {
  const python = pythonWith() ?? '';
  it.skipIf(python === '')('[FI1.1] in Python logs in, sends, and receives in both ways', async () => {
    const port = String(await freePort());
    writeFiles('python', 'python', port);
    const variables = { PYTHONPATH: pythonClient, PYTHONDONTWRITEBYTECODE: '1' };
    const first = start(python, ['first.py'], variables);
    await until(() => /^tg:\/\/login\?token=[\w-]{20,}$/.test(textOf('qr.txt')), first);
    await sandbox.scan(textOf('qr.txt'), ann);
    await until(() => /^connected as Ann Lee\nsent \d+\n/m.test(first.output()), first);
    expect(await ofAnn()).toContain('Your order is on its way');

    const read = start(python, ['read.py'], variables);
    await until(() => read.output().includes('reading'), read);
    // The first of these that comes is the first one since it has connected.
    let asked = 0;
    await until(async () => {
      if (/Bob Stone writes Where is it\?/.test(read.output())) return true;
      if (asked < 100) await write('Where is it?');
      asked += 1;
      await pause(10 * pollMs);
      return false;
    }, read);
    const came = (): number => read.output().match(/^Bob Stone writes Where is it\?$/gm)?.length ?? 0;
    await until(async () => (await ofAnn()).filter((text) => text === 'Thank you').length >= came(), read);

    const receive = start(python, ['receive.py'], variables);
    const set = [
      'import json',
      'from telegram_gateway import Gateway',
      'known = json.load(open("session.json"))',
      `session = Gateway("${gateway.url}").session(known["id"], known["session_id"])`,
      `session.set_webhook(url="http://127.0.0.1:${port}/", token="secret")`,
    ];
    await promisify(execFile)(python, ['-c', set.join('\n')], {
      cwd: join(folder.path, 'here'),
      env: { PATH: process.env['PATH'], ...variables },
    });
    await write('By webhook');
    await until(() => /^message .*'By webhook'/m.test(receive.output()), receive);

    const careful = start(python, ['careful.py'], variables);
    await careful.ended;
    expect(careful.output()).toBe('there is no such user\n');
  });

  const php = phpWithCurl();
  it.skipIf(php === '')('[FI1.2] in PHP logs in, sends, and receives by webhook', async () => {
    const port = String(await freePort());
    writeFiles('php', 'php', port);
    const first = start(php, ['first.php']);
    await until(() => textOf('qr.png') !== '', first);
    await until(async () => {
      try {
        await sandbox.scan(await readQr(readFileSync(here('qr.png'), 'base64')), ann);
        return true;
      } catch {
        // It is half written, or has changed just now.
        return false;
      }
    }, first);
    await until(() => /^connected as Ann Lee\nsent \d+\n/m.test(first.output()), first);
    expect(await ofAnn()).toContain('Your order is on its way');

    const command = stepsOf(codeBlocks(guide('php'))).map((step) => step.command.trim().split(' '));
    expect(command).toEqual([['php', '-S', '127.0.0.1:8080', 'receive.php']]);
    const receive = start(php, ['-S', `127.0.0.1:${port}`, 'receive.php']);
    await until(() => receive.output().includes('started'), receive);
    const webhook = start(php, ['webhook.php']);
    await webhook.ended;
    expect(webhook.output()).toBe('on\n');
    await write('By webhook');
    await until(() => textOf('received.log') !== '', receive);
    expect(textOf('received.log')).toBe('message By webhook\n');
    const strange = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: '{}' });
    expect(strange.status).toBe(400);
  });

  const curl = programOf('curl', 'curl') ?? '';
  it.skipIf(curl === '')('[FI1.3] with curl prints what the guide says', async () => {
    const steps = stepsOf(codeBlocks(guide('curl')));
    expect(steps.length).toBeGreaterThan(8);
    for (const { command, printed } of steps) {
      const writesQr = command.includes('> qr.png');
      const wanted = writesQr ? /^[1-9]/ : patternOf(printed);
      const typed = localized(gateway, command) + (writesQr ? 'stat -c %s qr.png' : '');
      // What only asks is asked again; and so is what a busy machine turned away.
      const asks = / \S+\/session \|/.test(command);
      const turnedAway = (text: string): boolean => asks || text.trim() === '' || text.includes('overloaded');
      let said = await runShell(typed, join(folder.path, 'here'));
      while (!wanted.test(said) && turnedAway(said)) {
        await pause(pollMs);
        said = await runShell(typed, join(folder.path, 'here'));
      }
      expect(said).toMatch(wanted);
    }
  });
});
