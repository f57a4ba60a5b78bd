import type { TlObject } from '../../rpc.ts';
import { hasMet } from '../../world/privacy.ts';
import { userPeer } from '../../world/state/peer.ts';
import type { World } from '../../world/world.ts';
import { MentionedPeers } from '../objects/mentioned-peers.ts';
import { tlUpdates } from '../objects/tl-update.ts';

/** Telegram's clients say every five minutes that they are still online. */
const onlineSeconds = 300;

/**
 * Pushes to those who know a user that the user is online, or no longer. It has no `pts`: a client that misses it never gets
 * it. https://core.telegram.org/constructor/updateUserStatus
 */
export function pushStatus(world: World, userId: number, isOnline: boolean): void {
  const now = world.now();
  const status: TlObject = isOnline
    ? { _: 'userStatusOnline', expires: now + onlineSeconds }
    : { _: 'userStatusOffline', was_online: now };
  const viewers = new Set([...world.tables.logins.values()].map((login) => login.userId));
  for (const viewer of viewers) {
    if (viewer === userId || !hasMet(world, viewer, userId) || world.tables.activeLogins(viewer).length === 0) continue;
    const update: TlObject = { _: 'updateUserStatus', user_id: BigInt(userId), status };
    world.push(
      viewer,
      tlUpdates(world, [update], new MentionedPeers(world, viewer, true).add(userPeer(userId)).lists()),
    );
  }
}
