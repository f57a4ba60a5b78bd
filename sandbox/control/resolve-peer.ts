import { findByUsername } from '../world/find-peer.ts';
import { type PeerRef, parseMarkedPeerId, peerKey } from '../world/state/peer.ts';
import type { ChatRow, UserRow } from '../world/state/rows.ts';
import type { World } from '../world/world.ts';
import { ControlError } from './control-error.ts';

/** @throws {ControlError} 404 */
export function resolveAccount(world: World, userId: string): UserRow {
  const user = /^\d+$/.test(userId) ? world.tables.users.get(userId) : undefined;
  if (!user) throw new ControlError(404, 'account not found');
  return user;
}

/** `text`: a user ID, `-123…`, `-100…` or `@username`. @throws {ControlError} 400 */
export function resolvePeer(world: World, text: string): PeerRef {
  const peer = parseMarkedPeerId(text) ?? findByUsername(world, text.replace(/^@/, ''));
  const known =
    peer && (peer.kind === 'user' ? world.tables.users.get(peer.id) : world.tables.chats.get(peerKey(peer)));
  if (!peer || !known) throw new ControlError(400, 'peer not found');
  return peer;
}

/** As {@link resolvePeer}, for groups and channels. @throws {ControlError} 400 */
export function resolveChat(world: World, text: string): ChatRow {
  const chat = world.tables.chats.get(peerKey(resolvePeer(world, text)));
  if (!chat) throw new ControlError(400, 'not a group or channel');
  return chat;
}
