import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ann, bob, bobsPassword, type Caller, openScene, type Scene } from '../../support/e2e/scene.ts';

/** Logins that end at Telegram or do not come to be, and what the session is after that. */

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
const network = (action: string): Promise<unknown> => scene.sandbox.call('POST', '/network', { action });
const notFound = { status: 404, body: { statusCode: 404, message: 'session not found' } };

/** Why the session is where it is, as the audit has it. */
async function lastReason(caller: Caller): Promise<unknown> {
  const { body } = await scene.request<{ docs: { type: string; reason: string }[] }>(caller, 'GET', '/session/events');
  return body.docs.findLast(({ type }) => type !== 'QrIssued')?.reason;
}

async function expectFreshQr(caller: Caller): Promise<void> {
  const shown = await scene.whilePassing(scene.read(caller, ({ qrcode }) => qrcode !== ''));
  expect(shown).toMatchObject({ isConnected: false, isPasswordRequired: false, passwordHint: '' });
}

const ends: [string, () => Promise<unknown>, RegExp][] = [
  ['removed on the phone', () => scene.sandbox.call('DELETE', `/accounts/${ann}/devices`), /^SESSION_REVOKED$/],
  ['forgotten by Telegram', () => scene.sandbox.call('POST', '/chaos', { forgetKey: true }), /^AUTH_KEY_INVALID$/],
  ...(
    [
      ['AUTH_KEY_UNREGISTERED', 401],
      ['SESSION_EXPIRED', 401],
      ['USER_DEACTIVATED_BAN', 401],
      ['AUTH_KEY_DUPLICATED', 406],
    ] as const
  ).map(([error, code]): (typeof ends)[number] => [
    error,
    async () => {
      await scene.sandbox.call('POST', '/faults', { userId: ann, error, code, times: 1 });
      await network('cut');
    },
    new RegExp(`^${error}$`),
  ]),
];

describe('a login that Telegram ends', () => {
  it.each(ends)(
    '[SE9.1] while it is connected, %s: a fresh QR at once, and the reason is recorded',
    async (_, end, reason) => {
      const caller = await scene.connected();
      await scene.pass(10 * minute);
      await end();
      await expectFreshQr(caller);
      expect(await lastReason(caller)).toMatch(reason);
      await scene.scan(caller, ann);
      expect(await scene.read(caller, (session) => session.isConnected)).toMatchObject({ generatedId: ann });
    },
  );

  it('[SE9.1] while it is out of reach: known once Telegram is back', async () => {
    const caller = await scene.connected();
    await network('refuse');
    await network('cut');
    await scene.pass(12 * second);
    await scene.sandbox.call('DELETE', `/accounts/${ann}/devices`);
    expect((await get(caller)).body).toMatchObject({ isConnected: false, qrcode: '' });
    await network('accept');
    await expectFreshQr(caller);
    expect(await lastReason(caller)).toBe('SESSION_REVOKED');
  });

  it('[SE9.1] while its password is awaited', async () => {
    const caller = await scene.awaitingPassword();
    await scene.sandbox.call('POST', '/chaos', { forgetKey: true });
    await expectFreshQr(caller);
    await scene.scan(caller, bob);
    await scene.read(caller, (session) => session.isPasswordRequired);
    expect(await givePassword(caller, bobsPassword)).toMatchObject({ status: 200 });
  });
});

describe('a two-step password that is changed on the phone while it is awaited', () => {
  const change = (password: string): Promise<unknown> =>
    scene.sandbox.call('PUT', `/accounts/${bob}/password`, { password, hint: 'another' });

  it('[SE5.1] is asked for as it is now', async () => {
    const caller = await scene.awaitingPassword();
    await change('correct horse');
    expect(await givePassword(caller, bobsPassword)).toMatchObject({
      status: 400,
      body: { message: 'invalid password' },
    });
    expect(await givePassword(caller, 'correct horse')).toMatchObject({ status: 200 });
    expect((await get(caller)).body).toMatchObject({ isConnected: true });
  });

  it('[SE9.2] leads to a fresh QR where there is none any more', async () => {
    const caller = await scene.awaitingPassword();
    await change('');
    expect(await givePassword(caller, bobsPassword)).toMatchObject({
      status: 500,
      body: { message: 'session not connected' },
    });
    await expectFreshQr(caller);
    expect(await lastReason(caller)).toBe('PASSWORD_REMOVED');
    await scene.scan(caller, bob);
    expect(await scene.read(caller, (session) => session.isConnected)).toMatchObject({ generatedId: bob });
  });
});

