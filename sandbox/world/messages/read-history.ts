import { dialogOf, unreadCount } from '../dialogs.ts';
import type { UpdateRow } from '../state/message-rows.ts';
import { boxOf, type PeerRef, peerKey, userPeer } from '../state/peer.ts';
import type { World } from '../world.ts';
import { recordUpdate } from './message-boxes.ts';

export interface HistoryRead {
  /** The reader's update first. Empty for channels: reading has no `pts` there. */
  updates: UpdateRow[];
  /** Channels only: the senders of the messages that were read, and up to which message. */
  readBySender: { userId: number; maxId: number }[];
  changed: boolean;
}

/** Marks a chat as read up to `maxId` (0: all messages), and moves the senders' read positions too. */
export function readHistory(world: World, reader: number, peer: PeerRef, maxId: number): HistoryRead {
  const box = boxOf(reader, peer);
  const ids = world.tables.history(box, peerKey(peer));
  const upTo = Math.min(maxId === 0 ? Number.MAX_SAFE_INTEGER : maxId, ids.at(-1) ?? 0);
  const dialog = dialogOf(world, reader, peer);
  delete dialog.unreadMark;
  if (upTo <= dialog.readInbox) {
    if (world.tables.dialogs.get(world.tables.dialogs.keyOf(dialog))) world.tables.dialogs.put(dialog);
    return { updates: [], readBySender: [], changed: false };
  }
  const before = dialog.readInbox;
  dialog.readInbox = upTo;
  world.tables.dialogs.put(dialog);
  const read = ids.filter((id) => id > before && id <= upTo);
  if (peer.kind === 'channel') {
    return { updates: [], readBySender: newestBySender(world, box, reader, read), changed: true };
  }
  const unread = unreadCount(world, reader, peer);
  const updates = [recordUpdate(world, { box, kind: 'readInbox', ids: [], count: 1, peer, maxId: upTo, unread })];
  for (const { userId, maxId: id } of newestBySender(world, box, reader, read)) {
    const twin = world.tables.message(box, id)?.twin;
    const theirId = twin ? world.tables.copiesOf(twin).get(peerKey(userPeer(userId))) : undefined;
    if (theirId === undefined) continue;
    const theirPeer = peer.kind === 'user' ? userPeer(reader) : peer;
    const theirDialog = dialogOf(world, userId, theirPeer);
    if (theirId <= theirDialog.readOutbox) continue;
    theirDialog.readOutbox = theirId;
    world.tables.dialogs.put(theirDialog);
    const theirBox = peerKey(userPeer(userId));
    updates.push(
      recordUpdate(world, { box: theirBox, kind: 'readOutbox', ids: [], count: 1, peer: theirPeer, maxId: theirId }),
    );
  }
  return { updates, readBySender: [], changed: true };
}

/** The newest of these messages of each sender except the reader. */
function newestBySender(
  world: World,
  box: string,
  reader: number,
  ids: readonly number[],
): { userId: number; maxId: number }[] {
  const newest = new Map<number, number>();
  for (const id of ids) {
    const from = world.tables.message(box, id)?.from;
    if (from !== undefined && from !== reader) newest.set(from, id);
  }
  return [...newest].map(([userId, maxId]) => ({ userId, maxId }));
}
