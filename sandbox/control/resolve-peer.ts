import { byUsername } from '../world/members.ts';
import { type PeerRef, parseMarkedPeerId, peerKey } from '../world/state/peer.ts';
import type { ChatRow, UserRow } from '../world/state/rows.ts';
import type { World } from '../world/world.ts';
import { ControlError } from './control-error.ts';

/** @throws {ControlError} 404 */
export function accountOf(world: World, userId: string): UserRow {
  const user = /^\d+$/.test(userId) ? world.users.get(userId) : undefined;
  if (!user) throw new ControlError(404, 'account not found');
  return user;
}

/** A user ID, `-123…`, `-100…` or `@username`. @throws {ControlError} 400 */
export function peerOf(world: World, text: string): PeerRef {
  const peer = parseMarkedPeerId(text) ?? byUsername(world, text.replace(/^@/, ''));
  const known = peer && (peer.kind === 'user' ? world.users.get(peer.id) : world.chats.get(peerKey(peer)));
  if (!peer || !known) throw new ControlError(400, 'peer not found');
  return peer;
}

/** @throws {ControlError} 400 */
export function chatOf(world: World, text: string): ChatRow {
  const chat = world.chats.get(peerKey(peerOf(world, text)));
  if (!chat) throw new ControlError(400, 'not a group or channel');
  return chat;
}

export function nameOf(user: UserRow): string {
  return [user.firstName, user.lastName].filter(Boolean).join(' ');
}
