import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ann, bob, bobsPassword, type Caller, openScene, type Scene } from '../../support/e2e/scene.ts';

/** Logging in by a code (LG1), over HTTP and MTProto. */

const second = 1000;
const minute = 60 * second;
const annsPhone = '15550000001';
const bobsPhone = '15550000002';

let scene: Scene;
beforeEach(async () => {
  scene = await openScene();
});
afterEach(() => scene.close());

const get = (caller: Caller) => scene.request(caller, 'GET', '/session');
const post = (caller: Caller, step: 'login' | 'code' | 'password', body: object) =>
  scene.request(caller, 'POST', `/session/${step}`, body);
const refused = (message: string) => ({ status: 400, body: { statusCode: 400, message } });
const notFound = { status: 404, body: { statusCode: 404, message: 'session not found' } };

/** What was sent to the account last. */
async function sentCode(userId: string): Promise<{ type: string; code: string }> {
  const codes = await scene.sandbox.call<{ type: string; code: string }[]>('GET', `/accounts/${userId}/codes`);
  if (codes[0] === undefined) throw new Error('no code was sent');
  return codes[0];
}
/** What the audit says of the codes of a session. */
async function sentCodes({ id }: Caller): Promise<unknown[]> {
  const { body } = await scene.gateway.http.request<{ docs: { type: string; data: unknown }[] }>(
    'GET',
    `/sessions/${id}/events`,
  );
  return body.docs.filter(({ type }) => type === 'CodeSent').map(({ data }) => data);
}
const helperBot = '1004';
async function helperBotToken(): Promise<string> {
  const accounts = await scene.sandbox.call<{ userId: string; token: string }[]>('GET', '/accounts');
  return accounts.find(({ userId }) => userId === helperBot)?.token ?? '';
}
const wrong = ({ code }: { code: string }): string => (code === '11111' ? '22222' : '11111');
const byPhone = (phone: string): Promise<Caller> => scene.create({ login: { phone } });

describe('POST /session with a phone', () => {
  it('[LG1.1] answers when the code is sent, and the right one connects', async () => {
    const caller = await byPhone('+1 555 000 0001');
    expect((await get(caller)).body).toMatchObject({ isCodeRequired: true, qrcode: '', isConnected: false, phone: '' });
    const { type, code } = await sentCode(ann);
    expect((await get(caller)).body).toMatchObject({ codeSentTo: type });
    expect(await post(caller, 'code', { code })).toMatchObject({
      status: 200,
      body: { id: caller.id, isConnected: true, isPasswordRequired: false },
    });
    expect((await get(caller)).body).toMatchObject({
      generatedId: ann,
      isConnected: true,
      isCodeRequired: false,
      codeSentTo: '',
    });
  });
});

