import { beforeEach, describe, expect, it } from 'vitest';
import {
  dhGenerator,
  dhPower,
  dhPrime,
  dhPrimeNumber,
  generatorPower,
  randomExponent,
} from '../../../../sandbox/crypto/dh.ts';
import { sha256 } from '../../../../sandbox/crypto/hash.ts';
import { toBigInt, toBytes, xor } from '../../../../sandbox/crypto/numbers.ts';
import { srpPasswordHash } from '../../../../sandbox/crypto/srp.ts';
import type { AuthKey, TlObject } from '../../../../sandbox/rpc.ts';
import { acceptToken } from '../../../../sandbox/world/logins/login-tokens.ts';
import { devicesOf, revokeLogin } from '../../../../sandbox/world/logins/logins.ts';
import type { UserRow } from '../../../../sandbox/world/state/rows.ts';
import { loginParams, openWorldFixture, type WorldFixture } from '../../../support/sandbox/world-fixture.ts';

let fixture: WorldFixture;
beforeEach(async () => {
  fixture = await openWorldFixture();
});

const userOf = (id: number): UserRow => fixture.world.tables.users.get(id) as UserRow;
const exportToken = (key: AuthKey) => fixture.call(key, 'auth.exportLoginToken', loginParams);
const importToken = (key: AuthKey, token: unknown) => fixture.call(key, 'auth.importLoginToken', { token });
const rejected = (code: number, text: string) => ({ code, text });

describe('a login token', () => {
  it('expires after 30 seconds', async () => {
    const { token, expires } = await exportToken(fixture.key());
    expect(expires).toBe(fixture.clock.time / 1000 + 30);
    fixture.clock.time += 30_000;
    expect(() => acceptToken(fixture.world, userOf(1001), token)).toThrow('AUTH_TOKEN_EXPIRED');
    const again = await exportToken(fixture.key());
    fixture.clock.time += 29_999;
    expect(acceptToken(fixture.world, userOf(1001), again.token).acceptedBy).toBe(1001);
  });

  it('works once', async () => {
    const key = fixture.key();
    const { token } = await exportToken(key);
    acceptToken(fixture.world, userOf(1001), token);
    expect(() => acceptToken(fixture.world, userOf(1003), token)).toThrow('AUTH_TOKEN_ALREADY_ACCEPTED');
    expect(await exportToken(key)).toMatchObject({ _: 'auth.loginTokenSuccess' });
    await expect(importToken(fixture.key(), token)).rejects.toMatchObject(rejected(400, 'AUTH_TOKEN_ALREADY_ACCEPTED'));
  });

  it('logs in only the key that exported it', async () => {
    const key = fixture.key();
    const { token } = await exportToken(key);
    acceptToken(fixture.world, userOf(1001), token);
    expect(await exportToken(fixture.key())).toMatchObject({ _: 'auth.loginToken' });
    expect(fixture.pushed.map(({ keyIds, updates }) => [keyIds, updates.update])).toEqual([
      [[key.id], { _: 'updateLoginToken' }],
    ]);
  });

  it('is refused if it is unknown or excludes the user who scans it', async () => {
    expect(() => acceptToken(fixture.world, userOf(1001), Buffer.alloc(32))).toThrow('AUTH_TOKEN_INVALID');
    const { token } = await fixture.call(fixture.key(), 'auth.exportLoginToken', {
      ...loginParams,
      except_ids: [1001n],
    });
    expect(() => acceptToken(fixture.world, userOf(1001), token)).toThrow('AUTH_TOKEN_EXCEPTION');
  });

  it('requires the API ID and hash', async () => {
    const asking = fixture.call(fixture.key(), 'auth.exportLoginToken', { ...loginParams, api_hash: 'other' });
    await expect(asking).rejects.toMatchObject(rejected(400, 'API_ID_INVALID'));
  });

  it('sends the client to the data centre of the account', async () => {
    const key = fixture.key(2);
    const { token } = await exportToken(key);
    acceptToken(fixture.world, userOf(1002), token);
    const migrate = await exportToken(key);
    expect(migrate).toMatchObject({ _: 'auth.loginTokenMigrateTo', dc_id: 4 });
    expect(await importToken(fixture.key(3), migrate.token)).toMatchObject({ _: 'auth.loginTokenMigrateTo', dc_id: 4 });
    await expect(importToken(fixture.key(4), migrate.token)).rejects.toMatchObject(
      rejected(401, 'SESSION_PASSWORD_NEEDED'),
    );
  });
});

/** A device of Bob's that has to give the password. */
async function pendingKey(): Promise<AuthKey> {
  const key = fixture.key(4);
  const { token } = await exportToken(key);
  acceptToken(fixture.world, userOf(1002), token);
  await expect(exportToken(key)).rejects.toMatchObject(rejected(401, 'SESSION_PASSWORD_NEEDED'));
  return key;
}

/** The client's half of SRP: https://core.telegram.org/api/srp */
async function answer(question: TlObject, password: string): Promise<TlObject> {
  const { salt1, salt2 } = question.current_algo as { salt1: Buffer; salt2: Buffer };
  const x = await srpPasswordHash(password, salt1, salt2);
  const g = toBytes(BigInt(dhGenerator), 256);
  const k = toBigInt(sha256(dhPrime, g));
  const a = randomExponent();
  const A = toBytes(toBigInt(generatorPower(a)), 256);
  const B = question.srp_B as Buffer;
  const u = toBigInt(sha256(A, B));
  const base = (((toBigInt(B) - k * toBigInt(generatorPower(x))) % dhPrimeNumber) + dhPrimeNumber) % dhPrimeNumber;
  const exponent = toBigInt(a) + u * toBigInt(x);
  const K = sha256(toBytes(toBigInt(power(base, exponent)), 256));
  const M1 = sha256(xor(sha256(dhPrime), sha256(g)), sha256(salt1), sha256(salt2), A, B, K);
  return { _: 'inputCheckPasswordSRP', srp_id: question.srp_id, A, M1 };
}

