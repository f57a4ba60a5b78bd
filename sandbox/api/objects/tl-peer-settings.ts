import type { TlObject } from '../../rpc.ts';
import { type PeerRef, peerKey, userPeer } from '../../world/state/peer.ts';
import type { World } from '../../world/world.ts';

/** What a client offers above a chat: of a stranger who has written. https://core.telegram.org/constructor/peerSettings */
export function tlPeerSettings(world: World, viewer: number, peer: PeerRef): TlObject {
  const none = { _: 'peerSettings' };
  const user = peer.kind === 'user' ? world.tables.users.get(peer.id) : undefined;
  if (!user || user.id === viewer || user.bot || user.support || user.deleted) return none;
  const isContact = world.tables.users.get(viewer)?.contacts?.includes(user.id) ?? false;
  if (isContact) return user.contacts?.includes(viewer) ? none : { ...none, share_contact: true };
  const hasWritten = world.tables.history(peerKey(userPeer(viewer)), peerKey(peer)).length > 0;
  return hasWritten ? { ...none, report_spam: true, add_contact: true, block_contact: true } : none;
}