describe('a code', () => {
  it('[LG1.2] that is wrong is refused as often as Telegram lets, and the right one still counts', async () => {
    const caller = await byPhone(annsPhone);
    const sent = await sentCode(ann);
    for (let tries = 0; tries < 3; tries++) {
      expect(await post(caller, 'code', { code: wrong(sent) })).toMatchObject(refused('invalid code'));
    }
    expect((await get(caller)).body).toMatchObject({ isCodeRequired: true });
    expect(await post(caller, 'code', { code: sent.code })).toMatchObject({ status: 200 });
  });

  it('[LG1.3] that has expired at Telegram is followed by another; after the third the session is deleted', async () => {
    const caller = await byPhone(annsPhone);
    const expire = () =>
      scene.sandbox.call('POST', '/faults', {
        method: 'auth.signIn',
        code: 400,
        error: 'PHONE_CODE_EXPIRED',
        times: 1,
      });
    for (let number = 1; number <= 3; number++) {
      await expire();
      expect(await post(caller, 'code', { code: (await sentCode(ann)).code })).toMatchObject(refused('code expired'));
    }
    expect(await get(caller)).toMatchObject(notFound);
    expect(await sentCodes(caller)).toMatchObject([{ number: 1 }, { number: 2 }, { number: 3 }]);
    expect((await scene.gateway.http.request('GET', `/sessions/${caller.id}/events`)).body).toMatchObject({
      docs: expect.arrayContaining([expect.objectContaining({ type: 'CodesUsedUp', reason: 'code-timeout' })]),
    });
  });

  it('[LG1.3] the one that follows an expired one logs in', async () => {
    const caller = await byPhone(annsPhone);
    await scene.sandbox.call('POST', '/faults', {
      method: 'auth.signIn',
      code: 400,
      error: 'PHONE_CODE_EXPIRED',
      times: 1,
    });
    expect(await post(caller, 'code', { code: '11111' })).toMatchObject(refused('code expired'));
    expect(await post(caller, 'code', { code: (await sentCode(ann)).code })).toMatchObject({ status: 200 });
  });

  it('[LG1.4] that is not submitted for 5 minutes ends in the deletion of the session, and not a second before', async () => {
    const caller = await byPhone(annsPhone);
    await scene.pass(5 * minute - second);
    expect(await get(caller)).toMatchObject({ status: 200, body: { isCodeRequired: true } });
    await scene.pass(second);
    expect(await get(caller)).toMatchObject(notFound);
    expect((await scene.gateway.http.request('GET', `/sessions/${caller.id}/events`)).body).toMatchObject({
      docs: expect.arrayContaining([expect.objectContaining({ type: 'CodeTimedOut', reason: 'code-timeout' })]),
    });
  });

  it('[LG1.5] is sent in the next way at each new request, up to three times, and counts 5 minutes anew', async () => {
    const caller = await byPhone(annsPhone);
    const before = (await get(caller)).body['codeSentTo'];
    await scene.pass(4 * minute);
    const again = await post(caller, 'login', { phone: annsPhone });
    expect(again).toMatchObject({ status: 200, body: { id: caller.id, isConnected: false } });
    expect(again.body['codeSentTo']).not.toBe(before);
    await scene.pass(4 * minute);
    expect((await get(caller)).body).toMatchObject({ isCodeRequired: true, codeSentTo: again.body['codeSentTo'] });
    expect(await post(caller, 'login', { phone: annsPhone })).toMatchObject({ status: 200 });
    expect(await post(caller, 'login', { phone: annsPhone })).toMatchObject(refused('no more codes can be asked for'));
    expect(await post(caller, 'code', { code: (await sentCode(ann)).code })).toMatchObject({ status: 200 });
  });

  it('[LG1.6] of an account with two-step verification leads to its password', async () => {
    const caller = await byPhone(bobsPhone);
    expect(await post(caller, 'code', { code: (await sentCode(bob)).code })).toMatchObject({
      status: 200,
      body: { isConnected: false, isPasswordRequired: true },
    });
    expect((await get(caller)).body).toMatchObject({
      isPasswordRequired: true,
      passwordHint: 'the usual',
      isCodeRequired: false,
    });
    expect(await post(caller, 'password', { password: bobsPassword })).toMatchObject({ status: 200 });
    expect((await get(caller)).body).toMatchObject({ isConnected: true, generatedId: bob });
  });

  it('[LG1.7] works after the gateway was killed, with the deadline that it had', async () => {
    const caller = await byPhone(annsPhone);
    await scene.pass(3 * minute);
    await scene.restart();
    expect((await scene.read(caller)).isCodeRequired).toBe(true);
    expect(await post(caller, 'code', { code: (await sentCode(ann)).code })).toMatchObject({ status: 200 });
    expect((await get(caller)).body).toMatchObject({ isConnected: true, generatedId: ann });

    const late = await byPhone(bobsPhone);
    await scene.pass(3 * minute);
    await scene.restart();
    await scene.read(late);
    await scene.pass(2 * minute);
    expect(await get(late)).toMatchObject(notFound);
  });

  it('[LG1.8] to an e-mail address logs in', async () => {
    await scene.sandbox.call('PATCH', `/accounts/${ann}`, { codeType: 'email', email: 'ann@example.org' });
    const caller = await byPhone(annsPhone);
    expect((await get(caller)).body).toMatchObject({ codeSentTo: 'email' });
    // As Telegram calls a wrong one from a mailbox.
    await scene.sandbox.call('POST', '/faults', { method: 'auth.signIn', error: 'CODE_INVALID', times: 1 });
    expect(await post(caller, 'code', { code: '11111' })).toMatchObject(refused('invalid code'));
    expect(await post(caller, 'code', { code: (await sentCode(ann)).code })).toMatchObject({ status: 200 });
  });
});

describe('POST /session/login', () => {
  it('[LG1.9] replaces the QR by a code, and a reset brings a QR back', async () => {
    const caller = await scene.create();
    await scene.qrLink(caller);
    expect(await post(caller, 'login', { phone: annsPhone })).toMatchObject({
      status: 200,
      body: { isConnected: false },
    });
    expect((await get(caller)).body).toMatchObject({ isCodeRequired: true, qrcode: '' });
    await scene.request(caller, 'POST', '/session/reset', {});
    await scene.scan(caller, ann);
    expect(await scene.read(caller, (session) => session.isConnected)).toMatchObject({ isCodeRequired: false });
    expect(await post(caller, 'login', { phone: annsPhone })).toMatchObject(
      refused('session does not wait for a login'),
    );
    expect(await post(caller, 'code', { code: '11111' })).toMatchObject(refused('code is not required'));
  });

  it('[LG1.9] that fails leaves the QR as it was', async () => {
    const caller = await scene.create();
    await scene.qrLink(caller);
    expect(await post(caller, 'login', { phone: '123456789012345678' })).toMatchObject(
      refused('phone cannot log in here: PHONE_NUMBER_INVALID'),
    );
    await scene.scan(caller, ann);
    expect(await scene.read(caller, (session) => session.isConnected)).toMatchObject({ generatedId: ann });
  });
});