function power(base: bigint, exponent: bigint): Buffer {
  return dhPower(toBytes(base), toBytes(exponent));
}

describe('the two-step password', () => {
  const give = async (key: AuthKey, password: string) => {
    const question = await fixture.call(key, 'account.getPassword');
    return fixture.call(key, 'auth.checkPassword', { password: await answer(question, password) });
  };

  it('accepts the right password and shows the hint', async () => {
    const key = await pendingKey();
    expect(await fixture.call(key, 'account.getPassword')).toMatchObject({ has_password: true, hint: 'the usual' });
    await expect(fixture.call(key, 'updates.getState')).rejects.toMatchObject(rejected(401, 'SESSION_PASSWORD_NEEDED'));
    expect(await give(key, 'hunter2')).toMatchObject({ _: 'auth.authorization', user: { id: 1002n } });
    expect(await fixture.call(key, 'updates.getState')).toMatchObject({ _: 'updates.state' });
  });

  it('accepts one answer for each challenge', async () => {
    const key = await pendingKey();
    const question = await fixture.call(key, 'account.getPassword');
    const wrong = await answer(question, 'hunter3');
    const check = () => fixture.call(key, 'auth.checkPassword', { password: wrong });
    await expect(check()).rejects.toMatchObject(rejected(400, 'PASSWORD_HASH_INVALID'));
    await expect(check()).rejects.toMatchObject(rejected(400, 'SRP_ID_INVALID'));
  });

  it('requires a wait after five wrong passwords, and accepts the right one afterwards', async () => {
    const key = await pendingKey();
    for (let mistake = 1; mistake <= 5; mistake += 1) {
      await expect(give(key, 'wrong')).rejects.toMatchObject(rejected(400, 'PASSWORD_HASH_INVALID'));
    }
    await expect(give(key, 'hunter2')).rejects.toMatchObject(rejected(420, 'FLOOD_WAIT_300'));
    fixture.clock.time += 300_000;
    expect(await give(key, 'hunter2')).toMatchObject({ _: 'auth.authorization' });
  });
});

describe('a device', () => {
  it('needs a login for most methods', async () => {
    const key = fixture.key();
    await expect(fixture.call(key, 'users.getUsers', { id: [] })).rejects.toMatchObject(
      rejected(401, 'AUTH_KEY_UNREGISTERED'),
    );
    expect(await fixture.call(key, 'help.getConfig')).toMatchObject({ this_dc: 2 });
  });

  it('is notified, disconnected and refused after it was removed, with its keys of other data centres', async () => {
    const key = await fixture.logIn(1001);
    const elsewhere = fixture.key(4);
    const exported = await fixture.call(key, 'auth.exportAuthorization', { dc_id: 4 });
    await fixture.call(elsewhere, 'auth.importAuthorization', { id: exported.id, bytes: exported.bytes });
    expect(devicesOf(fixture.world, 1001)).toHaveLength(1);
    for (const device of devicesOf(fixture.world, 1001)) revokeLogin(fixture.world, device);
    expect(fixture.pushed.at(-1)).toEqual({ keyIds: [key.id], updates: { _: 'updatesTooLong' } });
    expect(fixture.cut).toEqual([key.id, elsewhere.id]);
    for (const each of [key, elsewhere]) {
      await expect(fixture.call(each, 'updates.getState')).rejects.toMatchObject(rejected(401, 'SESSION_REVOKED'));
    }
    expect(await exportToken(key)).toMatchObject({ _: 'auth.loginToken' });
  });

  it('logs itself out', async () => {
    const key = await fixture.logIn(1001);
    expect(await fixture.call(key, 'auth.logOut')).toMatchObject({ _: 'auth.loggedOut' });
    await expect(fixture.call(key, 'updates.getState')).rejects.toMatchObject(rejected(401, 'AUTH_KEY_UNREGISTERED'));
  });

  it('lists the other devices and removes them', async () => {
    const [one, two] = [await fixture.logIn(1001), await fixture.logIn(1001)];
    const list = await fixture.call(one, 'account.getAuthorizations');
    expect(list.authorizations.map(({ current }: TlObject) => current)).toEqual([true, false]);
    const reset = (hash: unknown) => fixture.call(one, 'account.resetAuthorization', { hash });
    const fresh = rejected(406, 'FRESH_RESET_AUTHORISATION_FORBIDDEN');
    await expect(reset(list.authorizations[1].hash)).rejects.toMatchObject(fresh);
    await expect(fixture.call(one, 'auth.resetAuthorizations')).rejects.toMatchObject(fresh);
    fixture.clock.time += 24 * 3_600_000;
    await expect(reset(5n)).rejects.toMatchObject(rejected(400, 'HASH_INVALID'));
    await reset(list.authorizations[1].hash);
    await expect(fixture.call(two, 'updates.getState')).rejects.toMatchObject(rejected(401, 'SESSION_REVOKED'));
  });

  it('imports a login once, and only in the data centre that it was exported for', async () => {
    const key = await fixture.logIn(1001);
    const { id, bytes } = await fixture.call(key, 'auth.exportAuthorization', { dc_id: 4 });
    const load = (dc: number) => fixture.call(fixture.key(dc), 'auth.importAuthorization', { id, bytes });
    await expect(load(5)).rejects.toMatchObject(rejected(400, 'AUTH_BYTES_INVALID'));
    expect(await load(4)).toMatchObject({ _: 'auth.authorization' });
    await expect(load(4)).rejects.toMatchObject(rejected(400, 'AUTH_BYTES_INVALID'));
  });
});
