import { type AuthKey, RpcError, type TlObject } from '../../../rpc.ts';
import { logIn } from '../../../world/logins/logins.ts';
import type { UserRow } from '../../../world/state/rows.ts';
import type { World } from '../../../world/world.ts';
import { tlLoggedIn } from '../../objects/tl-logged-in.ts';
import { announceLogin } from '../../push/push-service-messages.ts';

/**
 * Makes the key a device of the account, and tells its other devices.
 * @throws {RpcError} 401 SESSION_PASSWORD_NEEDED if the login waits for the password
 */
export function completeLogin(world: World, key: AuthKey, user: UserRow): TlObject {
  const login = logIn(world, key, user);
  if (login.state === 'passwordPending') throw new RpcError(401, 'SESSION_PASSWORD_NEEDED');
  announceLogin(world, user, login);
  return tlLoggedIn(world, user.id);
}
