import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { stringFormats } from '../../../actors/ports/telegram-session.ts';
import { readSessionString } from '../../../src/telegram/session-strings/read-session-string.ts';
import { writeSessionString } from '../../../src/telegram/session-strings/write-session-string.ts';
import { ann, bob, type Caller, type SessionBody } from '../../support/e2e/scene.ts';
import { openUpdatesScene, type UpdatesScene } from '../../support/e2e/updates-scene.ts';

/** A session string that is taken in (LG2), over HTTP and MTProto. */

const minute = 60_000;
const helperBot = '1004';

let scene: UpdatesScene;
let log: string[];
beforeEach(async () => {
  log = [];
  scene = await openUpdatesScene({ logTo: { write: (line) => void log.push(line) } });
});
afterEach(() => scene.close());

/** The login of a session, which another program has from now on. */
async function stringOf(caller: Caller, format = 'gramjs'): Promise<string> {
  const { status, body } = await scene.request<{ string: string }>(caller, 'POST', '/session/string', { format });
  if (status !== 200) throw new Error(JSON.stringify(body));
  return body.string;
}
const annsString = async (format = 'gramjs'): Promise<string> => stringOf(await scene.connected(ann), format);

const post = (string: string) =>
  scene.gateway.http.request<SessionBody>('POST', '/session', { body: { login: { string } } });
const importing = (string: string): Promise<Caller> => scene.create({ login: { string } });
const refused = (message: string) => ({ status: 400, body: { statusCode: 400, message } });
const isUsed = refused('string is used by another session');
const devices = (account = ann): Promise<unknown[]> => scene.sandbox.call('GET', `/accounts/${account}/devices`);
const auditOf = async ({ id }: Caller): Promise<{ type: string; state: string; data: object }[]> =>
  (await scene.gateway.http.request<{ docs: never[] }>('GET', `/sessions/${id}/events`)).body.docs;
const sessionsNow = async (): Promise<number> =>
  (await scene.gateway.http.request<{ docs: unknown[] }>('GET', '/sessions')).body.docs.length;

/** A string with a key that Telegram has never seen. */
const strangerString = (): string =>
  writeSessionString('telethon', {
    dc: 2,
    key: randomBytes(256),
    host: '149.154.167.51',
    port: 443,
    apiId: 1,
    isTest: false,
    userId: 1n,
    isBot: false,
  });

