import { RpcError } from '../../rpc.ts';
import { memberOf } from '../chats/members.ts';
import { banOf, defaultBannedOf, isBannedFrom, requireAdminRight } from '../chats/rights.ts';
import { dialogOf } from '../dialogs.ts';
import { type PeerRef, peerKey } from '../state/peer.ts';
import type { World } from '../world.ts';

/** @throws {RpcError} Telegram's error if `from` may not write to the peer */
export function requireWritePermission(world: World, from: number, peer: PeerRef): void {
  if (peer.kind === 'user') return requireUserAccepts(world, from, peer.id);
  const chat = world.tables.chats.get(peerKey(peer));
  if (!chat) throw new RpcError(400, 'PEER_ID_INVALID');
  const member = memberOf(chat, from);
  if (chat.kind === 'chat') {
    if (!member || chat.migratedTo !== undefined) throw new RpcError(400, 'PEER_ID_INVALID');
    if (isBannedFrom(world, chat, from, 'send_messages')) throw new RpcError(403, 'CHAT_WRITE_FORBIDDEN');
    return;
  }
  if (!member)
    throw new RpcError(chat.username ? 403 : 400, chat.username ? 'CHAT_WRITE_FORBIDDEN' : 'CHANNEL_PRIVATE');
  if (!chat.megagroup) return requireAdminRight(chat, from, 'post_messages');
  if (member.role) return;
  if (banOf(world, chat, from)?.rights.includes('send_messages')) throw new RpcError(400, 'USER_BANNED_IN_CHANNEL');
  if (defaultBannedOf(chat).includes('send_messages')) throw new RpcError(403, 'CHAT_WRITE_FORBIDDEN');
}

function requireUserAccepts(world: World, from: number, to: number): void {
  const user = world.tables.users.get(to);
  if (!user) throw new RpcError(400, 'PEER_ID_INVALID');
  if (user.deleted) throw new RpcError(400, 'INPUT_USER_DEACTIVATED');
  if (user.blocked?.includes(from)) throw new RpcError(400, 'USER_IS_BLOCKED');
  if (world.tables.users.get(from)?.blocked?.includes(to)) throw new RpcError(400, 'YOU_BLOCKED_USER');
  if (user.contactsOnly && !user.contacts?.includes(from) && !world.tables.users.get(from)?.premium) {
    throw new RpcError(403, 'PRIVACY_PREMIUM_REQUIRED');
  }
  if (user.bot && world.tables.users.get(from)?.bot) throw new RpcError(400, 'USER_IS_BOT');
}

/**
 * Slow mode limits sending only, and does not apply to administrators. `count` messages are sent together.
 * @throws {RpcError} 420 SLOWMODE_WAIT_N, 400 SLOWMODE_MULTI_MSGS_DISABLED
 */
export function requireSlowModeElapsed(world: World, from: number, peer: PeerRef, count = 1): void {
  const chat = peer.kind === 'channel' ? world.tables.chats.get(peerKey(peer)) : undefined;
  if (!chat?.slowmodeSeconds || memberOf(chat, from)?.role) return;
  if (count > 1) throw new RpcError(400, 'SLOWMODE_MULTI_MSGS_DISABLED');
  const { lastSent } = dialogOf(world, from, peer);
  const waitSeconds = lastSent === undefined ? 0 : lastSent + chat.slowmodeSeconds - world.now();
  if (waitSeconds > 0) throw new RpcError(420, `SLOWMODE_WAIT_${waitSeconds}`);
}
