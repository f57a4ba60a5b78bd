import { dialogOf, unreadCount } from '../../world/dialogs.ts';
import { type PeerRef, peerKey } from '../../world/state/peer.ts';
import type { World } from '../../world/world.ts';
import { pushEvent } from './push-event.ts';

/**
 * Pushes what was read in a channel: to the reader's other devices and, in a supergroup, to the senders of the
 * messages. These updates do not raise the channel's `pts`.
 */
export function pushChannelRead(
  world: World,
  reader: number,
  peer: PeerRef,
  readBySender: readonly { userId: number; maxId: number }[],
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
  pushEvent(world, reader, inbox, [peer], exceptSession);
  if (!world.tables.chats.get(peerKey(peer))?.megagroup) return;
  for (const { userId, maxId } of readBySender) {
    const dialog = dialogOf(world, userId, peer);
    if (maxId <= dialog.readOutbox) continue;
    world.tables.dialogs.put({ ...dialog, readOutbox: maxId });
    const outbox = { _: 'updateReadChannelOutbox', channel_id, max_id: maxId };
    pushEvent(world, userId, outbox, [peer]);
  }
}
