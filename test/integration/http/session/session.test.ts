import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TelegramError } from '../../../../src/telegram/port/errors.ts';
import { linkFact } from '../../../support/actors/scripted-link.ts';
import { readQr } from '../../../support/gateway/gateway.ts';
import { startTestApp, type TestApp } from '../../../support/gateway/http-app.ts';

let gate: TestApp;
beforeEach(async () => {
  gate = await startTestApp();
});
afterEach(() => gate.close());

const uuid7 = /^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;
/** The interface's, and then what came beside them. */
const fields = [
  ...'id generatedId name username phone sessionId isConnected qrcode isPasswordRequired passwordHint'.split(' '),
  'picture',
  'webhook',
  'isCodeRequired',
  'codeSentTo',
];
const blank = {
  generatedId: '',
  name: '',
  username: '',
  phone: '',
  isConnected: false,
  qrcode: '',
  isPasswordRequired: false,
  passwordHint: '',
  picture: '',
  webhook: { url: '', token: '' },
  isCodeRequired: false,
  codeSentTo: '',
};
const webhook = { url: 'https://hook.example/in', token: 'secret' };

describe('POST /session', () => {
  it('[SE1.2] answers at once with every field, created and expires', async () => {
    const { status, body } = await gate.call('POST', '/session');
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual([...fields, 'created', 'expires']);
    expect(body).toMatchObject({ ...blank, created: '2026-01-01T00:00:00.000Z', expires: '2026-01-01T00:03:00.000Z' });
    expect(body['id']).toMatch(uuid7);
    expect(Buffer.from(String(body['sessionId']), 'base64url')).toHaveLength(32);
  });

  it('[SE1.1] takes name, metadata and webhook, and shows them', async () => {
    const settings = { name: 'shop', metadata: { city: 'Oslo' }, webhook };
    const created = await gate.call('POST', '/session', { body: settings });
    expect(created.body).toMatchObject(settings);
    const headers = { id: String(created.body['id']), 'session-id': String(created.body['sessionId']) };
    expect((await gate.call('GET', '/session', { headers })).body).toMatchObject(settings);
  });

  it('[ER2.1] refuses what is wrong, all of it together', async () => {
    const body = { name: 1, metadata: { a: 2 }, webhook: { url: 'x' } };
    expect(await gate.call('POST', '/session', { body })).toMatchObject({
      status: 400,
      body: {
        statusCode: 400,
        message: [
          'name must be a string',
          'metadata.a must be a string',
          'webhook.url and webhook.token must be both filled, or both empty to turn the webhook off',
          'webhook.url must be an http or https url',
        ].join('\n'),
      },
    });
  });
});

