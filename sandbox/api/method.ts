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

/** What a login may call in a data centre that its account has left: to follow it. */
const followMethod = 'auth.exportAuthorization';

/** @throws {RpcError} 303 USER_MIGRATE_X if the account has moved to another data centre since it logged in here */
export function requireHome({ call, login, me }: Caller): void {
  const isAway = !login.imported && me.dc !== call.dc;
  if (isAway && call.method !== followMethod) throw new RpcError(303, `USER_MIGRATE_${me.dc}`);
}

/** What a frozen account may not do; Telegram's own list is not published. */
const frozenMethods =
  /^(?:messages\.(?:send|edit|delete|set|forward)|stories\.(?:send|can|delete)|contacts\.(?:resolve|import|add|block))/;

/** @throws {RpcError} 420 FROZEN_METHOD_INVALID */
export function requireThawed({ call, me }: Caller): void {
  if (me.frozen && frozenMethods.test(call.method)) throw new RpcError(420, 'FROZEN_METHOD_INVALID');
}

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
