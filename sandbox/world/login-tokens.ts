import { RpcError } from '../rpc.ts';
import type { TokenRow, UserRow } from './state/rows.ts';
import type { World } from './world.ts';

/** Telegram's QR tokens live 30 s: https://core.telegram.org/api/qr-login */
const tokenLifeSeconds = 30;
/** How long a used or expired token is remembered, so that a late scan is told what is wrong with it. */
const rememberedSeconds = 3_600;

export function issueToken(world: World, keyId: string, exceptIds: readonly bigint[]): TokenRow {
  const now = world.clock.now() / 1000;
  for (const old of world.tokens.values()) {
    if (old.expires + rememberedSeconds < now) world.tokens.delete(old.token);
  }
  return world.tokens.put({
    token: world.random(32).toString('hex'),
    keyId,
    expires: Math.floor(now) + tokenLifeSeconds,
    exceptIds: exceptIds.map(String),
  });
}

export function isExpired(world: World, token: TokenRow): boolean {
  return token.expires <= world.clock.now() / 1000;
}

/** The token that this key exported, that was scanned and has not been used yet. */
export function acceptedToken(world: World, keyId: string): TokenRow | undefined {
  for (const token of world.tokens.values()) {
    if (token.keyId === keyId && token.acceptedBy !== undefined && !token.used && !isExpired(world, token))
      return token;
  }
  return undefined;
}

/**
 * The user's phone scans a token and accepts.
 * @throws {RpcError} 400 AUTH_TOKEN_INVALID, AUTH_TOKEN_EXPIRED, AUTH_TOKEN_ALREADY_ACCEPTED, AUTH_TOKEN_EXCEPTION
 */
export function acceptToken(world: World, user: UserRow, bytes: Buffer): TokenRow {
  const token = world.tokens.get(bytes.toString('hex'));
  if (!token) throw new RpcError(400, 'AUTH_TOKEN_INVALID');
  if (token.acceptedBy !== undefined || token.used) throw new RpcError(400, 'AUTH_TOKEN_ALREADY_ACCEPTED');
  if (isExpired(world, token)) throw new RpcError(400, 'AUTH_TOKEN_EXPIRED');
  if (token.exceptIds.includes(String(user.id))) throw new RpcError(400, 'AUTH_TOKEN_EXCEPTION');
  token.acceptedBy = user.id;
  world.tokens.put(token);
  world.flush();
  const update = { _: 'updateShort', update: { _: 'updateLoginToken' }, date: world.now() };
  world.protocol?.push([token.keyId], update);
  return token;
}
