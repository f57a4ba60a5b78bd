import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { startTestGateway, type TestGateway } from '../../support/gateway/gateway.ts';
import { createTemporaryFolder, type TemporaryFolder } from '../../support/kit/temporary-folder.ts';
import { freePort } from '../../support/kit/web-server.ts';
import { programOf } from '../../support/repository/programs.ts';
import { startTestSandbox, type TestSandbox } from '../../support/sandbox/sandbox.ts';

/** The samples for Caddy and nginx, run by these programs before a gateway: only paths, ports and the certificate are of this machine. */

const host = 'gateway.example.org';
const apiKey = 'behind-a-proxy-0123456789abcdef01';
const files = { caddy: 'deploy/caddy/Caddyfile', nginx: 'deploy/nginx/telegram-gateway.conf' };

const programs = { caddy: programOf('caddy', 'caddy'), nginx: programOf('nginx', 'nginx') };
const openssl = programOf('openssl', 'openssl');

let folder: TemporaryFolder;
let sandbox: TestSandbox;
let gateway: TestGateway | undefined;
let certificate: string;
let proxy: { port: number; child: ChildProcess; output(): string } | undefined;

const at = (name: string): string => join(folder.path, name);

beforeAll(async () => {
  [folder, sandbox] = await Promise.all([createTemporaryFolder(), startTestSandbox()]);
  if (openssl === undefined) return;
  const subject = ['-subj', `/CN=${host}`, '-addext', `subjectAltName=DNS:${host}`];
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', at('key.pem')];
  spawnSync(openssl, ['req', '-x509', ...key, ...subject, '-out', at('chain.pem')]);
  certificate = readFileSync(at('chain.pem'), 'utf8');
});
afterEach(async () => {
  proxy?.child.kill('SIGKILL');
  if (proxy !== undefined && proxy.child.exitCode === null) await once(proxy.child, 'exit');
  proxy = undefined;
  await gateway?.close();
  gateway = undefined;
});
afterAll(async () => {
  await Promise.all([sandbox?.close(), folder?.remove()]);
});

/** A sample with some of its texts replaced, each of which it has. */
function sample(file: string, replaced: readonly (readonly [string, string])[]): string {
  let text = readFileSync(file, 'utf8');
  for (const [from, to] of replaced) {
    expect(text).toContain(from);
    text = text.replaceAll(from, to);
  }
  return text;
}

/** Starts a gateway and a proxy with its sample before it, and waits until that takes connections. */
async function startBehind(name: keyof typeof files): Promise<void> {
  const environment = { API_KEY: apiKey, TRUST_PROXY: '127.0.0.1', PUBLIC_URL: `https://${host}` };
  gateway = await startTestGateway({ sandbox, environment });
  const port = await freePort();
  const behind = ['127.0.0.1:3000', new URL(gateway.url).host] as const;
  let args: string[];
  if (name === 'caddy') {
    const site = [`${host} {`, `${host}:${port} {\n\ttls ${at('chain.pem')} ${at('key.pem')}`] as const;
    writeFileSync(
      at('Caddyfile'),
      `{\n\tadmin off\n\tauto_https disable_redirects\n}\n${sample(files.caddy, [behind, site])}`,
    );
    args = ['run', '--adapter', 'caddyfile', '--config', at('Caddyfile')];
  } else {
    mkdirSync(at('nginx'), { recursive: true });
    const text = sample(files.nginx, [
      behind,
      ['listen 443 ssl http2;', `listen 127.0.0.1:${port} ssl http2;`],
      ['listen [::]:443 ssl http2;', ''],
      ['/etc/ssl/gateway/fullchain.pem', at('chain.pem')],
      ['/etc/ssl/gateway/privkey.pem', at('key.pem')],
    ]);
    const buffers = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
    const paths = buffers.map((one) => `${one}_temp_path ${at(`nginx/${one}`)};`).join(' ');
    const own = `daemon off; master_process off; pid ${at('nginx/pid')}; error_log stderr info; events {}`;
    writeFileSync(at('nginx.conf'), `${own} http { ${paths} ${text} }\n`);
    args = ['-p', at('nginx'), '-c', at('nginx.conf')];
  }
  const home = { HOME: folder.path, XDG_DATA_HOME: folder.path, XDG_CONFIG_HOME: folder.path };
  const child = spawn(programs[name] ?? '', args, {
    env: { ...process.env, ...home },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
  proxy = { port, child, output: () => text };
  while (!(await takesConnections(port))) {
    if (child.exitCode !== null) throw new Error(`${name} ended:\n${text}`);
    await pause(50);
  }
}

function takesConnections(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}

const tls = (): object => ({ host: '127.0.0.1', port: proxy?.port, servername: host, ca: certificate });

interface Asked {
  method?: string;
  headers?: Record<string, string>;
  body?: Buffer | string;
}

/** The response to a request, as soon as its headers are there. */
function open(path: string, { method = 'GET', headers = {}, body }: Asked = {}): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const asked = request({ ...tls(), path, method, headers: { host, ...headers } }, resolve);
    asked.once('error', reject).end(body);
  });
}