describe('GET /session', () => {
  it('[SE12.1] has exactly the fields of the interface, in its order', async () => {
    const headers = await gate.session();
    const { status, body, headers: answered } = await gate.call('GET', '/session', { headers });
    expect(status).toBe(200);
    expect(answered['content-type']).toBe('application/json; charset=utf-8');
    expect(Object.keys(body)).toEqual(fields);
    expect(body).toEqual({ ...blank, id: headers.id, sessionId: headers['session-id'] });
  });

  it('[SE10.2] shows the QR while it is pending, and the newest one', async () => {
    const headers = await gate.session();
    for (const token of ['Zmlyc3Q', 'c2Vjb25k']) {
      const link = `tg://login?token=${token}`;
      await gate.links.of(headers.id).report({ type: 'QrIssued', login: 1, link, expires: 0 });
      await gate.clock.settle();
      const { body } = await gate.call('GET', '/session', { headers });
      expect(await readQr(String(body['qrcode']))).toBe(link);
      expect(body).toMatchObject({ isConnected: false, isPasswordRequired: false });
    }
  });

  it('[SE12.1] shows the password question and its hint, and no QR', async () => {
    const headers = await gate.session();
    const link = gate.links.of(headers.id);
    await link.report(linkFact('QrIssued', 1));
    await link.report(linkFact('PasswordRequested', 1));
    await gate.clock.settle();
    expect((await gate.call('GET', '/session', { headers })).body).toMatchObject({
      isConnected: false,
      qrcode: '',
      isPasswordRequired: true,
      passwordHint: 'first pet',
    });
  });

  it('[SE13.2] shows the account, and keeps it when the connection or the login is lost', async () => {
    const headers = await gate.session({ name: 'shop' });
    await gate.connect(headers);
    const account = { generatedId: '1001', name: 'Ada Lovelace', username: 'ada', phone: '4915100000001' };
    const picture = 'data:image/jpeg;base64,AA==';
    const read = async (): Promise<unknown> => (await gate.call('GET', '/session', { headers })).body;
    expect(await read()).toMatchObject({
      ...account,
      picture,
      isConnected: true,
      qrcode: '',
      isPasswordRequired: false,
    });
    await gate.links.of(headers.id).report(linkFact('ConnectionLost', 1));
    await gate.clock.settle();
    expect(await read()).toMatchObject({ ...account, isConnected: false, qrcode: '' });
    await gate.links.of(headers.id).report(linkFact('LoginLost', 1));
    await gate.clock.settle();
    expect(await read()).toMatchObject({ ...account, isConnected: false });
  });

  it.each([
    [{ name: '', username: 'ada', phone: '49', id: '7' }, 'ada'],
    [{ name: '', username: '', phone: '49', id: '7' }, '49'],
    [{ name: '', username: '', phone: '', id: '7' }, '7'],
  ])('[SE13.1] the name of %j is %s', async (account, name) => {
    const headers = await gate.session({ name: 'shop' });
    await gate.links.of(headers.id).report({ type: 'LoggedIn', login: 1, account, picture: '' });
    await gate.clock.settle();
    expect((await gate.call('GET', '/session', { headers })).body).toMatchObject({ name, generatedId: '7' });
  });
});

describe('POST /session/password', () => {
  const submit = (headers: Record<string, string>, password: unknown) =>
    gate.call('POST', '/session/password', { headers, body: { password } });
  const asked = async (): Promise<{ id: string; 'session-id': string }> => {
    const headers = await gate.session();
    await gate.links.of(headers.id).report(linkFact('PasswordRequested', 1));
    return headers;
  };

  it('[SE5.1] is refused while none is awaited', async () => {
    expect(await submit(await gate.session(), 'x')).toMatchObject({
      status: 400,
      body: { statusCode: 400, message: 'password is not required' },
    });
  });

  it('[ER2.2] wants a password', async () => {
    const headers = await gate.session();
    expect((await submit(headers, '')).body['message']).toBe('password should not be empty');
    expect((await gate.call('POST', '/session/password', { headers })).body['message']).toBe(
      'password should not be empty',
    );
    expect((await submit(headers, 5)).body['message']).toBe('password must be a string');
  });

  it('[SE5.1] a wrong one is 400, and the session goes on waiting', async () => {
    const headers = await asked();
    expect(await submit(headers, 'wrong')).toMatchObject({ status: 400, body: { message: 'invalid password' } });
    expect((await gate.call('GET', '/session', { headers })).body).toMatchObject({ isPasswordRequired: true });
  });

  it('[SE5.1] the right one answers with the id, and the next read shows the connection', async () => {
    const headers = await asked();
    const link = gate.links.of(headers.id);
    link.password = async (login, password) => {
      if (password !== 'hunter2') return 'rejected';
      await link.report(linkFact('LoggedIn', login));
      return 'accepted';
    };
    const { status, body } = await submit(headers, 'hunter2');
    expect([status, body]).toEqual([200, { id: headers.id }]);
    expect((await gate.call('GET', '/session', { headers })).body).toMatchObject({ isConnected: true });
  });

  it('[ER3.2] a wait that Telegram demands is 500 with Retry-After', async () => {
    const headers = await asked();
    gate.links.of(headers.id).password = () => {
      throw new TelegramError(420, 'FLOOD_WAIT_120', 'auth.CheckPassword');
    };
    const answer = await submit(headers, 'x');
    expect([answer.status, answer.body]).toEqual([
      500,
      { statusCode: 500, message: 'A wait of 120 seconds is required (caused by auth.CheckPassword)' },
    ]);
    expect(answer.headers['retry-after']).toBe('120');
  });
});