describe('a two-step password that is given', () => {
  it('[SE5.1] while Telegram is out of reach is refused, and asked for as before', async () => {
    const caller = await scene.awaitingPassword();
    await network('refuse');
    await network('cut');
    expect(await scene.whilePassing(givePassword(caller, bobsPassword))).toMatchObject({
      status: 500,
      body: { message: 'session not connected' },
    });
    await network('accept');
    await scene.pass(2 * minute);
    expect((await get(caller)).body).toMatchObject({ isPasswordRequired: true });
    expect(await givePassword(caller, bobsPassword)).toMatchObject({ status: 200 });
  });

  it.each(['is lost', 'is lost with its connection'])('[SE5.1] and whose answer %s is accepted', async (how) => {
    const caller = await scene.awaitingPassword();
    const method = 'auth.checkPassword';
    await scene.sandbox.call('POST', '/faults', { method, dropAnswer: true });
    const giving = givePassword(caller, bobsPassword);
    while ((await scene.sandbox.call<unknown[]>('GET', `/calls?method=${method}`)).length === 0) await scene.pass(1);
    if (how !== 'is lost') await network('cut');
    expect(await scene.whilePassing(giving)).toMatchObject({ status: 200, body: { id: caller.id } });
    expect((await get(caller)).body).toMatchObject({ isConnected: true, generatedId: bob });
    expect(await scene.sandbox.call('GET', `/accounts/${bob}/devices`)).toHaveLength(1);
  });

  it('[SE5.1] twice at once is one login, and the second is not asked for', async () => {
    const caller = await scene.awaitingPassword();
    const answers = await Promise.all([givePassword(caller, bobsPassword), givePassword(caller, bobsPassword)]);
    expect(answers).toMatchObject([{ status: 200 }, { status: 400, body: { message: 'password is not required' } }]);
    expect((await get(caller)).body).toMatchObject({ isConnected: true });
  });

  it('[SE5.1] while the session is reset or deleted belongs to a login that is no more', async () => {
    for (const [method, path] of [
      ['POST', '/session/reset'],
      ['DELETE', '/session'],
    ] as const) {
      const caller = await scene.awaitingPassword();
      await scene.sandbox.call('POST', '/faults', { method: 'auth.checkPassword', delayMs: 300 });
      const giving = givePassword(caller, bobsPassword);
      await scene.pass(1);
      expect(await scene.request(caller, method, path)).toMatchObject({ status: 200 });
      const { status, body } = await giving;
      expect([status, body['message']]).toEqual(
        method === 'DELETE' ? [404, 'session not found'] : [400, 'password is not required'],
      );
      expect((await get(caller)).body['isConnected'] ?? false).toBe(false);
    }
  });
});

describe('a restart', () => {
  it('[SE7.2] gives a session that was connected 30 minutes to come back, and not a second less', async () => {
    const caller = await scene.connected();
    await network('refuse');
    await scene.gateway.crash();
    await scene.clock.advance(60 * minute);
    await scene.restart();
    await scene.gateway.started;
    expect((await get(caller)).body).toMatchObject({ isConnected: false, qrcode: '' });
    expect(await lastReason(caller)).toBe('gateway-restart');
    await scene.pass(29 * minute);
    await scene.pass(minute - second);
    expect(await get(caller)).toMatchObject({ status: 200 });
    await scene.pass(second);
    expect(await get(caller)).toMatchObject(notFound);
  });

  it('[SE7.1] leaves the password its 30 minutes from when it was asked for', async () => {
    const caller = await scene.awaitingPassword();
    await scene.pass(20 * minute);
    await scene.restart();
    await scene.pass(9 * minute);
    await scene.pass(minute - second);
    expect((await get(caller)).body).toMatchObject({ isPasswordRequired: true });
    await scene.pass(second);
    expect(await get(caller)).toMatchObject(notFound);
  });
});
