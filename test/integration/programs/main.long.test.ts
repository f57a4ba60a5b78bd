import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { httpClient } from '../../support/gateway/gateway.ts';
import { logInAt } from '../../support/gateway/log-in.ts';
import { type Program, runProgram, startProgram } from '../../support/gateway/program.ts';
import { controlOf, startTestSandbox, type TestSandbox } from '../../support/sandbox/sandbox.ts';

const pollMs = 20;
/** The seeded account without a password. */
const ann = '1001';

let dataDir = '';
let running: Program[] = [];
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'program-'));
});
afterEach(async () => {
  await Promise.all(running.map((program) => program.end('SIGKILL')));
  running = [];
  rmSync(dataDir, { recursive: true, force: true });
});

const start = async (environment: Record<string, string>): Promise<Program> => {
  const program = await startProgram({ DATA_DIR: dataDir, ...environment });
  running.push(program);
  return program;
};

type Session = Record<string, string | boolean>;

/** The phone page's address, from what the program says. */
const sandboxOf = (program: Program): string => /with: (\S+)/.exec(program.output())?.[1] ?? '';

/** Resolves when nothing answers there any more. */
async function gone(url: string): Promise<void> {
  while (
    await fetch(url).then(
      () => true,
      () => false,
    )
  )
    await pause(pollMs);
}

/** Polls as a client does. */
async function until(
  url: string,
  headers: Record<string, string>,
  done: (session: Session) => boolean,
): Promise<Session> {
  for (;;) {
    const { body } = await httpClient(url).request<Session>('GET', '/session', { headers });
    if (done(body)) return body;
    await pause(pollMs);
  }
}

const logIn = (url: string, sandboxUrl: string) => logInAt(url, controlOf(sandboxUrl), ann);

describe('with a sandbox of its own', () => {
  it('[SE7.2] is still connected after kill -9 and a new start, and its sandbox died with it', async () => {
    const environment = { SANDBOX_PORT: '0', SANDBOX_DC_PORT: '0' };
    const first = await start(environment);
    const headers = await logIn(first.url, sandboxOf(first));
    expect(await first.end('SIGKILL')).toBeNull();
    await gone(sandboxOf(first));

    const second = await start(environment);
    await until(second.url, headers, (session) => session['isConnected'] === true);
    const message = { username: 'bob', type: 'text', text: 'still here' };
    expect(await httpClient(second.url).request('POST', '/message', { headers, body: message })).toMatchObject({
      status: 200,
    });
    const seen = await controlOf(sandboxOf(second)).call<{ text: string }[]>(
      'GET',
      '/accounts/1002/messages?peer=1001&limit=1',
    );
    expect(seen.map(({ text }) => text)).toEqual(['still here']);

    expect(await second.end('SIGTERM')).toBe(0);
    await gone(sandboxOf(second));
  });
});

describe('with a sandbox that runs elsewhere', () => {
  let sandbox: TestSandbox;
  let environment: Record<string, string>;
  beforeEach(async () => {
    sandbox = await startTestSandbox();
    environment = { TELEGRAM_SANDBOX_URL: sandbox.url };
  });
  afterEach(() => sandbox.close());

  it('[OP1.2] with another master key than the stored sessions have, it refuses to start, and they live on', async () => {
    const first = await start(environment);
    const headers = await logIn(first.url, sandbox.url);
    await first.end('SIGTERM');
    const otherKey = Buffer.alloc(32, 7).toString('base64');
    const { code, output } = await runProgram({ ...environment, DATA_DIR: dataDir, MASTER_KEY: otherKey });
    expect(code).toBe(1);
    expect(output).toContain('needs master key');
    expect(output).not.toContain(otherKey);

    const second = await start(environment);
    expect(await until(second.url, headers, (session) => session['isConnected'] === true)).toMatchObject({
      name: 'Ann Lee',
    });
  });

  it('[OP1.2] it makes the keys that it is not given, and keeps them, readable to their owner only', async () => {
    const names = ['master.key', 'media-link.key'];
    const keysNow = (): string[] => names.map((name) => readFileSync(join(dataDir, name), 'utf8'));
    await (await start(environment)).end('SIGTERM');
    const made = keysNow();
    expect(made[0]).not.toBe(made[1]);
    for (const name of names) expect(statSync(join(dataDir, name)).mode & 0o777).toBe(0o600);
    await (await start(environment)).end('SIGTERM');
    expect(keysNow()).toEqual(made);
  });

  it('[OP1.1] a data directory that cannot be made is named in a sentence', async () => {
    const blocked = join(dataDir, 'file');
    writeFileSync(blocked, '');
    const { code, output } = await runProgram({ ...environment, DATA_DIR: join(blocked, 'data') });
    expect(code).toBe(1);
    expect(output).toMatch(/^E[A-Z]+: [^\n]*file[^\n]*\n$/);
  });

  it('[OP1.1] a wrong configuration ends the start, with every fault and no value', async () => {
    const { code, output } = await runProgram({
      ...environment,
      DATA_DIR: dataDir,
      PORT: 'm4rker',
      MASTER_KEY: 'm4rker',
    });
    expect(code).toBe(1);
    expect(output).toContain('PORT must be integer');
    expect(output).toContain('MASTER_KEY must be 32 bytes');
    expect(output).not.toContain('m4rker');
  });
});
