import { readdirSync, readFileSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text as readText } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Sandbox } from '../../../sandbox/sandbox.ts';
import { systemClock } from '../../../src/config/clock.ts';
import { openSqliteStore } from '../../../src/store/events/sqlite/sqlite-store.ts';
import { readQr } from '../../support/gateway/gateway.ts';
import { type Program, startProgram } from '../../support/gateway/program.ts';
import { createTemporaryFolder, type TemporaryFolder } from '../../support/kit/temporary-folder.ts';
import { controlOf, startLocalSandbox, type TestSandbox } from '../../support/sandbox/sandbox.ts';

// A whole program is started here, twice, and other tests run beside.
vi.setConfig({ testTimeout: 120_000 });
const pollMs = 20;

/** What nobody may find where it does not belong; each is unlike anything else that is written. */
const secrets = {
  password: 'm4rk-password-7c1e',
  wrongPassword: 'm4rk-wrong-password-93aa',
  apiKey: 'm4rk-api-key-5d20',
  webhookToken: 'm4rk-webhook-token-b6f1',
  strayToken: 'm4rk-stray-token-08d3',
};
/** What belongs to a person: only the session's own answers show it. */
const personal = {
  firstName: 'M4rkfirst',
  lastName: 'M4rklast',
  username: 'm4rk_username',
  phone: '16660917253',
  hint: 'm4rk-hint-2f7d',
  givenName: 'm4rk-given-name-e410',
  metadata: 'm4rk-metadata-77b8',
  webhookPath: 'm4rk-webhook-path-c3a9',
  message: 'm4rk-message-4e55',
};

interface Reply {
  request: string;
  status: number;
  body: string;
}

let folder: TemporaryFolder;
let own: Sandbox;
let sandbox: Omit<TestSandbox, 'close'>;
let program: Program;
let log = '';
let replies: Reply[] = [];
/** Secrets that come up on the way, by what they are. */
let found: Map<string, string>;
let seenKeys: Map<string, Buffer>;

beforeEach(async () => {
  folder = await createTemporaryFolder();
  own = await startLocalSandbox();
  sandbox = controlOf(own.url);
  log = '';
  replies = [];
  found = new Map();
  seenKeys = new Map();
  program = await start();
});
afterEach(async () => {
  await program.end('SIGKILL');
  await own.close();
  await folder.remove();
});

const start = (): Promise<Program> =>
  startProgram({
    DATA_DIR: folder.path,
    TELEGRAM_SANDBOX_URL: own.url,
    API_KEY: secrets.apiKey,
    LOG_LEVEL: 'trace',
  });

/** Asks, and keeps the answer for the search. */
async function ask(method: string, path: string, headers: Record<string, string>, body?: string): Promise<Reply> {
  const response = await fetch(program.url + path, { method, headers, ...(body === undefined ? {} : { body }) });
  const shown = [...response.headers].map((header) => header.join(': ')).join('\n');
  const reply = { request: `${method} ${path}`, status: response.status, body: await response.text() };
  replies.push({ ...reply, body: `${shown}\n\n${reply.body}` });
  return reply;
}

const json = { 'content-type': 'application/json' };
const send = (method: string, path: string, headers: Record<string, string>, body: object): Promise<Reply> =>
  ask(method, path, { ...headers, ...json }, JSON.stringify(body));

type Session = Record<string, string | boolean>;

async function until(headers: Record<string, string>, wanted: (session: Session) => boolean): Promise<Session> {
  for (;;) {
    const { status, body } = await ask('GET', '/session', headers);
    const session = JSON.parse(body) as Session;
    if (status === 200 && wanted(session)) return session;
    await pause(pollMs);
  }
}

/** Has the account's phone scan the session's QR; keeps what the QR says for the search. */
async function scan(headers: Record<string, string>, userId: string): Promise<void> {
  const { qrcode } = await until(headers, (session) => session['qrcode'] !== '');
  const link = await readQr(String(qrcode));
  const token = Buffer.from(new URL(link).searchParams.get('token') ?? '', 'base64url');
  found.set(`QR link ${found.size}`, link);
  for (const encoding of ['base64url', 'base64', 'hex'] as const) {
    found.set(`QR token ${found.size} in ${encoding}`, token.toString(encoding));
  }
  await sandbox.scan(link, userId);
}

