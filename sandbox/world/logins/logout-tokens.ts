import type { UserRow } from '../state/rows.ts';
import type { World } from '../world.ts';

/** A client keeps up to 20: https://core.telegram.org/api/auth#future-auth-tokens */
const keptForUser = 20;

/** A token with which the client that logs out may log in again without a code. */
export function issueLogoutToken(world: World, userId: number): Buffer {
  const token = world.random(32);
  const own = [...world.tables.logoutTokens.values()].filter((row) => row.userId === userId);
  for (const { token: old } of own.slice(0, -(keptForUser - 1))) world.tables.logoutTokens.delete(old);
  world.tables.logoutTokens.put({ token: token.toString('hex'), userId });
  return token;
}

/** Uses up one of these tokens, if one is the user's. */
export function takeLogoutToken(world: World, user: UserRow, tokens: readonly Buffer[]): boolean {
  for (const bytes of tokens) {
    const row = world.tables.logoutTokens.get(bytes.toString('hex'));
    if (row?.userId !== user.id) continue;
    world.tables.logoutTokens.delete(row.token);
    return true;
  }
  return false;
}
