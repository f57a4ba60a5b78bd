import { peerKey, userPeer } from './state/peer.ts';
import type { UserRow } from './state/rows.ts';
import type { World } from './world.ts';

/** The phone number; undefined if the user hides it from this viewer. */
export function visiblePhone(viewer: number, user: UserRow): string | undefined {
  if (viewer === user.id) return user.phone;
  return user.phoneHidden ? undefined : user.phone;
}

/** Whether the viewer knows the user from more than a shared group: as a contact, or from a private chat. */
export function hasMet(world: World, viewer: number, userId: number): boolean {
  if (viewer === userId) return true;
  if (world.tables.users.get(viewer)?.contacts?.includes(userId)) return true;
  return world.tables.history(peerKey(userPeer(viewer)), peerKey(userPeer(userId))).length > 0;
}