/** Every key that the sandbox has agreed upon with the gateway so far; it forgets those that are logged out. */
function loginKeys(): Buffer[] {
  for (const { id, secret } of own.world.tables.keys.values()) seenKeys.set(id, Buffer.from(secret));
  return [...seenKeys.values()];
}

const spellings = (key: Buffer): string[] => [key.toString('base64'), key.toString('base64url'), key.toString('hex')];

/** In what of it the searched text is found. */
function searchText(text: string, where: string, names: Record<string, string>): string[] {
  const hits = Object.entries(names).filter(([, value]) => text.includes(value));
  return hits.map(([name]) => `${name} in ${where}`);
}

const allNames = (): Record<string, string> => ({
  ...secrets,
  ...personal,
  ...Object.fromEntries(found),
  ...Object.fromEntries(loginKeys().flatMap((key, at) => spellings(key).map((text) => [`login key ${at}`, text]))),
});

/** Everything in the data directory, as it lies on the disk. */
const files = (): { name: string; bytes: Buffer }[] =>
  readdirSync(folder.path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name, parentPath }) => ({ name, bytes: readFileSync(join(parentPath, name)) }));

const searchFilesFor = (names: Record<string, string>): string[] =>
  files().flatMap(({ name, bytes }) => searchText(bytes.toString('latin1'), name, names));

function searchFiles(phase: string): string[] {
  const raw = files().flatMap(({ name, bytes }) =>
    loginKeys().flatMap((key, at) => (bytes.includes(key) ? [`bytes of login key ${at} in ${name}`] : [])),
  );
  return [...raw, ...searchFilesFor(allNames())].map((hit) => `${hit}, ${phase}`);
}

/** What the session's personal data are sealed with, as it is kept: itself sealed with the master key. */
async function keptKey(id: string): Promise<string> {
  const copy = await createTemporaryFolder();
  await cp(folder.path, copy.path, { recursive: true });
  const store = openSqliteStore({ file: join(copy.path, 'events.db'), clock: systemClock });
  const vault = await store.last(`vault-${id}`);
  await store.close();
  await copy.remove();
  return String(Object(vault?.data).key);
}

/** A request that HTTP itself cannot read. */
async function askGarbage(): Promise<void> {
  const { hostname, port } = new URL(program.url);
  const socket = connect(Number(port), hostname);
  socket.end(`GET /session HTTP/1.1\r\nx-api-key: ${secrets.apiKey}\r\nsession-id ${secrets.strayToken}\r\n\r\n`);
  replies.push({ request: 'garbage', status: 400, body: await readText(socket) });
}