async function call(path: string, asked: Asked = {}): Promise<{ status: number; body: Record<string, string> }> {
  const response = await open(path, asked);
  let text = '';
  for await (const chunk of response) text += String(chunk);
  return {
    status: response.statusCode ?? 0,
    body: text.startsWith('{') ? (JSON.parse(text) as Record<string, string>) : {},
  };
}

async function createSession(): Promise<Record<string, string>> {
  const headers = { 'x-api-key': apiKey, 'content-type': 'application/json' };
  const { status, body } = await call('/session', { method: 'POST', headers, body: '{}' });
  expect(status).toBe(200);
  return { id: body['id'] ?? '', 'session-id': body['sessionId'] ?? '' };
}

describe.each(['caddy', 'nginx'] as const)('%s', (name) => {
  const isMissing = programs[name] === undefined || openssl === undefined;

  it.skipIf(isMissing)('[PK3.3] passes requests, event streams and WebSockets on as they come', async () => {
    await startBehind(name);
    expect((await call('/health/ready')).status).toBe(200);
    expect((await call('/sessions')).status).toBe(401);
    const session = await createSession();

    // The first line of a stream comes while it is open.
    const stream = await open('/sessions/stream', { headers: { 'x-api-key': apiKey } });
    const [first] = (await once(stream, 'data')) as [Buffer];
    expect(first.toString()).toMatch(/^retry: \d+\n/);
    stream.destroy();

    const socket = new WebSocket(`wss://127.0.0.1:${proxy?.port}/session/messages?reader=a&events=session.qr`, {
      ...tls(),
      headers: { host, ...session },
    });
    await once(socket, 'open');
    const told = once(socket, 'message') as Promise<[Buffer]>;
    await call('/session/reset', { method: 'POST', headers: session });
    const [message] = await told;
    expect(JSON.parse(message.toString())).toMatchObject({ type: 'session.qr' });
    socket.terminate();
  });

  it.skipIf(isMissing)('[PK3.3] takes files of 40 MB on /file, and not elsewhere', async () => {
    await startBehind(name);
    const session = await createSession();
    const body = Buffer.alloc(40 * 1024 * 1024, 1);
    const headers = { ...session, 'content-type': 'application/octet-stream', 'content-length': String(body.length) };
    expect((await call('/file', { method: 'POST', headers, body })).status).toBe(200);
    const message = { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body };
    expect((await call('/message', message)).status).toBe(413);
  });

  it.skipIf(isMissing)('[PK3.3] lets no client choose its address, and logs no path', async () => {
    await startBehind(name);
    const guess = (address: number): Promise<{ status: number }> =>
      call('/sessions', { headers: { 'x-api-key': 'wrong', 'x-forwarded-for': `192.0.2.${address}` } });
    const statuses: number[] = [];
    for (let address = 1; address <= 250 && statuses.at(-1) !== 429; address += 1)
      statuses.push((await guess(address)).status);
    expect(statuses.at(-1)).toBe(429);

    await call('/media/secret-path/1/2/photo/signature.jpg');
    expect(proxy?.output()).not.toContain('secret-path');
    expect(existsSync(at('nginx/logs/access.log'))).toBe(false);
  });
});
