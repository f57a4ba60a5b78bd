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
import { acceptToken } from '../../../../sandbox/world/login-tokens.ts';
import { devicesOf, revokeLogin } from '../../../../sandbox/world/logins.ts';
import type { UserRow } from '../../../../sandbox/world/state/rows.ts';
import { type Bench, loginParams, openBench } from '../../../support/sandbox/world-fixture.ts';

let bench: Bench;
beforeEach(async () => {
  bench = await openBench();
});

const userOf = (id: number): UserRow => bench.world.tables.users.get(id) as UserRow;
const exportToken = (key: AuthKey) => bench.call(key, 'auth.exportLoginToken', loginParams);
const importToken = (key: AuthKey, token: unknown) => bench.call(key, 'auth.importLoginToken', { token });
const rejected = (code: number, text: string) => ({ code, text });

describe('a login token', () => {
  it('lives 30 seconds and not one more', async () => {
    const { token, expires } = await exportToken(bench.key());
    expect(expires).toBe(bench.clock.time / 1000 + 30);
    bench.clock.time += 30_000;
    expect(() => acceptToken(bench.world, userOf(1001), token)).toThrow('AUTH_TOKEN_EXPIRED');
    const again = await exportToken(bench.key());
    bench.clock.time += 29_999;
    expect(acceptToken(bench.world, userOf(1001), again.token).acceptedBy).toBe(1001);
  });

  it('works once', async () => {
    const key = bench.key();
    const { token } = await exportToken(key);
    acceptToken(bench.world, userOf(1001), token);
    expect(() => acceptToken(bench.world, userOf(1003), token)).toThrow('AUTH_TOKEN_ALREADY_ACCEPTED');
    expect(await exportToken(key)).toMatchObject({ _: 'auth.loginTokenSuccess' });
    await expect(importToken(bench.key(), token)).rejects.toMatchObject(rejected(400, 'AUTH_TOKEN_ALREADY_ACCEPTED'));
  });

  it('logs in the key that exported it and no other', async () => {
    const key = bench.key();
    const { token } = await exportToken(key);
    acceptToken(bench.world, userOf(1001), token);
    expect(await exportToken(bench.key())).toMatchObject({ _: 'auth.loginToken' });
    expect(bench.pushed.map(({ keyIds, updates }) => [keyIds, updates.update])).toEqual([
      [[key.id], { _: 'updateLoginToken' }],
    ]);
  });

  it('must be known, and not be refused to the one who scans', async () => {
    expect(() => acceptToken(bench.world, userOf(1001), Buffer.alloc(32))).toThrow('AUTH_TOKEN_INVALID');
    const { token } = await bench.call(bench.key(), 'auth.exportLoginToken', { ...loginParams, except_ids: [1001n] });
    expect(() => acceptToken(bench.world, userOf(1001), token)).toThrow('AUTH_TOKEN_EXCEPTION');
  });

  it('asks for the API id and hash', async () => {
    const asking = bench.call(bench.key(), 'auth.exportLoginToken', { ...loginParams, api_hash: 'other' });
    await expect(asking).rejects.toMatchObject(rejected(400, 'API_ID_INVALID'));
  });

  it('sends the device to where the account lives', async () => {
    const key = bench.key(2);
    const { token } = await exportToken(key);
    acceptToken(bench.world, userOf(1002), token);
    const migrate = await exportToken(key);
    expect(migrate).toMatchObject({ _: 'auth.loginTokenMigrateTo', dc_id: 4 });
    expect(await importToken(bench.key(3), migrate.token)).toMatchObject({ _: 'auth.loginTokenMigrateTo', dc_id: 4 });
    await expect(importToken(bench.key(4), migrate.token)).rejects.toMatchObject(
      rejected(401, 'SESSION_PASSWORD_NEEDED'),
    );
  });
});

