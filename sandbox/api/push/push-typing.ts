import type { TlObject } from '../../rpc.ts';
import { type PeerRef, userPeer } from '../../world/state/peer.ts';
import type { World } from '../../world/world.ts';
import { MentionedPeers } from '../objects/mentioned-peers.ts';
import { tlPeer } from '../objects/tl-peer.ts';
import { tlUpdates } from '../objects/tl-update.ts';

/** Pushes a typing action to these viewers. It has no `pts`: a client that misses it never gets it. */
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
    const mentioned = new MentionedPeers(world, viewer, true).add(userPeer(from));
    if (peer.kind !== 'user') mentioned.add(peer);
    world.push(viewer, tlUpdates(world, [update], mentioned.lists()), exceptSession);
  }
}

function tlTyping(from: number, peer: PeerRef, action: TlObject): TlObject {
  if (peer.kind === 'user') return { _: 'updateUserTyping', user_id: BigInt(from), action };
  const from_id = tlPeer(userPeer(from));
  return peer.kind === 'chat'
    ? { _: 'updateChatUserTyping', chat_id: BigInt(peer.id), from_id, action }
    : { _: 'updateChannelUserTyping', channel_id: BigInt(peer.id), from_id, action };
}
