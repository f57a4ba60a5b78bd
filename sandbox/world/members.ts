import { type PeerRef, peerKey, userPeer } from './state/peer.ts';
import type { ChatRow, Member, UserRow } from './state/rows.ts';
import type { World } from './world.ts';

export function memberOf(chat: ChatRow, userId: number): Member | undefined {
  return chat.members[String(userId)];
}

export function wasKicked(chat: ChatRow, userId: number): boolean {
  return chat.kicked?.includes(userId) ?? false;
}

export function isAdmin(chat: ChatRow, userId: number): boolean {
  return memberOf(chat, userId)?.role !== undefined;
}

export function memberCount(chat: ChatRow): number {
  return Object.keys(chat.members).length;
}

/** The box whose IDs the messages of a chat have, as `userId` sees it. */
export function boxOf(userId: number, peer: PeerRef): string {
  return peer.kind === 'channel' ? peerKey(peer) : peerKey(userPeer(userId));
}

/** The phone number, where the viewer may know it. */
export function visiblePhone(viewer: number, user: UserRow): string | undefined {
  if (viewer === user.id) return user.phone;
  return user.phoneHidden ? undefined : user.phone;
}

/** Case does not matter. Users and channels share the names. */
export function byUsername(world: World, username: string): PeerRef | undefined {
  const wanted = username.toLowerCase();
  for (const user of world.users.values()) if (user.username?.toLowerCase() === wanted) return userPeer(user.id);
  for (const chat of world.chats.values())
    if (chat.username?.toLowerCase() === wanted) return { kind: chat.kind, id: chat.id };
  return undefined;
}

/** The user with this number whom `viewer` may find by it. */
export function byPhone(world: World, viewer: number, phone: string): UserRow | undefined {
  const digits = phone.replace(/\D/g, '');
  for (const user of world.users.values()) {
    if (digits !== '' && user.phone === digits && !user.deleted && visiblePhone(viewer, user) !== undefined)
      return user;
  }
  return undefined;
}

/** The viewer knows this person beyond a shared group: contact, private chat, or himself. */
export function isAcquainted(world: World, viewer: number, userId: number): boolean {
  if (viewer === userId) return true;
  if (world.users.get(viewer)?.contacts?.includes(userId)) return true;
  return world.history(peerKey(userPeer(viewer)), peerKey(userPeer(userId))).length > 0;
}
