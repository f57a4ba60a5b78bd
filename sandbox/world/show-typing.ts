import type { TlObject } from '../rpc.ts';
import { othersIn } from './chats/members.ts';
import { requireWritePermission } from './messages/write-permissions.ts';
import { type PeerRef, peerKey, userPeer } from './state/peer.ts';
import type { World } from './world.ts';

/** Shows an action to the other members of a chat, and returns their IDs. @throws {RpcError} if `from` may not write */
export function showTyping(world: World, from: number, peer: PeerRef, action: TlObject): number[] {
  if (peer.kind === 'user' && peer.id === from) return [];
  requireWritePermission(world, from, peer);
  const others = othersIn(world, from, peer);
  const at = world.clock.now();
  for (const viewer of others) {
    world.typing.add(viewer, peerKey(peer.kind === 'user' ? userPeer(from) : peer), { from, action, at });
  }
  return others;
}
