import type { TlObject } from '../../rpc.ts';
import type { PeerRef } from '../../world/state/peer.ts';
import type { MessageRow, UpdateRow } from '../../world/state/rows.ts';
import type { World } from '../../world/world.ts';
import { tlMessage } from './tl-message.ts';
import { tlPeer } from './tl-peer.ts';

/** What happened, as one viewer is told of it; undefined where the message has gone meanwhile. */
export function tlUpdate(world: World, viewer: number, row: UpdateRow): TlObject | undefined {
  const counted = { pts: row.pts, pts_count: row.count };
  const channel = row.box.startsWith('channel:');
  switch (row.kind) {
    case 'new':
    case 'edit': {
      const message = world.tables.message(row.box, row.ids[0] as number);
      const name = `update${row.kind === 'new' ? 'New' : 'Edit'}${channel ? 'Channel' : ''}Message`;
      return message && { _: name, message: tlMessage(world, viewer, message), ...counted };
    }
    case 'delete':
      return channel
        ? { _: 'updateDeleteChannelMessages', channel_id: BigInt(row.box.slice(8)), messages: row.ids, ...counted }
        : { _: 'updateDeleteMessages', messages: row.ids, ...counted };
    case 'readInbox':
      return {
        _: 'updateReadHistoryInbox',
        peer: tlPeer(row.peer as PeerRef),
        max_id: row.maxId,
        still_unread_count: row.unread ?? 0,
        ...counted,
      };
    case 'readOutbox':
      return { _: 'updateReadHistoryOutbox', peer: tlPeer(row.peer as PeerRef), max_id: row.maxId, ...counted };
  }
}

/** The messages and chats that an update speaks of. */
export function messagesOf(world: World, row: UpdateRow): MessageRow[] {
  if (row.kind !== 'new' && row.kind !== 'edit') return [];
  return row.ids.flatMap((id) => world.tables.message(row.box, id) ?? []);
}

/** Updates as they are pushed, with whom they speak of. */
export function tlUpdates(
  world: World,
  updates: TlObject[],
  people: { users: TlObject[]; chats: TlObject[] },
): TlObject {
  return { _: 'updates', updates, ...people, date: world.now(), seq: 0 };
}
