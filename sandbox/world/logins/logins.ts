import type { AuthKey } from '../../rpc.ts';
import type { LoginRow, UserRow } from '../state/rows.ts';
import type { World } from '../world.ts';

/** Makes a key a device of the account. If the account has a password, the login is pending until it is given. */
export function logIn(world: World, key: AuthKey, user: UserRow): LoginRow {
  return putLogin(world, key, user, {
    state: user.password === undefined ? 'active' : 'passwordPending',
    hash: (world.random(8).readBigInt64LE() | 1n).toString(),
    imported: false,
  });
}

/**
 * Makes a key of another data centre part of the login with this hash: both end together. If the account has moved to
 * that data centre, the key becomes the login's own one.
 */
export function importLogin(world: World, key: AuthKey, user: UserRow, hash: string): LoginRow {
  const isHome = key.dc === user.dc;
  for (const other of isHome ? world.tables.activeLogins(user.id) : []) {
    if (other.hash === hash && !other.imported) world.tables.logins.put({ ...other, imported: true });
  }
  return putLogin(world, key, user, { state: 'active', hash, imported: !isHome });
}

function putLogin(
  world: World,
  key: AuthKey,
  user: UserRow,
  fields: Pick<LoginRow, 'state' | 'hash' | 'imported'>,
): LoginRow {
  const now = world.now();
  return world.tables.logins.put({
    ...fields,
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

/** The devices of an account: its logins, except pending and imported ones. */
export function devicesOf(world: World, userId: number): LoginRow[] {
  return world.tables.activeLogins(userId).filter((login) => !login.imported);
}

/** The rows of all keys of a login. */
function rowsOfLogin(world: World, login: LoginRow): LoginRow[] {
  return [...world.tables.logins.values()].filter(
    (other) => other.userId === login.userId && other.hash === login.hash,
  );
}

/** Logs a device out at its own request. Its keys stay valid, without a login. */
export function logOut(world: World, login: LoginRow): void {
  for (const row of rowsOfLogin(world, login)) {
    world.tables.logins.delete(row.keyId);
    world.protocol?.retireKey(row.keyId);
  }
}

/**
 * Ends a login whose key is used from two addresses at the same time: from now on all calls with the key get 406
 * AUTH_KEY_DUPLICATED. Connected clients get `updatesTooLong`, so that they make one.
 */
export function endDuplicatedLogin(world: World, keyId: string): void {
  const login = world.tables.logins.get(keyId);
  if (login?.state !== 'active') return;
  world.protocol?.push([keyId], { _: 'updatesTooLong' });
  logOut(world, login);
  world.tables.logins.put({ ...login, state: 'duplicated' });
  world.flush();
}

/**
 * Removes a device from elsewhere: its calls get 401 SESSION_REVOKED from now on. It gets `updatesTooLong` and its
 * connections are cut: the next call of the client shows the error.
 */
export function revokeLogin(world: World, login: LoginRow): void {
  const rows = rowsOfLogin(world, login);
  world.protocol?.push([login.keyId], { _: 'updatesTooLong' });
  for (const row of rows) world.tables.logins.put({ ...row, state: 'revoked' });
  world.flush();
  world.protocol?.cut(rows.map((row) => row.keyId));
}
