import { dialogOf, unreadCount } from './dialogs.ts';
import { boxOf } from './members.ts';
import { recordUpdate } from './message-boxes.ts';
import { type PeerRef, peerKey, userPeer } from './state/peer.ts';
import type { UpdateRow } from './state/rows.ts';
import type { World } from './world.ts';

export interface HistoryRead {
  /** What is counted in boxes, the reader's first; nothing for channels, which have no `pts` for it. */
  updates: UpdateRow[];
  /** Whose messages in a supergroup have been read, and up to which. */
  channelOutbox: { userId: number; maxId: number }[];
  changed: boolean;
}

/** Marks a chat as read up to `maxId` (0: all of it), and tells those who wrote what was read. */
export function readHistory(world: World, reader: number, peer: PeerRef, maxId: number): HistoryRead {
  const box = boxOf(reader, peer);
  const ids = world.history(box, peerKey(peer));
  const upTo = Math.min(maxId === 0 ? Number.MAX_SAFE_INTEGER : maxId, ids.at(-1) ?? 0);
  const dialog = dialogOf(world, reader, peer);
  if (upTo <= dialog.readInbox) return { updates: [], channelOutbox: [], changed: false };
  const before = dialog.readInbox;
  dialog.readInbox = upTo;
  world.dialogs.put(dialog);
  const read = ids.filter((id) => id > before && id <= upTo);
  if (peer.kind === 'channel') {
    return { updates: [], channelOutbox: newestOf(world, box, reader, read), changed: true };
  }
  const unread = unreadCount(world, reader, peer);
  const updates = [recordUpdate(world, { box, kind: 'readInbox', ids: [], count: 1, peer, maxId: upTo, unread })];
  for (const { userId, maxId: id } of newestOf(world, box, reader, read)) {
    const twin = world.message(box, id)?.twin;
    const theirs = twin && world.twins(twin).get(peerKey(userPeer(userId)));
    if (theirs === undefined || theirs === '') continue;
    const theirPeer = peer.kind === 'user' ? userPeer(reader) : peer;
    const theirDialog = dialogOf(world, userId, theirPeer);
    if (theirs <= theirDialog.readOutbox) continue;
    theirDialog.readOutbox = theirs;
    world.dialogs.put(theirDialog);
    const theirBox = peerKey(userPeer(userId));
    updates.push(
      recordUpdate(world, { box: theirBox, kind: 'readOutbox', ids: [], count: 1, peer: theirPeer, maxId: theirs }),
    );
  }
  return { updates, channelOutbox: [], changed: true };
}

/** Of each other writer, the newest message among these. */
function newestOf(
  world: World,
  box: string,
  reader: number,
  ids: readonly number[],
): { userId: number; maxId: number }[] {
  const newest = new Map<number, number>();
  for (const id of ids) {
    const from = world.message(box, id)?.from;
    if (from !== undefined && from !== reader) newest.set(from, id);
  }
  return [...newest].map(([userId, maxId]) => ({ userId, maxId }));
}
