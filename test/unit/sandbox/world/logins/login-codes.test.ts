import { beforeEach, describe, expect, it } from 'vitest';
import type { AuthKey, TlObject } from '../../../../../sandbox/rpc.ts';
import { botToken } from '../../../../../sandbox/world/logins/bot-tokens.ts';
import type { UserRow } from '../../../../../sandbox/world/state/rows.ts';
import { loginParams, openWorldFixture, type WorldFixture } from '../../../../support/sandbox/world-fixture.ts';

const annsPhone = '+1 555 000 0001';
const strangersPhone = '15550009999';

let fixture: WorldFixture;
beforeEach(async () => {
  fixture = await openWorldFixture();
});

const rejected = (code: number, text: string) => ({ code, text });
const change = (id: number, fields: Partial<UserRow>): void => {
  const user = fixture.world.tables.users.get(id) as UserRow;
  fixture.world.tables.users.put({ ...user, ...fields });
};
const sendCode = (key: AuthKey, phone_number: string, settings: object = {}) =>
  fixture.call(key, 'auth.sendCode', {
    ...loginParams,
    phone_number,
    settings: { _: 'codeSettings', ...settings },
  });
/** The calls that follow `auth.sendCode`. */
const following = (key: AuthKey, phone_number: string, { phone_code_hash }: TlObject) => {
  const call = (method: string, more: object = {}) =>
    fixture.call(key, method, { phone_number, phone_code_hash, ...more });
  return {
    resend: () => call('auth.resendCode'),
    cancel: () => call('auth.cancelCode'),
    signIn: (phone_code: string) => call('auth.signIn', { phone_code }),
    signInByEmail: (code: string) => call('auth.signIn', { email_verification: { _: 'emailVerificationCode', code } }),
    signUp: (first_name: string) => call('auth.signUp', { first_name, last_name: '' }),
  };
};
const codeOf = ({ phone_code_hash }: TlObject): string =>
  fixture.world.tables.codes.get(phone_code_hash as string)?.code ?? '';

// https://core.telegram.org/method/auth.sendCode, auth.resendCode, auth.cancelCode
describe('a login code', () => {
  it('is sent as a text, then in a call, and then no more', async () => {
    const key = fixture.key();
    const sent = await sendCode(key, annsPhone);
    expect(sent).toMatchObject({
      type: { _: 'auth.sentCodeTypeSms', length: 5 },
      next_type: { _: 'auth.codeTypeCall' },
      timeout: 60,
    });
    const { resend } = following(key, annsPhone, sent);
    expect(await resend()).toMatchObject({ type: { _: 'auth.sentCodeTypeCall' }, next_type: undefined });
    await expect(resend()).rejects.toMatchObject(rejected(406, 'SEND_CODE_UNAVAILABLE'));
  });

  it('is a message of Telegram if the account is logged in elsewhere', async () => {
    await fixture.logIn(1001);
    const key = fixture.key();
    const sent = await sendCode(key, annsPhone);
    expect(sent.type).toEqual({ _: 'auth.sentCodeTypeApp', length: 5 });
    const code = codeOf(sent);
    const { world } = fixture;
    const id = world.tables.history('user:1001', 'user:777000').at(-1) ?? 0;
    const message = world.tables.message('user:1001', id);
    expect(message?.text).toMatch(new RegExp(`^Login code: ${code}\\. Do not give this code to anyone`));
    expect(message?.entities).toContainEqual({ _: 'messageEntityBold', offset: 0, length: 11 });
    expect(fixture.pushed.at(-1)?.updates).toMatchObject({ updates: [{ message: { message: message?.text } }] });
    const next = await following(key, annsPhone, sent).resend();
    expect([next.type._, codeOf(next)]).toEqual(['auth.sentCodeTypeSms', code]);
  });

  it('goes to an address if the control API says so, and the address is not shown', async () => {
    change(1001, { codeType: 'email', email: 'ann.lee@example.com' });
    const key = fixture.key();
    const sent = await sendCode(key, annsPhone);
    expect(sent.type).toEqual({ _: 'auth.sentCodeTypeEmailCode', email_pattern: 'a*****e@example.com', length: 6 });
    expect(await following(key, annsPhone, sent).signInByEmail(codeOf(sent))).toMatchObject({ user: { id: 1001n } });
  });

  it('is refused for what is no number, a banned one, one of another data centre, and a wrong API ID', async () => {
    const key = fixture.key();
    await expect(sendCode(key, '12')).rejects.toMatchObject(rejected(400, 'PHONE_NUMBER_INVALID'));
    await expect(sendCode(key, '+1 call me')).rejects.toMatchObject(rejected(400, 'PHONE_NUMBER_INVALID'));
    await expect(sendCode(key, '15550000002')).rejects.toMatchObject(rejected(303, 'PHONE_MIGRATE_4'));
    change(1001, { banned: true });
    await expect(sendCode(key, annsPhone)).rejects.toMatchObject(rejected(400, 'PHONE_NUMBER_BANNED'));
    const wrongId = fixture.call(key, 'auth.sendCode', { phone_number: annsPhone, api_id: 1, api_hash: 'x' });
    await expect(wrongId).rejects.toMatchObject(rejected(400, 'API_ID_INVALID'));
  });

  it('can be cancelled', async () => {
    const key = fixture.key();
    const { cancel, signIn } = following(key, annsPhone, await sendCode(key, annsPhone));
    expect(await cancel()).toBe(true);
    await expect(signIn('12345')).rejects.toMatchObject(rejected(400, 'PHONE_CODE_EXPIRED'));
  });
});