it('[SE11.3] nothing secret is in the log, in errors, in files, or in answers where it does not belong', async () => {
  const { firstName, lastName, username, phone, hint, givenName, metadata, webhookPath, message } = personal;
  const { password, wrongPassword, apiKey, webhookToken, strayToken } = secrets;
  const account = { firstName, lastName, username, phone, password, hint, dc: 2 };
  const { userId } = await sandbox.call<{ userId: string }>('POST', '/accounts', account);
  const webhook = { url: `https://hook.example/${webhookPath}`, token: webhookToken };
  const hits: string[] = [];

  // Created: with everything that a caller may give.
  const created = await send(
    'POST',
    '/session',
    { 'x-api-key': apiKey },
    {
      name: givenName,
      metadata: { note: metadata },
      webhook,
    },
  );
  expect(created.status).toBe(200);
  const { id, sessionId } = JSON.parse(created.body) as Record<string, string>;
  if (id === undefined || sessionId === undefined) throw new Error(created.body);
  found.set('sessionId', sessionId);
  const headers = { id, 'session-id': sessionId };
  hits.push(...searchFiles('once created'));

  // Logged in: with two passwords that are wrong in two ways.
  await scan(headers, userId);
  await until(headers, (session) => session['isPasswordRequired'] === true);
  hits.push(...searchFiles('before the password'));
  expect((await send('POST', '/session/password', headers, { password: wrongPassword })).status).toBe(400);
  expect((await ask('POST', '/session/password', { ...headers, ...json }, `{"password":"${password}`)).status).toBe(
    400,
  );
  expect((await send('POST', '/session/password', headers, { password: [password] })).status).toBe(400);
  expect((await send('POST', '/session/password', headers, { password })).status).toBe(200);
  await until(headers, (session) => session['isConnected'] === true);
  hits.push(...searchFiles('once connected'));

  // Used, and refused in every way.
  const text = { username: 'bob', type: 'text', text: message };
  expect((await send('POST', '/message', headers, text)).status).toBe(200);
  expect((await send('POST', '/session/password', headers, { password })).status).toBe(400);
  await sandbox.call('POST', '/faults', { method: 'messages.sendMessage', error: 'CHAT_WRITE_FORBIDDEN', code: 403 });
  expect((await send('POST', '/message', headers, text)).status).toBe(500);
  expect(
    (await send('PUT', '/session/webhook', headers, { url: `ftp://${webhookPath}`, token: webhookToken })).status,
  ).toBe(400);
  expect((await send('PUT', '/session/webhook', headers, webhook)).status).toBe(200);
  expect((await send('POST', '/session', { 'x-api-key': strayToken }, { webhook })).status).toBe(401);
  expect((await ask('GET', '/session', { id, 'session-id': strayToken })).status).toBe(404);
  expect((await ask('GET', `/nowhere?password=${password}&token=${strayToken}`, headers)).status).toBe(404);
  expect(
    (await ask('PUT', '/session/webhook', { ...headers, 'content-type': 'text/plain' }, webhookToken)).status,
  ).toBe(415);
  const tooLong = `{"text":"${message.repeat(200_000)}"}`;
  expect((await ask('POST', '/typing', { ...headers, ...json }, tooLong)).status).toBe(413);
  await askGarbage();

  // Killed, and found again.
  log += program.output();
  await program.end('SIGKILL');
  log += program.output();
  hits.push(...searchFiles('after kill -9'));
  program = await start();
  await until(headers, (session) => session['isConnected'] === true);

  // The login taken away, scanned again, reset, deleted.
  await sandbox.call('DELETE', `/accounts/${userId}/devices`);
  await until(headers, (session) => session['isConnected'] === false);
  await scan(headers, '1001');
  await until(headers, (session) => session['isConnected'] === true);
  expect((await send('POST', '/session/reset', headers, { name: givenName })).status).toBe(200);
  await scan(headers, '1001');
  await until(headers, (session) => session['isConnected'] === true);
  hits.push(...searchFiles('before the deletion'));
  const key = await keptKey(id);
  // The search finds what is there.
  expect(searchFilesFor({ key })).not.toEqual([]);
  expect((await ask('DELETE', '/session', headers)).status).toBe(200);
  expect((await ask('GET', '/session', headers)).status).toBe(404);
  hits.push(...searchFiles('once deleted'));
  // Telegram is told first: the key goes right after that.
  while (searchFilesFor({ key }).length > 0) await pause(pollMs);
  expect(await program.end('SIGTERM')).toBe(0);
  hits.push(...searchFiles('in the end'));
  // That there was a session stays.
  expect(searchFilesFor({ id })).not.toEqual([]);
  log += program.output();

  // All of it was looked for where it could have been.
  const shownSomewhere = replies.map(({ body }) => body).join('\n');
  expect(sessionShows.filter((name) => !shownSomewhere.includes(allNames()[name] ?? ''))).toEqual([]);
  expect(loginKeys().length).toBeGreaterThan(1);
  expect(log.split('\n').length).toBeGreaterThan(50);
  expect(replies.filter(({ status }) => status >= 400).length).toBeGreaterThan(10);

  hits.push(...searchText(log, 'the log', allNames()));
  for (const { request, status, body } of replies) {
    const { sessionId: _, ...others } = allNames();
    const isSession = /^(?:GET \/session|POST \/session|POST \/session\/reset)$/.test(request);
    const shown = status >= 400 ? [] : isSession ? sessionShows : request.endsWith('/webhook') ? webhookShows : [];
    const searched = Object.entries(status < 400 && isSession ? others : allNames());
    const hidden = searched.filter(([name]) => !shown.includes(name));
    hits.push(...searchText(body, `${status} to ${request}`, Object.fromEntries(hidden)));
  }
  expect(hits).toEqual([]);
});

const webhookShows = ['webhookToken', 'webhookPath'];
const sessionShows = [...webhookShows, 'firstName', 'lastName', 'username', 'phone', 'hint', 'givenName', 'metadata'];
