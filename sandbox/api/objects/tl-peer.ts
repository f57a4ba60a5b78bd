import type { TlObject } from '../../rpc.ts';
import type { PeerRef } from '../../world/state/peer.ts';

export function tlPeer(peer: PeerRef): TlObject {
  if (peer.kind === 'user') return { _: 'peerUser', user_id: BigInt(peer.id) };
  if (peer.kind === 'chat') return { _: 'peerChat', chat_id: BigInt(peer.id) };
  return { _: 'peerChannel', channel_id: BigInt(peer.id) };
}
