import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ann, bob, bobsPassword, type Caller, openScene, type Scene } from '../../support/e2e/scene.ts';

/** The interface's "States and transitions", row by row, over HTTP and MTProto. */

const second = 1000;
const minute = 60 * second;

let scene: Scene;
beforeEach(async () => {
  scene = await openScene();
});
afterEach(() => scene.close());

const get = (caller: Caller) => scene.request(caller, 'GET', '/session');
const givePassword = (caller: Caller, password: string) =>
  scene.request(caller, 'POST', '/session/password', { password });
/** Lets time pass until it is not connected any more, and no more of it than a tenth of a second too much. */
async function untilLost(caller: Caller): Promise<void> {
  while ((await get(caller)).body['isConnected'] !== false) await scene.pass(100);
}
/** Asks until it is gone; time stands still. A store in another process takes its time to record the end. */
async function untilGone(caller: Caller): Promise<void> {
  let answer = await get(caller);
  while (answer.status === 200) answer = await get(caller);
  expect(answer).toMatchObject(notFound);
}
const notFound = { status: 404, body: { statusCode: 404, message: 'session not found' } };

describe('QR pending', () => {
  it('[SE4.1] an unscanned QR deletes the session after 3 minutes, and not a second before', async () => {
    const caller = await scene.create();
    await scene.qrLink(caller);
    await scene.pass(3 * minute - second);
    expect(await get(caller)).toMatchObject({ status: 200, body: { isConnected: false } });
    await scene.pass(second);
    await untilGone(caller);
  });

  it('[SE10.1] shows another QR when the token has run out', async () => {
    const caller = await scene.create();
    const first = await scene.qrLink(caller);
    await scene.pass(31 * second);
    const next = await scene.qrLink(caller, first);
    expect(next).toMatch(/^tg:\/\/login\?token=[\w-]+$/);
    await scene.sandbox.scan(next, ann);
    expect(await scene.read(caller, (session) => session.isConnected)).toMatchObject({ qrcode: '' });
  });

  it('[SE12.1] is connected once scanned by an account without a password', async () => {
    const caller = await scene.create();
    await scene.sandbox.scan(await scene.qrLink(caller), ann);
    expect(await scene.read(caller, (session) => session.isConnected)).toMatchObject({
      generatedId: ann,
      name: 'Ann Lee',
      username: 'annlee',
      phone: '15550000001',
      qrcode: '',
      isPasswordRequired: false,
    });
  });

  it('[SE12.1] waits for the password once scanned by an account with two-step verification', async () => {
    const caller = await scene.awaitingPassword();
    expect((await get(caller)).body).toMatchObject({
      isPasswordRequired: true,
      passwordHint: 'the usual',
      isConnected: false,
      qrcode: '',
    });
  });
});

describe('password required', () => {
  it('is connected right after the right password, and says the id', async () => {
    const caller = await scene.awaitingPassword();
    expect(await givePassword(caller, bobsPassword)).toMatchObject({ status: 200, body: { id: caller.id } });
    expect((await get(caller)).body).toMatchObject({ isConnected: true, isPasswordRequired: false, generatedId: bob });
  });

  it('still waits after a wrong one: 400 invalid password', async () => {
    const caller = await scene.awaitingPassword();
    expect(await givePassword(caller, 'wrong')).toMatchObject({
      status: 400,
      body: { statusCode: 400, message: 'invalid password' },
    });
    expect((await get(caller)).body).toMatchObject({ isPasswordRequired: true, passwordHint: 'the usual' });
    expect(await givePassword(caller, bobsPassword)).toMatchObject({ status: 200 });
  });

  it('[ER3.2] passes on the wait that Telegram demands after too many', async () => {
    const caller = await scene.awaitingPassword();
    let answer = await givePassword(caller, 'wrong');
    for (let tries = 0; tries < 20 && answer.status === 400; tries++) answer = await givePassword(caller, 'wrong');
    expect(answer.status).toBe(500);
    expect(answer.body['message']).toMatch(/^A wait of \d+ seconds is required \(caused by auth\.CheckPassword\)$/);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await get(caller)).body).toMatchObject({ isPasswordRequired: true });
  });

  it('[SE5.1] deletes the session after 30 minutes without one, and not a second before', async () => {
    const caller = await scene.awaitingPassword();
    await scene.pass(29 * minute);
    await scene.pass(minute - second);
    expect((await get(caller)).body).toMatchObject({ isPasswordRequired: true });
    await scene.pass(second);
    await untilGone(caller);
  });

  it('refuses one that nobody waits for: 400 password is not required', async () => {
    const refused = { status: 400, body: { statusCode: 400, message: 'password is not required' } };
    const pending = await scene.create();
    expect(await givePassword(pending, 'any')).toMatchObject(refused);
    const connected = await scene.connected();
    expect(await givePassword(connected, 'any')).toMatchObject(refused);
  });

  it('[ER2.2] refuses an empty one: 400 password should not be empty', async () => {
    const caller = await scene.awaitingPassword();
    expect(await givePassword(caller, '')).toMatchObject({
      status: 400,
      body: { statusCode: 400, message: 'password should not be empty' },
    });
  });
});

