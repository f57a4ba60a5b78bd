import { cp } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text as readText } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { systemClock } from '../../../src/config/clock.ts';
import { openSqliteStore } from '../../../src/store/events/sqlite/sqlite-store.ts';
import { type Names, openSecretSearch, type SecretSearch, searchText } from '../../support/gateway/secret-search.ts';
import { createTemporaryFolder } from '../../support/kit/temporary-folder.ts';

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

let search: SecretSearch;
beforeEach(async () => {
  search = await openSecretSearch(secrets.apiKey);
});
afterEach(() => search.close());

const allNames = (): Names => ({
  ...secrets,
  ...personal,
  ...Object.fromEntries(search.found),
  ...search.loginKeys().names,
});

function searchFiles(phase: string): string[] {
  const { bytes } = search.loginKeys();
  const raw = Object.fromEntries(bytes.map((key, at) => [`bytes of login key ${at}`, key.toString('latin1')]));
  return search.searchFiles({ ...raw, ...allNames() }).map((hit) => `${hit}, ${phase}`);
}

/** What the session's personal data are sealed with, as it is kept: itself sealed with the master key. */
async function keptKey(id: string): Promise<string> {
  const copy = await createTemporaryFolder();
  await cp(search.folder, copy.path, { recursive: true });
  const store = openSqliteStore({ file: join(copy.path, 'events.db'), clock: systemClock });
  const vault = await store.last(`vault-${id}`);
  await store.close();
  await copy.remove();
  return String(Object(vault?.data).key);
}

/** A request that HTTP itself cannot read. */
async function askGarbage(): Promise<void> {
  const { hostname, port } = new URL(search.url());
  const socket = connect(Number(port), hostname);
  socket.end(`GET /session HTTP/1.1\r\nx-api-key: ${secrets.apiKey}\r\nsession-id ${secrets.strayToken}\r\n\r\n`);
  search.replies.push({ request: 'garbage', status: 400, body: await readText(socket) });
}

const json = { 'content-type': 'application/json' };

it('[SE11.3] nothing secret is in the log, in errors, in files, or in answers where it does not belong', async () => {
  const { firstName, lastName, username, phone, hint, givenName, metadata, webhookPath, message } = personal;
  const { password, wrongPassword, apiKey, webhookToken, strayToken } = secrets;
  const { ask, send, until, scan, sandbox, found, replies } = search;
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
  await search.restart(() => hits.push(...searchFiles('after kill -9')));
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
  expect(search.searchFiles({ key })).not.toEqual([]);
  expect((await ask('DELETE', '/session', headers)).status).toBe(200);
  expect((await ask('GET', '/session', headers)).status).toBe(404);
  hits.push(...searchFiles('once deleted'));
  // Telegram is told first: the key goes right after that.
  while (search.searchFiles({ key }).length > 0) await pause(pollMs);
  expect(await search.end('SIGTERM')).toBe(0);
  hits.push(...searchFiles('in the end'));
  // That there was a session stays.
  expect(search.searchFiles({ id })).not.toEqual([]);
  const log = search.log();

  // All of it was looked for where it could have been.
  const shownSomewhere = replies.map(({ body }) => body).join('\n');
  expect(sessionShows.filter((name) => !shownSomewhere.includes(allNames()[name] ?? ''))).toEqual([]);
  expect(search.loginKeys().bytes.length).toBeGreaterThan(1);
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
