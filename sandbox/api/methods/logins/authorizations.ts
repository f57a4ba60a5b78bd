import { RpcError, type TlObject } from '../../../rpc.ts';
import { devicesOf, importLogin, logOut, revokeLogin } from '../../../world/logins/logins.ts';
import { issueLogoutToken } from '../../../world/logins/logout-tokens.ts';
import type { LoginRow } from '../../../world/state/rows.ts';
import type { World } from '../../../world/world.ts';
import type { Caller, Method, OpenMethod } from '../../method.ts';
import { tlLoggedIn } from '../../objects/tl-logged-in.ts';

type Device = Pick<LoginRow, 'hash' | 'apiId' | 'model' | 'systemVersion' | 'appVersion' | 'created' | 'active'>;

/** The current device has hash 0: a client cannot remove it by its hash. */
export function tlAuthorization(device: Device, current: boolean): TlObject {
  return {
    _: 'authorization',
    current,
    hash: current ? 0n : BigInt(device.hash),
    device_model: device.model,
    platform: 'Desktop',
    system_version: device.systemVersion,
    api_id: device.apiId,
    app_name: 'Sandbox app',
    app_version: device.appVersion,
    date_created: device.created,
    date_active: device.active,
    ip: '127.0.0.1',
    country: 'Loopback',
    region: '',
  };
}

const getAuthorizations: Method = (_params, { world, me, login }) => ({
  _: 'account.authorizations',
  authorization_ttl_days: 180,
  authorizations: devicesOf(world, me.id).map((device) => tlAuthorization(device, device.hash === login.hash)),
});

/** A new device may not remove older ones: https://core.telegram.org/method/auth.resetAuthorizations */
const freshSeconds = 86_400;

/** @throws {RpcError} 406 FRESH_RESET_AUTHORISATION_FORBIDDEN */
function requireOldLogin({ world, login }: Caller): void {
  if (world.now() - login.created < freshSeconds) throw new RpcError(406, 'FRESH_RESET_AUTHORISATION_FORBIDDEN');
}

const resetAuthorization: Method = (params, caller) => {
  const { world, me, login } = caller;
  requireOldLogin(caller);
  const device = devicesOf(world, me.id).find(({ hash }) => BigInt(hash) === params['hash'] && hash !== login.hash);
  if (!device) throw new RpcError(400, 'HASH_INVALID');
  revokeLogin(world, device);
  return true;
};

const resetAuthorizations: Method = (_params, caller) => {
  const { world, me, login } = caller;
  requireOldLogin(caller);
  for (const device of devicesOf(world, me.id)) if (device.hash !== login.hash) revokeLogin(world, device);
  return true;
};

const logOutMethod: OpenMethod = (_params, { world, call }) => {
  const login = world.tables.logins.get(call.key.id);
  if (!login) throw new RpcError(401, 'AUTH_KEY_UNREGISTERED');
  logOut(world, login);
  if (login.state !== 'active') return { _: 'auth.loggedOut' };
  return { _: 'auth.loggedOut', future_auth_token: issueLogoutToken(world, login.userId) };
};

/** A login that was exported for a key of another data centre. */
interface ExportedLogin {
  userId: number;
  hash: string;
  dc: number;
}
/** Exports that were not imported yet. They are not stored: after a restart clients export again. */
const maxPendingExports = 1_000;
const exportsByWorld = new WeakMap<World, Map<string, ExportedLogin>>();

const exportAuthorization: Method = (params, { world, me, login, call }) => {
  const dc = Number(params['dc_id']);
  if (dc === call.dc || dc < 1 || dc > 5) throw new RpcError(400, 'DC_ID_INVALID');
  const bytes = world.random(64);
  const exported = exportsByWorld.get(world) ?? new Map<string, ExportedLogin>();
  exportsByWorld.set(world, exported.set(bytes.toString('hex'), { userId: me.id, hash: login.hash, dc }));
  const [oldest] = exported.keys();
  if (exported.size > maxPendingExports && oldest !== undefined) exported.delete(oldest);
  return { _: 'auth.exportedAuthorization', id: BigInt(me.id), bytes };
};

const importAuthorization: OpenMethod = (params, { world, call }) => {
  const bytes = (params['bytes'] as Buffer).toString('hex');
  const exported = exportsByWorld.get(world)?.get(bytes);
  if (!exported || BigInt(exported.userId) !== params['id']) throw new RpcError(400, 'AUTH_BYTES_INVALID');
  if (exported.dc !== call.dc) throw new RpcError(400, 'AUTH_BYTES_INVALID');
  exportsByWorld.get(world)?.delete(bytes);
  const user = world.tables.users.get(exported.userId);
  if (!user) throw new RpcError(400, 'USER_ID_INVALID');
  importLogin(world, call.key, user, exported.hash);
  return tlLoggedIn(world, user.id);
};

const dropTemporaryKeys: OpenMethod = (params, { world, call }) => {
  const kept = (params['except_auth_keys'] as bigint[]).map((id) => {
    const bytes = Buffer.alloc(8);
    bytes.writeBigInt64LE(id);
    return bytes.toString('hex');
  });
  world.protocol?.forgetTemporaryKeys(call.key.id, new Set(kept));
  return true;
};

export const authorizationOpenMethods: Record<string, OpenMethod> = {
  'auth.dropTempAuthKeys': dropTemporaryKeys,
  'auth.logOut': logOutMethod,
  'auth.importAuthorization': importAuthorization,
};
export const authorizationMethods: Record<string, Method> = {
  'auth.exportAuthorization': exportAuthorization,
  'auth.resetAuthorizations': resetAuthorizations,
  'account.getAuthorizations': getAuthorizations,
  'account.resetAuthorization': resetAuthorization,
};