// https://core.telegram.org/method/auth.signIn
describe('signing in', () => {
  it('needs the right code, which works once', async () => {
    const key = fixture.key();
    const sent = await sendCode(key, annsPhone);
    const { signIn } = following(key, annsPhone, sent);
    const code = codeOf(sent);
    await expect(signIn('')).rejects.toMatchObject(rejected(400, 'PHONE_CODE_EMPTY'));
    await expect(signIn('x')).rejects.toMatchObject(rejected(400, 'PHONE_CODE_INVALID'));
    expect(await signIn(code)).toMatchObject({ _: 'auth.authorization', user: { id: 1001n, self: true } });
    await expect(signIn(code)).rejects.toMatchObject(rejected(400, 'PHONE_CODE_EXPIRED'));
    expect(await fixture.call(key, 'updates.getState')).toMatchObject({ _: 'updates.state' });
  });

  it('is refused with a late code, with the code of another number, without a hash, and after five mistakes', async () => {
    const key = fixture.key();
    const sent = await sendCode(key, annsPhone);
    const expired = rejected(400, 'PHONE_CODE_EXPIRED');
    await expect(following(key, '15550000003', sent).signIn(codeOf(sent))).rejects.toMatchObject(expired);
    const withoutHash = following(key, annsPhone, { _: 'auth.sentCode', phone_code_hash: '' });
    await expect(withoutHash.signIn('1')).rejects.toMatchObject(rejected(400, 'PHONE_CODE_HASH_EMPTY'));
    for (let mistake = 1; mistake <= 5; mistake++) {
      await expect(following(key, annsPhone, sent).signIn('x')).rejects.toMatchObject({ text: 'PHONE_CODE_INVALID' });
    }
    await expect(following(key, annsPhone, sent).signIn(codeOf(sent))).rejects.toMatchObject(expired);
    const again = await sendCode(key, annsPhone);
    fixture.clock.time += 300_000;
    await expect(following(key, annsPhone, again).signIn(codeOf(again))).rejects.toMatchObject(expired);
  });

  it('asks for the two-step password', async () => {
    const key = fixture.key(4);
    const sent = await sendCode(key, '15550000002');
    const signingIn = following(key, '15550000002', sent).signIn(codeOf(sent));
    await expect(signingIn).rejects.toMatchObject(rejected(401, 'SESSION_PASSWORD_NEEDED'));
    expect(await fixture.call(key, 'account.getPassword')).toMatchObject({ has_password: true });
  });

  it('with a number that nobody has leads to a new account', async () => {
    const key = fixture.key();
    const sent = await sendCode(key, strangersPhone);
    const { signIn, signUp } = following(key, strangersPhone, sent);
    await expect(signUp('Eve')).rejects.toMatchObject(rejected(400, 'PHONE_CODE_INVALID'));
    expect(await signIn(codeOf(sent))).toEqual({ _: 'auth.authorizationSignUpRequired' });
    await expect(signUp(' ')).rejects.toMatchObject(rejected(400, 'FIRSTNAME_INVALID'));
    expect(await signUp('Eve')).toMatchObject({ user: { first_name: 'Eve', phone: strangersPhone } });
  });

  it('needs no code with the token of an earlier log-out, once', async () => {
    const key = await fixture.logIn(1001);
    const { future_auth_token } = await fixture.call(key, 'auth.logOut');
    const other = await fixture.logIn(1003);
    const { future_auth_token: caras } = await fixture.call(other, 'auth.logOut');
    const logout_tokens = [Buffer.alloc(8), caras, future_auth_token];
    expect(await sendCode(key, annsPhone, { logout_tokens })).toMatchObject({
      _: 'auth.sentCodeSuccess',
      authorization: { user: { id: 1001n } },
    });
    expect(await sendCode(fixture.key(), annsPhone, { logout_tokens })).toMatchObject({ _: 'auth.sentCode' });
  });
});

