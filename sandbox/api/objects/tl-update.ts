import type { TlObject } from '../../rpc.ts';
import type { MessageRow, UpdateRow } from '../../world/state/message-rows.ts';
import type { PeerRef } from '../../world/state/peer.ts';
import type { World } from '../../world/world.ts';
import { tlMessage } from './tl-message.ts';
import { tlPeer } from './tl-peer.ts';

/** An update as one viewer gets it; undefined if its message was deleted since. */
export function tlUpdate(world: World, viewer: number, row: UpdateRow): TlObject | undefined {
  const counters = { pts: row.pts, pts_count: row.count };
  const isChannel = row.box.startsWith('channel:');
  switch (row.kind) {
    case 'new':
    case 'edit': {
      const message = world.tables.message(row.box, row.ids[0] as number);
      const name = `update${row.kind === 'new' ? 'New' : 'Edit'}${isChannel ? 'Channel' : ''}Message`;
      return message && { _: name, message: tlMessage(world, viewer, message), ...counters };
    }
    case 'delete':
      return isChannel
        ? { _: 'updateDeleteChannelMessages', channel_id: BigInt(row.box.slice(8)), messages: row.ids, ...counters }
        : { _: 'updateDeleteMessages', messages: row.ids, ...counters };
    case 'readInbox':
      return {
        _: 'updateReadHistoryInbox',
        peer: tlPeer(row.peer as PeerRef),
        max_id: row.maxId,
        still_unread_count: row.unread ?? 0,
        ...counters,
      };
    case 'pin':
    case 'unpin': {
      const pinned = row.kind === 'pin';
      return isChannel
        ? {
            _: 'updatePinnedChannelMessages',
            pinned,
            channel_id: BigInt(row.box.slice(8)),
            messages: row.ids,
            ...counters,
          }
        : { _: 'updatePinnedMessages', pinned, peer: tlPeer(row.peer as PeerRef), messages: row.ids, ...counters };
    }
    case 'folder': {
      const moved = { _: 'folderPeer', peer: tlPeer(row.peer as PeerRef), folder_id: row.folder ?? 0 };
      return { _: 'updateFolderPeers', folder_peers: [moved], ...counters };
    }
    case 'readOutbox':
      return { _: 'updateReadHistoryOutbox', peer: tlPeer(row.peer as PeerRef), max_id: row.maxId, ...counters };
  }
}

/** The messages of an update that still exist. */
export function messagesOf(world: World, row: UpdateRow): MessageRow[] {
  if (row.kind !== 'new' && row.kind !== 'edit') return [];
  return row.ids.flatMap((id) => world.tables.message(row.box, id) ?? []);
}

/** An `updates` object with the users and chats that the updates mention. */
export function tlUpdates(
  world: World,
  updates: TlObject[],
  mentioned: { users: TlObject[]; chats: TlObject[] },
): TlObject {
  return { _: 'updates', updates, ...mentioned, date: world.now(), seq: 0 };
}