describe('POST /session/reset', () => {
  it('[SE2.2] takes a request without a body for an empty one', async () => {
    const headers = await gate.session();
    expect(await gate.call('POST', '/session/reset', { headers })).toMatchObject({
      status: 200,
      body: { id: headers.id },
    });
  });

  it('[SE2.2] keeps id, sessionId, webhook and metadata, and begins again with fresh 3 minutes', async () => {
    const headers = await gate.session({ metadata: { a: 'b' }, webhook });
    await gate.connect(headers);
    await gate.clock.advance(60_000);
    const { status, body } = await gate.call('POST', '/session/reset', { headers, body: {} });
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual([...fields, 'metadata', 'created', 'expires']);
    expect(body).toMatchObject({
      id: headers.id,
      sessionId: headers['session-id'],
      isConnected: false,
      webhook,
      metadata: { a: 'b' },
      created: '2026-01-01T00:00:00.000Z',
      expires: '2026-01-01T00:04:00.000Z',
    });
  });

  it('[SE2.2] takes new settings', async () => {
    const headers = await gate.session({ name: 'old', webhook });
    const body = { name: 'new', metadata: { c: 'd' }, webhook: { url: '', token: '' } };
    expect((await gate.call('POST', '/session/reset', { headers, body })).body).toMatchObject(body);
  });
});

describe('DELETE /session', () => {
  it('[SE3.1] answers with the id; after that nobody is there', async () => {
    const headers = await gate.session();
    await gate.call('GET', '/session', { headers });
    const { status, body } = await gate.call('DELETE', '/session', { headers });
    expect([status, body]).toEqual([200, { id: headers.id }]);
    for (const method of ['GET', 'DELETE'] as const) {
      expect(await gate.call(method, '/session', { headers })).toMatchObject({
        status: 404,
        body: { statusCode: 404, message: 'session not found' },
      });
    }
  });
});

describe.each(['PUT', 'POST'] as const)('%s /session/webhook', (method) => {
  it('[WH1.1] sets it, shows it, and turns it off', async () => {
    const headers = await gate.session();
    const set = await gate.call(method, '/session/webhook', { headers, body: webhook });
    expect([set.status, set.body]).toEqual([200, { id: headers.id, webhook }]);
    expect((await gate.call('GET', '/session', { headers })).body).toMatchObject({ webhook });
    const status = { pending: 0, lastDelivered: '', lastError: '', lastFailed: '', nextAttempt: '', parked: 0 };
    expect((await gate.call('GET', '/session/webhook', { headers })).body).toEqual({
      id: headers.id,
      webhook,
      events: ['message', 'message.edited', 'message.deleted', 'message.read'],
      chats: 'private',
      ...status,
    });
    const off = await gate.call(method, '/session/webhook', { headers, body: { url: '', token: '' } });
    expect(off.body).toEqual({ id: headers.id, webhook: { url: '', token: '' } });
    expect((await gate.call('GET', '/session', { headers })).body).toMatchObject({ webhook: { url: '', token: '' } });
  });

  it.each([
    [{ url: 'https://x.example' }, 'url and token must be both filled, or both empty to turn the webhook off'],
    [{ token: 't' }, 'url and token must be both filled, or both empty to turn the webhook off'],
    [{ url: 'ftp://x.example', token: 't' }, 'url must be an http or https url'],
  ])('[WH1.1] refuses %j', async (body, message) => {
    const headers = await gate.session();
    const answer = await gate.call(method, '/session/webhook', { headers, body });
    expect([answer.status, answer.body]).toEqual([400, { statusCode: 400, message }]);
  });
});