describe('connected', () => {
  it('[SE9.1] a device removed on the phone leads to a fresh QR, valid 3 minutes', async () => {
    const caller = await scene.connected();
    await scene.pass(10 * minute);
    await scene.sandbox.call('DELETE', `/accounts/${ann}/devices`);
    await scene.pass(5 * second);
    expect(await scene.read(caller, (session) => session.qrcode !== '')).toMatchObject({ isConnected: false });
    expect((await get(caller)).body).toMatchObject({ isConnected: false, generatedId: ann, isPasswordRequired: false });
    await scene.pass(2 * minute);
    await scene.scan(caller, ann);
    expect(await scene.read(caller, (session) => session.isConnected)).toMatchObject({ generatedId: ann });
  });

  it('[SE9.1] a fresh QR that is missed deletes the session 3 minutes after the loss, and not a second before', async () => {
    const caller = await scene.connected();
    await scene.pass(10 * minute);
    await scene.sandbox.call('DELETE', `/accounts/${ann}/devices`);
    await untilLost(caller);
    await scene.pass(3 * minute - second);
    expect(await get(caller)).toMatchObject({ status: 200 });
    await scene.pass(second);
    await untilGone(caller);
  });
});

describe('disconnected', () => {
  const cut = async (): Promise<void> => {
    await scene.sandbox.call('POST', '/network', { action: 'refuse' });
    await scene.sandbox.call('POST', '/network', { action: 'cut' });
  };

  it('[SE8.1] a connection that is back within 10 s was never lost', async () => {
    const caller = await scene.connected();
    await cut();
    await scene.pass(5 * second);
    expect((await get(caller)).body).toMatchObject({ isConnected: true });
    await scene.sandbox.call('POST', '/network', { action: 'accept' });
    await scene.pass(30 * second);
    expect((await get(caller)).body).toMatchObject({ isConnected: true });
  });

  it('[SE8.1] is what a session is when Telegram has been out of reach for 10 s, until it is back', async () => {
    const caller = await scene.connected();
    await cut();
    await scene.pass(12 * second);
    expect((await get(caller)).body).toMatchObject({ isConnected: false, qrcode: '', isPasswordRequired: false });
    const message = { username: 'bob', type: 'text', text: 'Hello' };
    expect(await scene.request(caller, 'POST', '/message', message)).toMatchObject({
      status: 500,
      body: { statusCode: 500, message: 'session not connected' },
    });
    await scene.sandbox.call('POST', '/network', { action: 'accept' });
    await scene.pass(61 * second);
    await scene.read(caller, (session) => session.isConnected);
    expect(await scene.request(caller, 'POST', '/message', message)).toMatchObject({ status: 200 });
  });

  it('[SE8.1] a connection that is open but dead is found out', async () => {
    const caller = await scene.connected();
    await scene.sandbox.call('POST', '/network', { action: 'blackhole' });
    await scene.pass(3 * minute);
    expect((await get(caller)).body).toMatchObject({ isConnected: false });
    await scene.sandbox.call('POST', '/network', { action: 'accept' });
    await scene.pass(2 * minute);
    await scene.read(caller, (session) => session.isConnected);
  });

  it('[SE6.1] for 30 minutes deletes the session, and not a second before', async () => {
    const caller = await scene.connected();
    await cut();
    await untilLost(caller);
    await scene.pass(29 * minute);
    await scene.pass(minute - second);
    expect(await get(caller)).toMatchObject({ status: 200 });
    await scene.pass(second);
    await untilGone(caller);
  });
});

