import { RpcError } from '../../rpc.ts';
import type { TokenRow, UserRow } from '../state/rows.ts';
import type { World } from '../world.ts';

/** Telegram's QR tokens expire after 30 s: https://core.telegram.org/api/qr-login */
const tokenLifetimeSeconds = 30;
/** How long used and expired tokens are kept: a late scan then gets an error that names the reason. */
const keptAfterExpirySeconds = 3_600;

/** A new token for this key. `exceptIds`: users who may not accept it, since they are logged in on the device. */
export function issueToken(world: World, keyId: string, exceptIds: readonly bigint[]): TokenRow {
  const now = world.clock.now() / 1000;
  for (const old of world.tables.tokens.values()) {
    if (old.expires + keptAfterExpirySeconds < now) world.tables.tokens.delete(old.token);
  }
  return world.tables.tokens.put({
    token: world.random(32).toString('hex'),
    keyId,
    expires: Math.floor(now) + tokenLifetimeSeconds,
    exceptIds: exceptIds.map(String),
  });
}

export function isExpired(world: World, token: TokenRow): boolean {
  return token.expires <= world.clock.now() / 1000;
}

/** The token that this key exported and a phone accepted, if it is neither used nor expired. */
export function acceptedToken(world: World, keyId: string): TokenRow | undefined {
  for (const token of world.tables.tokens.values()) {
    if (token.keyId === keyId && token.acceptedBy !== undefined && !token.used && !isExpired(world, token))
      return token;
  }
  return undefined;
}

/**
 * The user's phone scans a token and accepts the login.
 * @throws {RpcError} 400 AUTH_TOKEN_INVALID, AUTH_TOKEN_EXPIRED, AUTH_TOKEN_ALREADY_ACCEPTED, AUTH_TOKEN_EXCEPTION
 */
export function acceptToken(world: World, user: UserRow, bytes: Buffer): TokenRow {
  const token = world.tables.tokens.get(bytes.toString('hex'));
  if (!token) throw new RpcError(400, 'AUTH_TOKEN_INVALID');
  if (token.acceptedBy !== undefined || token.used) throw new RpcError(400, 'AUTH_TOKEN_ALREADY_ACCEPTED');
  if (isExpired(world, token)) throw new RpcError(400, 'AUTH_TOKEN_EXPIRED');
  if (token.exceptIds.includes(String(user.id))) throw new RpcError(400, 'AUTH_TOKEN_EXCEPTION');
  token.acceptedBy = user.id;
  world.tables.tokens.put(token);
  world.flush();
  const update = { _: 'updateShort', update: { _: 'updateLoginToken' }, date: world.now() };
  world.protocol?.push([token.keyId], update);
  return token;
}
