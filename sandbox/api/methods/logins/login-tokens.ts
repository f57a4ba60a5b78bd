import { RpcError, type TlObject } from '../../../rpc.ts';
import { acceptedToken, acceptToken, isExpired, issueToken } from '../../../world/logins/login-tokens.ts';
import type { TokenRow } from '../../../world/state/rows.ts';
import type { World } from '../../../world/world.ts';
import type { Method, OpenMethod } from '../../method.ts';
import { tlLoggedIn } from '../../objects/tl-logged-in.ts';
import { requireApiCredentials } from './api-credentials.ts';
import { tlAuthorization } from './authorizations.ts';
import { completeLogin } from './complete-login.ts';

const exportLoginToken: OpenMethod = (params, { world, call }) => {
  requireApiCredentials(params);
  const login = world.tables.logins.get(call.key.id);
  if (login?.state === 'active') {
    const user = world.tables.users.get(login.userId);
    if (user) return tlLoginSuccess(tlLoggedIn(world, user.id));
  }
  if (login?.state === 'passwordPending') throw new RpcError(401, 'SESSION_PASSWORD_NEEDED');
  const accepted = acceptedToken(world, call.key.id);
  if (accepted) return useToken(world, call, accepted);
  const token = issueToken(world, call.key.id, (params['except_ids'] ?? []) as bigint[]);
  return { _: 'auth.loginToken', expires: token.expires, token: Buffer.from(token.token, 'hex') };
};

/** Called in the account's data centre, by a client that `auth.loginTokenMigrateTo` has sent there. */
const importLoginToken: OpenMethod = (params, { world, call }) => {
  const token = world.tables.tokens.get((params['token'] as Buffer).toString('hex'));
  if (!token) throw new RpcError(400, 'AUTH_TOKEN_INVALID');
  if (token.used) throw new RpcError(400, 'AUTH_TOKEN_ALREADY_ACCEPTED');
  if (isExpired(world, token)) throw new RpcError(400, 'AUTH_TOKEN_EXPIRED');
  if (token.acceptedBy === undefined) throw new RpcError(400, 'AUTH_TOKEN_INVALID');
  return useToken(world, call, token);
};

/** A logged-in device acts as the phone. */
const acceptLoginToken: Method = (params, { world, me }) => {
  const token = acceptToken(world, me, params['token'] as Buffer);
  const key = world.tables.keys.get(token.keyId);
  return tlAuthorization(
    {
      hash: '0',
      apiId: key?.device?.apiId ?? 0,
      model: key?.device?.model ?? '',
      systemVersion: key?.device?.systemVersion ?? '',
      appVersion: key?.device?.appVersion ?? '',
      created: world.now(),
      active: world.now(),
    },
    false,
  );
};

function useToken(world: World, call: Parameters<OpenMethod>[1]['call'], token: TokenRow): TlObject {
  const user = world.tables.users.get(String(token.acceptedBy));
  if (!user) throw new RpcError(400, 'AUTH_TOKEN_INVALID');
  if (user.dc !== call.dc) {
    return { _: 'auth.loginTokenMigrateTo', dc_id: user.dc, token: Buffer.from(token.token, 'hex') };
  }
  world.tables.tokens.put({ ...token, used: true });
  return tlLoginSuccess(completeLogin(world, call.key, user));
}

function tlLoginSuccess(authorization: TlObject): TlObject {
  return { _: 'auth.loginTokenSuccess', authorization };
}

export const loginTokenOpenMethods: Record<string, OpenMethod> = {
  'auth.exportLoginToken': exportLoginToken,
  'auth.importLoginToken': importLoginToken,
};
export const loginTokenMethods: Record<string, Method> = { 'auth.acceptLoginToken': acceptLoginToken };