describe('a new login', () => {
  it('is told to the other devices of the account, and in a message of Telegram', async () => {
    const one = await fixture.logIn(1001);
    expect(fixture.world.tables.history('user:1001', 'user:777000')).toEqual([]);
    fixture.pushed.length = 0;
    const two = await fixture.logIn(1001);
    const announced = fixture.pushed.find(({ updates }) => updates.updates?.[0]?._ === 'updateNewAuthorization');
    expect(announced?.keyIds).toEqual([one.id]);
    const { authorizations } = await fixture.call(one, 'account.getAuthorizations');
    const authorization = authorizations.find(({ current }: TlObject) => !current);
    expect(announced?.updates.updates[0].hash).toBe(authorization.hash);
    const { world } = fixture;
    const message = world.tables.message('user:1001', world.tables.history('user:1001', 'user:777000')[0] ?? 0);
    expect(message?.text).toContain('New login. Dear Ann, we detected a login into your account from a new device on');
    expect(message?.text).toContain('01/06/2026 at 00:00:00 UTC');
    expect(two.id).not.toBe(one.id);
  });
});

// https://core.telegram.org/method/auth.importBotAuthorization
describe('a bot', () => {
  it('logs in with its token, and may not do what only people may', async () => {
    const key = fixture.key();
    const importBot = (bot_auth_token: string) =>
      fixture.call(key, 'auth.importBotAuthorization', { ...loginParams, flags: 0, bot_auth_token });
    for (const token of ['', '1004:AAfalse', '1001:AAx']) {
      await expect(importBot(token)).rejects.toMatchObject(rejected(400, 'ACCESS_TOKEN_INVALID'));
    }
    const token = botToken(fixture.world, fixture.world.tables.users.get(1004) as UserRow);
    expect(token).toMatch(/^1004:AA[\w-]{33}$/);
    expect(await importBot(token)).toMatchObject({ user: { id: 1004n, bot: true, self: true } });
    await expect(fixture.call(key, 'contacts.getContacts', {})).rejects.toMatchObject({ text: 'BOT_METHOD_INVALID' });
    const [me] = (await fixture.call(key, 'users.getUsers', { id: [{ _: 'inputUserSelf' }] })) as unknown as TlObject[];
    expect(me).toMatchObject({ id: 1004n });
  });
});

// https://core.telegram.org/api/srp#email-verification
describe('the recovery of a password', () => {
  const pending = async (): Promise<AuthKey> => {
    const key = fixture.key(4);
    const sent = await sendCode(key, '15550000002');
    await expect(following(key, '15550000002', sent).signIn(codeOf(sent))).rejects.toMatchObject({ code: 401 });
    return key;
  };
  const recover = (key: AuthKey, code: string) => fixture.call(key, 'auth.recoverPassword', { code });

  it('needs an address, and removes the password', async () => {
    const key = await pending();
    const request = () => fixture.call(key, 'auth.requestPasswordRecovery');
    await expect(request()).rejects.toMatchObject(rejected(400, 'PASSWORD_RECOVERY_NA'));
    await expect(recover(key, '1')).rejects.toMatchObject(rejected(400, 'PASSWORD_RECOVERY_EXPIRED'));
    change(1002, { email: 'bob@example.com' });
    expect(await fixture.call(key, 'account.getPassword')).toMatchObject({ has_recovery: true });
    expect(await request()).toEqual({ _: 'auth.passwordRecovery', email_pattern: 'b***b@example.com' });
    await expect(recover(key, '')).rejects.toMatchObject(rejected(400, 'CODE_EMPTY'));
    await expect(recover(key, 'x')).rejects.toMatchObject(rejected(400, 'CODE_INVALID'));
    const { code = '' } = fixture.world.tables.recoveries.get(1002) ?? {};
    expect(await fixture.call(key, 'auth.checkRecoveryPassword', { code })).toBe(true);
    expect(await recover(key, code)).toMatchObject({ user: { id: 1002n } });
    expect((await fixture.call(key, 'account.getPassword')).has_password).toBeFalsy();
    await expect(request()).rejects.toMatchObject(rejected(400, 'PASSWORD_EMPTY'));
  });

  it('ends with the code an hour later', async () => {
    change(1002, { email: 'bob@example.com' });
    const key = await pending();
    await fixture.call(key, 'auth.requestPasswordRecovery');
    fixture.clock.time += 3_600_000;
    const { code = '' } = fixture.world.tables.recoveries.get(1002) ?? {};
    await expect(recover(key, code)).rejects.toMatchObject(rejected(400, 'PASSWORD_RECOVERY_EXPIRED'));
  });
});