describe('POST /session with a session string', () => {
  it.each(stringFormats)('[LG2.5] of %s is connected when it responds', async (format) => {
    const string = await annsString(format);
    const before = await devices();
    const { status, body } = await post(string);
    expect([status, body]).toMatchObject([200, { isConnected: true, generatedId: ann, qrcode: '', name: 'Ann Lee' }]);
    expect(await devices()).toHaveLength(before.length);
    const facts = await auditOf(body as never);
    expect(facts.slice(0, 2)).toMatchObject([
      { type: 'SessionCreated', state: 'qrPending' },
      { type: 'LoginImported', state: 'connected', data: { login: 1, format } },
    ]);
  });

  it('[LG2.5] sends and records, goes on after a restart, and is logged out when it is deleted', async () => {
    const caller = await importing(await annsString());
    await scene.setWebhook(caller);
    await scene.write(bob, ann, 'hello there');
    expect(await scene.delivered(caller, 1)).toMatchObject([{ type: 'MessageReceived' }]);
    const message = { user: bob, type: 'text', text: 'from the string' };
    expect(await scene.request(caller, 'POST', '/message', message)).toMatchObject({ status: 200 });
    await scene.restart();
    await scene.whilePassing(scene.read(caller, ({ isConnected }) => isConnected));
    expect(await devices()).toHaveLength(1);
    expect(await scene.request(caller, 'DELETE', '/session')).toMatchObject({ status: 200 });
    for (let passed = 0; passed < 10 && (await devices()).length > 0; passed += 1) await scene.pass(1_000);
    expect(await devices()).toEqual([]);
  });

  it('[LG2.5] of a bot is that bot', async () => {
    const accounts = await scene.sandbox.call<{ userId: string; token: string }[]>('GET', '/accounts');
    const botToken = accounts.find(({ userId }) => userId === helperBot)?.token ?? '';
    const string = await stringOf(await scene.create({ login: { botToken } }), 'telethon');
    expect(await post(string)).toMatchObject({ status: 200, body: { isConnected: true, generatedId: helperBot } });
  });

  it('[LG2.6] that is damaged is refused, and there is no session', async () => {
    const string = await annsString('telethon');
    const before = await sessionsNow();
    expect(await post(string.slice(0, 200))).toMatchObject(refused('login.string cannot be read: it is not Base64'));
    expect(await post('')).toMatchObject(refused('login.phone should not be empty'));
    expect(await post('1'.repeat(1025))).toMatchObject(
      refused('login.string must be shorter than or equal to 1024 characters'),
    );
    expect(await sessionsNow()).toBe(before);
  });

  it('[LG2.7] whose login is revoked is refused with the reason, and there is no session', async () => {
    const string = await annsString();
    const before = await sessionsNow();
    await scene.sandbox.call('DELETE', `/accounts/${ann}/devices`);
    const { status, body } = await scene.whilePassing(post(string));
    expect([status, body]).toEqual([
      400,
      { statusCode: 400, message: expect.stringMatching(/^string cannot log in here: [A-Z_]+$/) },
    ]);
    expect(await sessionsNow()).toBe(before);
  });

  it('[LG2.7] whose key Telegram does not know is refused', async () => {
    expect(await scene.whilePassing(post(strangerString()))).toMatchObject({
      status: 400,
      body: { message: expect.stringMatching(/^string cannot log in here: AUTH_KEY_[A-Z]+$/) },
    });
  });

  it('[LG2.7] that fails is not logged out, and can be tried again', async () => {
    const string = await annsString();
    const fault = { method: 'users.getUsers', code: 401, error: 'USER_DEACTIVATED', times: 1 };
    await scene.sandbox.call('POST', '/faults', fault);
    expect(await scene.whilePassing(post(string))).toMatchObject(
      refused('string cannot log in here: USER_DEACTIVATED'),
    );
    await scene.pass(minute);
    expect(await devices()).toHaveLength(1);
    expect(await post(string)).toMatchObject({ status: 200, body: { isConnected: true } });
  });

  it('[LG2.8] that a session has is refused, also at the same moment and after a restart', async () => {
    const [string, other] = [await annsString('telethon'), await annsString('pyrogram')];
    const both = await Promise.all([post(string), post(string)]);
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400]);
    expect(both).toContainEqual(expect.objectContaining(isUsed));
    const { body } = both.find(({ status }) => status === 200) ?? both[0];
    const caller = { ...body, headers: { id: body.id, 'session-id': body.sessionId } };
    await scene.restart();
    await scene.whilePassing(scene.gateway.started);
    expect(await scene.whilePassing(post(string))).toMatchObject(isUsed);
    await scene.whilePassing(scene.read(caller, ({ isConnected }) => isConnected));
    expect(await post(other)).toMatchObject({ status: 200 });
    const again = await stringOf(caller, 'mtcute');
    expect(await post(again)).toMatchObject({ status: 200, body: { isConnected: true } });
  });

  it('[LG2.9] is nowhere in the log, the audit, the answers or the files', async () => {
    const string = await annsString('telethon');
    const read = readSessionString(string);
    if ('problem' in read) throw new Error(read.problem);
    const { body } = await post(string);
    const damaged = await post(`${string}${string}`);
    const used = await post(string);
    const audit = await auditOf(body as never);
    const files = readdirSync(scene.gateway.dataDir, { recursive: true, withFileTypes: true })
      .filter((file) => file.isFile())
      .map((file) => readFileSync(join(file.parentPath, file.name), 'latin1'));
    const shown = [JSON.stringify([body, damaged.body, used.body, audit]), log.join('\n'), ...files];
    const { key } = read;
    const spellings = [
      string.slice(1, 300),
      ...(['base64', 'base64url', 'hex', 'latin1'] as const).map((as) => key.toString(as)),
    ];
    expect(log.length).toBeGreaterThan(0);
    for (const text of shown) {
      for (const spelling of spellings) expect(text.includes(spelling.slice(0, 300))).toBe(false);
    }
  });
});
