import type { TlObject } from '../../rpc.ts';
import { noteEvent } from '../events.ts';
import type { EventRow } from '../state/message-rows.ts';
import type { PeerRef } from '../state/peer.ts';
import type { World } from '../world.ts';

const counterOf = (bot: number): string => `qts:${bot}`;

/** The number of a user's last update that has a `qts`; 0 without any. */
export const qtsOf = (world: World, userId: number): number => world.tables.meta.get(counterOf(userId))?.value ?? 0;

/** Numbers an update for a bot, and keeps it for its devices that are away. Undefined if it has none. */
export function noteBotUpdate(
  world: World,
  bot: number,
  update: TlObject,
  peers: readonly PeerRef[],
): EventRow | undefined {
  if (world.tables.activeLogins(bot).length === 0) return undefined;
  const qts = qtsOf(world, bot) + 1;
  world.tables.meta.put({ name: counterOf(bot), value: qts });
  return noteEvent(world, bot, { ...update, qts }, peers);
}

export const isBot = (world: World, userId: number): boolean => world.tables.users.get(userId)?.bot === true;