describe('a login that cannot be', () => {
  const create = (login: object) => scene.gateway.http.request('POST', '/session', { body: { login } });
  const sessions = async () => (await scene.gateway.http.request('GET', '/sessions?state=any')).body;

  it('[LG1.10] leaves no session, and the answer says why', async () => {
    await scene.sandbox.call('PATCH', `/accounts/${bob}`, { banned: true });
    expect(await create({ phone: bobsPhone })).toMatchObject(refused('phone cannot log in here: PHONE_NUMBER_BANNED'));
    expect(await create({ botToken: '1004:AAwrong' })).toMatchObject(refused('invalid bot token'));
    await scene.sandbox.call('POST', '/faults', {
      method: 'auth.sendCode',
      code: 420,
      error: 'FLOOD_WAIT_120',
      times: 1,
    });
    const flood = await create({ phone: annsPhone });
    expect(flood).toMatchObject({
      status: 500,
      body: { message: 'A wait of 120 seconds is required (caused by auth.SendCode)' },
    });
    expect(flood.headers.get('retry-after')).toBe('120');
    expect(await sessions()).toMatchObject({ docs: [] });
  });

  it('[LG1.10] a number without an account is refused once its code is right', async () => {
    const caller = await byPhone('15559999999');
    const codes = await scene.sandbox.call<{ code: string }[]>('GET', '/codes?phone=15559999999');
    expect(await post(caller, 'code', { code: codes[0]?.code ?? '' })).toMatchObject(
      refused('phone cannot log in here: it has no account yet'),
    );
    expect((await get(caller)).body).toMatchObject({ isCodeRequired: true });
  });
});

describe('a bot', () => {
  it('[LG1.11] is logged in by its token, and receives messages', async () => {
    const caller = await scene.create({ login: { botToken: await helperBotToken() } });
    expect((await get(caller)).body).toMatchObject({
      isConnected: true,
      generatedId: helperBot,
      username: 'helperbot',
      qrcode: '',
    });
    const { status, body } = await scene.request(caller, 'GET', '/chat');
    expect({ status, body }).toMatchObject({
      status: 500,
      body: { message: expect.stringContaining('BOT_METHOD_INVALID') },
    });
  });

  it('[LG1.11] writes to whom it has met, without a list of chats; others are not found', async () => {
    const user = (id: string): object => ({ user: id, type: 'text', text: 'Hello' });
    const caller = await scene.create({ login: { botToken: await helperBotToken() } });
    const send = async (body: object): Promise<unknown> => {
      const { status, body: answer } = await scene.request(caller, 'POST', '/message', body);
      return status === 200 ? status : answer;
    };
    const notMet = { statusCode: 400, message: 'chat not found' };
    const group = (id: string): object => ({ group: id, type: 'text', text: 'Hello' });
    const stranger = await scene.sandbox.call<{ userId: string }>('POST', '/accounts', { firstName: 'Eve' });
    // Ann wrote to it once, and it is in Makers.
    for (const met of [user(ann), user(bob), group('-1003001')]) expect(await send(met)).toBe(200);
    for (const other of [user(stranger.userId), user('424242'), group('-2001'), group('-1003002')])
      expect(await send(other)).toEqual(notMet);
    await scene.sandbox.call('PUT', '/chats/-2001/members/1004', { role: 'member' });
    expect(await send(group('-2001'))).toBe(200);
  });

  it('[LG1.12] whose login is lost stays disconnected until it is deleted, with the reason', async () => {
    const caller = await scene.create({ login: { botToken: await helperBotToken() } });
    await scene.sandbox.call('DELETE', `/accounts/${helperBot}/devices`);
    await scene.pass(5 * second);
    expect((await get(caller)).body).toMatchObject({ isConnected: false, qrcode: '' });
    expect((await scene.gateway.http.request('GET', `/sessions/${caller.id}/events`)).body).toMatchObject({
      docs: expect.arrayContaining([
        expect.objectContaining({ type: 'BotLoginLost', state: 'disconnected', reason: 'SESSION_REVOKED' }),
      ]),
    });
    await scene.pass(30 * minute);
    expect(await get(caller)).toMatchObject(notFound);
  });
});
