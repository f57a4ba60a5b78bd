import { visiblePhone } from './privacy.ts';
import { type PeerRef, userPeer } from './state/peer.ts';
import type { UserRow } from './state/rows.ts';
import type { World } from './world.ts';

/** 5 to 32 letters, digits and underscores, a letter first: https://core.telegram.org/method/account.updateUsername */
export const usernamePattern = /^[a-z](?!.*__)\w{3,30}[a-z0-9]$/i;

/** The user, group or channel with this username or alias, in any case. */
export function findByUsername(world: World, username: string): PeerRef | undefined {
  const wanted = username.toLowerCase();
  for (const user of world.tables.users.values()) {
    if (user.username?.toLowerCase() === wanted || user.aliases?.includes(wanted)) return userPeer(user.id);
  }
  for (const chat of world.tables.chats.values()) {
    if (chat.username?.toLowerCase() === wanted) return { kind: chat.kind, id: chat.id };
  }
  return undefined;
}

/** The user with this phone number, unless the number is hidden from the viewer. */
export function findByPhone(world: World, viewer: number, phone: string): UserRow | undefined {
  const digits = phone.replace(/\D/g, '');
  if (digits === '') return undefined;
  for (const user of world.tables.users.values()) {
    if (user.phone === digits && !user.deleted && visiblePhone(viewer, user) !== undefined) return user;
  }
  return undefined;
}
