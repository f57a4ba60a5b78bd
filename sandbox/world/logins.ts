import type { AuthKey } from '../rpc.ts';
import type { LoginRow, UserRow } from './state/rows.ts';
import type { World } from './world.ts';

/** A key becomes a device of this account; with a password set it waits for that first. */
export function logIn(world: World, key: AuthKey, user: UserRow, passwordGiven: boolean): LoginRow {
  const pending = user.password !== undefined && !passwordGiven;
  return putLogin(world, key, user, {
    state: pending ? 'passwordPending' : 'active',
    hash: (world.random(8).readBigInt64LE() | 1n).toString(),
    imported: false,
  });
}

/** A key of another data centre takes part in a login: it ends with it. */
export function importLogin(world: World, key: AuthKey, user: UserRow, hash: string): LoginRow {
  return putLogin(world, key, user, { state: 'active', hash, imported: true });
}

function putLogin(
  world: World,
  key: AuthKey,
  user: UserRow,
  of: Pick<LoginRow, 'state' | 'hash' | 'imported'>,
): LoginRow {
  const now = world.now();
  return world.logins.put({
    ...of,
    keyId: key.id,
    userId: user.id,
    dc: key.dc,
    created: now,
    active: now,
    apiId: key.device?.apiId ?? 0,
    model: key.device?.model ?? '',
    systemVersion: key.device?.systemVersion ?? '',
    appVersion: key.device?.appVersion ?? '',
  });
}

/** The devices of an account: its logins, those that wait for a password and imported ones aside. */
export function devicesOf(world: World, userId: number): LoginRow[] {
  return world.activeLogins(userId).filter((login) => !login.imported);
}

/** Every key of a login. */
function keysOfLogin(world: World, login: LoginRow): LoginRow[] {
  return [...world.logins.values()].filter((other) => other.userId === login.userId && other.hash === login.hash);
}

/** The device logs itself out: its keys are nobody's again. */
export function logOut(world: World, login: LoginRow): void {
  for (const row of keysOfLogin(world, login)) world.logins.delete(row.keyId);
}

/**
 * The device is removed from elsewhere: its calls are answered 401 SESSION_REVOKED from now on. It is told that
 * something happened, and its connections are cut, so that it finds out.
 */
export function revokeLogin(world: World, login: LoginRow): void {
  const rows = keysOfLogin(world, login);
  world.protocol?.push([login.keyId], { _: 'updatesTooLong' });
  for (const row of rows) world.logins.put({ ...row, state: 'revoked' });
  world.flush();
  world.protocol?.cut(rows.map((row) => row.keyId));
}
