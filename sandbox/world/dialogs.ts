import { memberOf, wasKicked } from './chats/members.ts';
import type { MessageRow } from './state/message-rows.ts';
import { boxOf, type PeerKey, type PeerRef, peerKey, userPeer } from './state/peer.ts';
import type { DialogRow } from './state/rows.ts';
import type { World } from './world.ts';

/** The owner's settings in a chat. Before the first one: a new row that is not in the table yet. */
export function dialogOf(world: World, owner: number, peer: PeerRef): DialogRow {
  return world.tables.dialogs.get(`${owner}/${peerKey(peer)}`) ?? { owner, peer, readInbox: 0, readOutbox: 0 };
}

/** The newest message of a chat; undefined in a private channel that the viewer is no longer in. */
export function topMessage(world: World, viewer: number, peer: PeerRef): MessageRow | undefined {
  if (!maySee(world, viewer, peer)) return undefined;
  const box = boxOf(viewer, peer);
  const id = world.tables.history(box, peerKey(peer)).at(-1);
  return id === undefined ? undefined : world.tables.message(box, id);
}

function maySee(world: World, viewer: number, peer: PeerRef): boolean {
  const chat = peer.kind === 'channel' ? world.tables.chats.get(peerKey(peer)) : undefined;
  if (!chat || memberOf(chat, viewer)) return true;
  return chat.username !== undefined && !wasKicked(world, chat, viewer);
}

/** The messages of others after the viewer's read position. */
export function unreadCount(world: World, viewer: number, peer: PeerRef): number {
  if (!maySee(world, viewer, peer)) return 0;
  const box = boxOf(viewer, peer);
  const { readInbox } = dialogOf(world, viewer, peer);
  const ids = world.tables.history(box, peerKey(peer));
  const counts = world.tables.unreadCounts;
  const key = `${viewer}|${peerKey(peer)}`;
  const before = counts.get(key);
  const isCurrent = before && before.readInbox === readInbox && ids[before.length - 1] === before.last;
  let unread = isCurrent ? before.unread : 0;
  for (let index = isCurrent ? before.length : indexAfter(ids, readInbox); index < ids.length; index += 1) {
    if (world.tables.message(box, ids[index] as number)?.from !== viewer) unread += 1;
  }
  counts.set(key, { readInbox, length: ids.length, last: ids.at(-1), unread });
  return unread;
}

/** The index of the first ID above this one. */
function indexAfter(rising: readonly number[], id: number): number {
  return rising.findLastIndex((other) => other <= id) + 1;
}

/** A user's chats, the one with the newest message first. */
export function dialogsOf(world: World, userId: number): { peer: PeerRef; top: MessageRow | undefined }[] {
  const inOwnBox = new Set(world.tables.chatsInBox(peerKey(userPeer(userId))));
  const peers: PeerRef[] = [...inOwnBox].map(parsePeerKey);
  for (const chat of world.tables.chats.values()) {
    if (!memberOf(chat, userId) && !wasKicked(world, chat, userId)) continue;
    if (!inOwnBox.has(peerKey(chat))) peers.push({ kind: chat.kind, id: chat.id });
  }
  return peers
    .filter((peer) => peer.kind === 'user' || isShown(world, userId, peer))
    .map((peer) => ({ peer, top: topMessage(world, userId, peer) }))
    .filter(({ peer, top }) => top !== undefined || peer.kind !== 'user')
    .toSorted((a, b) => (b.top?.date ?? 0) - (a.top?.date ?? 0) || (b.top?.id ?? 0) - (a.top?.id ?? 0));
}

/** Basic groups stay in the list after the user has left; channels only if the user was removed. */
function isShown(world: World, userId: number, peer: PeerRef): boolean {
  const chat = world.tables.chats.get(peerKey(peer));
  if (!chat || chat.deleted) return false;
  return memberOf(chat, userId) !== undefined || chat.kind === 'chat' || wasKicked(world, chat, userId);
}

function parsePeerKey(key: PeerKey): PeerRef {
  const [kind, id] = key.split(':') as [PeerRef['kind'], string];
  return { kind, id: Number(id) };
}