/** Bob's device, which waits for the password. */
async function pendingKey(): Promise<AuthKey> {
  const key = bench.key(4);
  const { token } = await exportToken(key);
  acceptToken(bench.world, userOf(1002), token);
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
    const question = await bench.call(key, 'account.getPassword');
    return bench.call(key, 'auth.checkPassword', { password: await answer(question, password) });
  };

  it('lets the right one in and shows the hint', async () => {
    const key = await pendingKey();
    expect(await bench.call(key, 'account.getPassword')).toMatchObject({ has_password: true, hint: 'the usual' });
    await expect(bench.call(key, 'updates.getState')).rejects.toMatchObject(rejected(401, 'SESSION_PASSWORD_NEEDED'));
    expect(await give(key, 'hunter2')).toMatchObject({ _: 'auth.authorization', user: { id: 1002n } });
    expect(await bench.call(key, 'updates.getState')).toMatchObject({ _: 'updates.state' });
  });

  it('asks each question once', async () => {
    const key = await pendingKey();
    const question = await bench.call(key, 'account.getPassword');
    const wrong = await answer(question, 'hunter3');
    const check = () => bench.call(key, 'auth.checkPassword', { password: wrong });
    await expect(check()).rejects.toMatchObject(rejected(400, 'PASSWORD_HASH_INVALID'));
    await expect(check()).rejects.toMatchObject(rejected(400, 'SRP_ID_INVALID'));
  });

  it('makes one wait after five wrong ones, and takes the right one afterwards', async () => {
    const key = await pendingKey();
    for (let mistake = 1; mistake <= 5; mistake += 1) {
      await expect(give(key, 'wrong')).rejects.toMatchObject(rejected(400, 'PASSWORD_HASH_INVALID'));
    }
    await expect(give(key, 'hunter2')).rejects.toMatchObject(rejected(420, 'FLOOD_WAIT_300'));
    bench.clock.time += 300_000;
    expect(await give(key, 'hunter2')).toMatchObject({ _: 'auth.authorization' });
  });
});

describe('a device', () => {
  it('needs a login for what is not open to all', async () => {
    const key = bench.key();
    await expect(bench.call(key, 'users.getUsers', { id: [] })).rejects.toMatchObject(
      rejected(401, 'AUTH_KEY_UNREGISTERED'),
    );
    expect(await bench.call(key, 'help.getConfig')).toMatchObject({ this_dc: 2 });
  });

  it('is told, cut off and refused once it is removed, with the keys it made elsewhere', async () => {
    const key = await bench.logIn(1001);
    const elsewhere = bench.key(4);
    const exported = await bench.call(key, 'auth.exportAuthorization', { dc_id: 4 });
    await bench.call(elsewhere, 'auth.importAuthorization', { id: exported.id, bytes: exported.bytes });
    expect(devicesOf(bench.world, 1001)).toHaveLength(1);
    for (const device of devicesOf(bench.world, 1001)) revokeLogin(bench.world, device);
    expect(bench.pushed.at(-1)).toEqual({ keyIds: [key.id], updates: { _: 'updatesTooLong' } });
    expect(bench.cut).toEqual([key.id, elsewhere.id]);
    for (const each of [key, elsewhere]) {
      await expect(bench.call(each, 'updates.getState')).rejects.toMatchObject(rejected(401, 'SESSION_REVOKED'));
    }
    expect(await exportToken(key)).toMatchObject({ _: 'auth.loginToken' });
  });

  it('logs itself out', async () => {
    const key = await bench.logIn(1001);
    expect(await bench.call(key, 'auth.logOut')).toMatchObject({ _: 'auth.loggedOut' });
    await expect(bench.call(key, 'updates.getState')).rejects.toMatchObject(rejected(401, 'AUTH_KEY_UNREGISTERED'));
  });

  it('sees the others and removes them', async () => {
    const [one, two] = [await bench.logIn(1001), await bench.logIn(1001)];
    const list = await bench.call(one, 'account.getAuthorizations');
    expect(list.authorizations.map(({ current }: TlObject) => current)).toEqual([true, false]);
    await bench.call(one, 'account.resetAuthorization', { hash: list.authorizations[1].hash });
    await expect(bench.call(two, 'updates.getState')).rejects.toMatchObject(rejected(401, 'SESSION_REVOKED'));
  });

  it('imports a login once, and only where it was meant for', async () => {
    const key = await bench.logIn(1001);
    const { id, bytes } = await bench.call(key, 'auth.exportAuthorization', { dc_id: 4 });
    const load = (dc: number) => bench.call(bench.key(dc), 'auth.importAuthorization', { id, bytes });
    await expect(load(5)).rejects.toMatchObject(rejected(400, 'AUTH_BYTES_INVALID'));
    expect(await load(4)).toMatchObject({ _: 'auth.authorization' });
    await expect(load(4)).rejects.toMatchObject(rejected(400, 'AUTH_BYTES_INVALID'));
  });
});
