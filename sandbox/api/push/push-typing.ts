import type { TlObject } from '../../rpc.ts';
import { dialogOf, unreadCount } from '../../world/dialogs.ts';
import { type PeerRef, peerKey, userPeer } from '../../world/state/peer.ts';
import type { World } from '../../world/world.ts';
import { MentionedPeers } from '../objects/mentioned-peers.ts';
import { tlPeer } from '../objects/tl-peer.ts';
import { tlUpdates } from '../objects/tl-update.ts';

/** What is told as it happens and is not counted: typing, and what has been read in channels. */

export function pushTyping(
  world: World,
  from: number,
  peer: PeerRef,
  action: TlObject,
  viewers: readonly number[],
  exceptSession?: bigint,
): void {
  for (const viewer of viewers) {
    if (world.tables.activeLogins(viewer).length === 0) continue;
    const update = tlTyping(from, peer, action);
    const people = new MentionedPeers(world, viewer, true).add(userPeer(from));
    if (peer.kind !== 'user') people.add(peer);
    world.push(viewer, tlUpdates(world, [update], people.lists()), exceptSession);
  }
}

function tlTyping(from: number, peer: PeerRef, action: TlObject): TlObject {
  if (peer.kind === 'user') return { _: 'updateUserTyping', user_id: BigInt(from), action };
  const from_id = tlPeer(userPeer(from));
  return peer.kind === 'chat'
    ? { _: 'updateChatUserTyping', chat_id: BigInt(peer.id), from_id, action }
    : { _: 'updateChannelUserTyping', channel_id: BigInt(peer.id), from_id, action };
}

export function pushChannelRead(
  world: World,
  reader: number,
  peer: PeerRef,
  outbox: readonly { userId: number; maxId: number }[],
  exceptSession?: bigint,
): void {
  const channel_id = BigInt(peer.id);
  const inbox = {
    _: 'updateReadChannelInbox',
    channel_id,
    max_id: dialogOf(world, reader, peer).readInbox,
    still_unread_count: unreadCount(world, reader, peer),
    pts: world.tables.box(peerKey(peer)).pts,
  };
  world.push(reader, tlUpdates(world, [inbox], { users: [], chats: [] }), exceptSession);
  if (!world.tables.chats.get(peerKey(peer))?.megagroup) return;
  for (const { userId, maxId } of outbox) {
    const dialog = dialogOf(world, userId, peer);
    if (maxId <= dialog.readOutbox) continue;
    world.tables.dialogs.put({ ...dialog, readOutbox: maxId });
    const update = { _: 'updateReadChannelOutbox', channel_id, max_id: maxId };
    world.push(userId, tlUpdates(world, [update], { users: [], chats: [] }));
  }
}
