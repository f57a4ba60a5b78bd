import type { TlObject } from '../rpc.ts';
import { type PeerRef, peerKey, userPeer } from './state/peer.ts';
import type { World } from './world.ts';
import { requireMayWrite } from './write-permissions.ts';

/** Shows an action to the others in a chat, and says who they are. @throws {RpcError} where one may not write */
export function showTyping(world: World, from: number, peer: PeerRef, action: TlObject): number[] {
  if (peer.kind === 'user' && peer.id === from) return [];
  requireMayWrite(world, from, peer);
  const others =
    peer.kind === 'user'
      ? [peer.id]
      : Object.keys(world.chats.get(peerKey(peer))?.members ?? {})
          .map(Number)
          .filter((id) => id !== from);
  const at = world.clock.now();
  for (const viewer of others) {
    world.typing.add(viewer, peerKey(peer.kind === 'user' ? userPeer(from) : peer), { from, action, at });
  }
  return others;
}
