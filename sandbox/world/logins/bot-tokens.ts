import type { UserRow } from '../state/rows.ts';
import type { World } from '../world.ts';

/** The token of a bot: its ID and 35 characters, the same in every run. */
export function botToken(world: World, bot: UserRow): string {
  const secret = world.derive('bot token', bot.id).toString('base64url').slice(0, 33);
  return `${bot.id}:AA${secret}`;
}

/** The bot that has this token. */
export function botOfToken(world: World, token: string): UserRow | undefined {
  const bot = world.tables.users.get(token.split(':')[0] ?? '');
  return bot?.bot && !bot.deleted && botToken(world, bot) === token ? bot : undefined;
}
