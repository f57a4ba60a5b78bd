import { RpcError, type TlObject } from '../../rpc.ts';
import type { World } from '../../world/world.ts';
import { tlUser } from './tl-user.ts';

/** The answer that completes a login. */
export function tlLoggedIn(world: World, userId: number): TlObject {
  const user = world.tables.users.get(userId);
  if (!user) throw new RpcError(401, 'AUTH_KEY_UNREGISTERED');
  return { _: 'auth.authorization', user: tlUser(world, userId, user) };
}
