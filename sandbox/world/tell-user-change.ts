import { type Change, recordNotices } from './notices.ts';
import { hasMet } from './privacy.ts';
import type { NoticeRow } from './state/chat-rows.ts';
import { userPeer } from './state/peer.ts';
import type { World } from './world.ts';

/**
 * Records that a user has another name (`userName`), or that something else about the user has changed (`user`): for the
 * user's own devices, and for those who know the user. https://core.telegram.org/constructor/updateUserName
 */
export function tellUserChange(
  world: World,
  userId: number,
  kind: Extract<NoticeRow['kind'], `user${string}`>,
): Change {
  const loggedIn = new Set([...world.tables.logins.values()].map((login) => login.userId));
  const viewers = [...loggedIn].filter((viewer) => hasMet(world, viewer, userId));
  return { updates: [], notices: recordNotices(world, kind, userPeer(userId), viewers) };
}