/** How to bring a session into each live state. */
const states: Record<string, () => Promise<Caller>> = {
  'QR pending': () => scene.create(),
  'password required': () => scene.awaitingPassword(),
  connected: () => scene.connected(),
  disconnected: async () => {
    const caller = await scene.connected();
    await scene.sandbox.call('POST', '/network', { action: 'refuse' });
    await scene.sandbox.call('POST', '/network', { action: 'cut' });
    await scene.pass(12 * second);
    await scene.read(caller, (session) => !session.isConnected);
    await scene.sandbox.call('POST', '/network', { action: 'accept' });
    return caller;
  },
};

describe.each(Object.keys(states))('reset and delete when %s', (name) => {
  const inState = (): Promise<Caller> => states[name]?.() ?? Promise.reject(new Error(name));

  it('[SE2.2] a reset keeps the session and shows a fresh QR for 3 minutes', async () => {
    const caller = await inState();
    const webhook = { url: 'https://hook.example/in', token: 'secret' };
    await scene.request(caller, 'PUT', '/session/webhook', webhook);
    await scene.pass(5 * second);
    const before = (await get(caller)).body;
    const answer = await scene.request(caller, 'POST', '/session/reset', {});
    expect(answer).toMatchObject({ status: 200, body: { id: caller.id, sessionId: caller.sessionId, webhook } });
    expect(answer.body).toMatchObject({ isConnected: false, isPasswordRequired: false, created: expect.any(String) });
    expect(answer.body['generatedId']).toBe(before['generatedId']);
    expect(Date.parse(String(answer.body['expires']))).toBe(scene.clock.now() + 3 * minute);
    await scene.pass(2 * minute);
    await scene.scan(caller, ann);
    await scene.read(caller, (session) => session.isConnected);
    // The login of before is gone from the account's devices.
    expect(await scene.sandbox.call('GET', `/accounts/${ann}/devices`)).toHaveLength(1);
    expect(await scene.sandbox.call('GET', `/accounts/${bob}/devices`)).toHaveLength(0);
  });

  it('[SE3.1] a deletion answers the id, logs out at Telegram, and everything after it is 404', async () => {
    const caller = await inState();
    expect(await scene.request(caller, 'DELETE', '/session')).toMatchObject({ status: 200, body: { id: caller.id } });
    expect(await get(caller)).toMatchObject(notFound);
    expect(await scene.request(caller, 'DELETE', '/session')).toMatchObject(notFound);
    expect(await scene.request(caller, 'POST', '/session/reset', {})).toMatchObject(notFound);
    expect(await givePassword(caller, 'any')).toMatchObject(notFound);
    await scene.pass(10 * second);
    expect(await scene.sandbox.call('GET', `/accounts/${ann}/devices`)).toHaveLength(0);
  });
});

describe('a restart', () => {
  it('[SE7.2] finds a connected session again, with nothing to scan', async () => {
    const caller = await scene.connected();
    await scene.restart();
    await scene.read(caller, (session) => session.isConnected);
    const message = { username: 'bob', type: 'text', text: 'Still here' };
    expect(await scene.request(caller, 'POST', '/message', message)).toMatchObject({ status: 200 });
  });

  it('[SE7.1] a QR that was never scanned runs out at its time, not later and not earlier', async () => {
    const caller = await scene.create();
    await scene.pass(2 * minute);
    await scene.restart();
    await scene.pass(minute - second);
    expect(await get(caller)).toMatchObject({ status: 200 });
    await scene.pass(second);
    await untilGone(caller);
  });

  it('[SE7.1] a deadline that passed while nobody ran fires at the start', async () => {
    const caller = await scene.create();
    await scene.gateway.crash();
    await scene.clock.advance(4 * minute);
    await scene.restart();
    await scene.gateway.started;
    expect(await get(caller)).toMatchObject(notFound);
  });

  it('[SE7.2] a session that waits for its password goes on waiting, and takes it', async () => {
    const caller = await scene.awaitingPassword();
    await scene.restart();
    await scene.read(caller, (session) => session.isPasswordRequired);
    expect(await givePassword(caller, bobsPassword)).toMatchObject({ status: 200 });
    expect((await get(caller)).body).toMatchObject({ isConnected: true });
  });

  it("[SE7.2] the gateway's own downtime is not the session's", async () => {
    const caller = await scene.connected();
    await scene.gateway.crash();
    await scene.clock.advance(60 * minute);
    await scene.restart();
    expect(await scene.read(caller, (session) => session.isConnected)).toMatchObject({ generatedId: ann });
  });
});
