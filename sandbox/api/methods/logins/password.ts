import { dhGenerator, dhPrime } from '../../../crypto/dh.ts';
import { RpcError, type TlObject } from '../../../rpc.ts';
import { checkPassword, issuePasswordChallenge } from '../../../world/logins/passwords.ts';
import type { LoginRow, UserRow } from '../../../world/state/rows.ts';
import type { World } from '../../../world/world.ts';
import type { OpenMethod } from '../../method.ts';
import { tlLoggedIn } from '../../objects/tl-logged-in.ts';
import { announceLogin } from '../../push/push-service-messages.ts';

/** The login of this key, which may be pending. @throws {RpcError} 401 */
export function requireKnownLogin(world: World, keyId: string): { login: LoginRow; user: UserRow } {
  const login = world.tables.logins.get(keyId);
  if (login?.state === 'revoked') throw new RpcError(401, 'SESSION_REVOKED');
  const user = login && world.tables.users.get(login.userId);
  if (!login || !user) throw new RpcError(401, 'AUTH_KEY_UNREGISTERED');
  return { login, user };
}

const tlPasswordAlgorithm = (salt1: Buffer, salt2: Buffer): TlObject => ({
  _: 'passwordKdfAlgoSHA256SHA256PBKDF2HMACSHA512iter100000SHA256ModPow',
  salt1,
  salt2,
  g: dhGenerator,
  p: dhPrime,
});

/** Works for pending and active logins. */
const getPassword: OpenMethod = (_params, { world, call }) => {
  const { user } = requireKnownLogin(world, call.key.id);
  const common = {
    _: 'account.password',
    new_algo: tlPasswordAlgorithm(world.random(8), world.random(16)),
    new_secure_algo: { _: 'securePasswordKdfAlgoSHA512', salt: world.random(8) },
    secure_random: world.random(256),
  };
  const challenge = issuePasswordChallenge(world, call.key.id, user);
  if (!challenge || !user.password) return common;
  return {
    ...common,
    has_password: true,
    has_recovery: user.email !== undefined,
    current_algo: tlPasswordAlgorithm(user.password.verifier.salt1, user.password.verifier.salt2),
    srp_B: challenge.B,
    srp_id: challenge.id,
    hint: user.password.hint || undefined,
  };
};

const checkPasswordMethod: OpenMethod = (params, { world, call }) => {
  const { login, user } = requireKnownLogin(world, call.key.id);
  const password = params['password'] as TlObject;
  if (password._ !== 'inputCheckPasswordSRP') throw new RpcError(400, 'PASSWORD_HASH_INVALID');
  checkPassword(world, call.key.id, user, { srpId: password['srp_id'], A: password['A'], M1: password['M1'] });
  return activateLogin(world, login, user);
};

/** Completes a login that has waited for the password, and tells the other devices of the account. */
export function activateLogin(world: World, login: LoginRow, user: UserRow): TlObject {
  const active = world.tables.logins.put({ ...login, state: 'active', active: world.now() });
  if (login.state === 'passwordPending') announceLogin(world, user, active);
  return tlLoggedIn(world, user.id);
}

export const passwordOpenMethods: Record<string, OpenMethod> = {
  'account.getPassword': getPassword,
  'auth.checkPassword': checkPasswordMethod,
};
