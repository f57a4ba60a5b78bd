import { boxOf, memberOf, wasKicked } from './members.ts';
import { type PeerKey, type PeerRef, peerKey, userPeer } from './state/peer.ts';
import type { DialogRow, MessageRow } from './state/rows.ts';
import type { World } from './world.ts';

/** What `owner` knows of a chat; a fresh row, not yet put, where nothing has been read. */
export function dialogOf(world: World, owner: number, peer: PeerRef): DialogRow {
  return world.dialogs.get(`${owner}/${peerKey(peer)}`) ?? { owner, peer, readInbox: 0, readOutbox: 0 };
}

export function topMessage(world: World, viewer: number, peer: PeerRef): MessageRow | undefined {
  const box = boxOf(viewer, peer);
  const id = world.history(box, peerKey(peer)).at(-1);
  return id === undefined ? undefined : world.message(box, id);
}

/** What was counted before: histories grow at their end, and clients ask for the count all the time. */
interface Counted {
  readInbox: number;
  /** Messages looked at, and the last of them. */
  length: number;
  last: number | undefined;
  unread: number;
}
const countedOf = new WeakMap<World, Map<string, Counted>>();

export function unreadCount(world: World, viewer: number, peer: PeerRef): number {
  const box = boxOf(viewer, peer);
  const { readInbox } = dialogOf(world, viewer, peer);
  const ids = world.history(box, peerKey(peer));
  const counted = countedOf.get(world) ?? new Map<string, Counted>();
  countedOf.set(world, counted);
  const key = `${viewer}|${peerKey(peer)}`;
  const before = counted.get(key);
  const holds = before && before.readInbox === readInbox && ids[before.length - 1] === before.last;
  let unread = holds ? before.unread : 0;
  for (let place = holds ? before.length : firstAfter(ids, readInbox); place < ids.length; place += 1) {
    if (world.message(box, ids[place] as number)?.from !== viewer) unread += 1;
  }
  counted.set(key, { readInbox, length: ids.length, last: ids.at(-1), unread });
  return unread;
}

/** Where the IDs beyond this one begin. */
function firstAfter(rising: readonly number[], id: number): number {
  const last = rising.findLastIndex((other) => other <= id);
  return last + 1;
}

/** The chats a user has open, the one with the newest message first. */
export function dialogsOf(world: World, userId: number): { peer: PeerRef; top: MessageRow | undefined }[] {
  const known = new Set(world.chatsIn(peerKey(userPeer(userId))));
  const peers: PeerRef[] = [...known].map(parseKey);
  for (const chat of world.chats.values()) {
    if (!memberOf(chat, userId) && !wasKicked(chat, userId)) continue;
    if (!known.has(peerKey(chat))) peers.push({ kind: chat.kind, id: chat.id });
  }
  return peers
    .filter((peer) => peer.kind === 'user' || isShown(world, userId, peer))
    .map((peer) => ({ peer, top: topMessage(world, userId, peer) }))
    .filter(({ peer, top }) => top !== undefined || peer.kind !== 'user')
    .toSorted((a, b) => (b.top?.date ?? 0) - (a.top?.date ?? 0) || (b.top?.id ?? 0) - (a.top?.id ?? 0));
}

/** A basic group stays in the list when one has left it, a channel when one was put out. */
function isShown(world: World, userId: number, peer: PeerRef): boolean {
  const chat = world.chats.get(peerKey(peer));
  if (!chat) return false;
  return memberOf(chat, userId) !== undefined || chat.kind === 'chat' || wasKicked(chat, userId);
}

function parseKey(key: PeerKey): PeerRef {
  const [kind, id] = key.split(':') as [PeerRef['kind'], string];
  return { kind, id: Number(id) };
}
