import { type RpcCall, RpcError, type TlObject, type TlResult } from '../rpc.ts';
import type { LoginRow, UserRow } from '../world/state/rows.ts';
import type { World } from '../world/world.ts';

/** The logged-in user who makes a call. */
export interface Caller {
  readonly world: World;
  readonly call: RpcCall;
  readonly me: UserRow;
  readonly login: LoginRow;
}

/** A method of the API that needs a login. */
export type Method = (params: TlObject, caller: Caller) => TlResult | Promise<TlResult>;
/** A method that works without a login. */
export type OpenMethod = (params: TlObject, context: { world: World; call: RpcCall }) => TlResult | Promise<TlResult>;

/** @throws {RpcError} 401 if the key has no active login; the name says why */
export function requireLogin(world: World, call: RpcCall): Caller {
  const login = world.tables.logins.get(call.key.id);
  if (login?.state === 'revoked') throw new RpcError(401, 'SESSION_REVOKED');
  if (login?.state === 'passwordPending') throw new RpcError(401, 'SESSION_PASSWORD_NEEDED');
  const me = login && world.tables.users.get(login.userId);
  if (!me) throw new RpcError(401, 'AUTH_KEY_UNREGISTERED');
  if (me.deleted) throw new RpcError(401, 'USER_DEACTIVATED');
  return { world, call, me, login };
}
