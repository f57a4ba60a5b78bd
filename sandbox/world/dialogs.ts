import { type PeerKey, type PeerRef, peerKey, userPeer } from './peer.ts';
import { boxOf, memberOf } from './people.ts';
import type { DialogRow, MessageRow } from './rows.ts';
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

export function unreadCount(world: World, viewer: number, peer: PeerRef): number {
  const box = boxOf(viewer, peer);
  const { readInbox } = dialogOf(world, viewer, peer);
  const ids = world.history(box, peerKey(peer));
  let unread = 0;
  for (let place = ids.length - 1; place >= 0 && (ids[place] as number) > readInbox; place -= 1) {
    if (world.message(box, ids[place] as number)?.from !== viewer) unread += 1;
  }
  return unread;
}

/** The chats a user has open, the one with the newest message first. */
export function dialogsOf(world: World, userId: number): { peer: PeerRef; top: MessageRow | undefined }[] {
  const peers: PeerRef[] = world.chatsIn(peerKey(userPeer(userId))).map(parseKey);
  for (const chat of world.chats.values()) {
    if (!memberOf(chat, userId)) continue;
    if (!peers.some((peer) => peer.kind === chat.kind && peer.id === chat.id))
      peers.push({ kind: chat.kind, id: chat.id });
  }
  return peers
    .filter((peer) => peer.kind === 'user' || isMember(world, userId, peer))
    .map((peer) => ({ peer, top: topMessage(world, userId, peer) }))
    .filter(({ peer, top }) => top !== undefined || peer.kind !== 'user')
    .toSorted((a, b) => (b.top?.date ?? 0) - (a.top?.date ?? 0) || (b.top?.id ?? 0) - (a.top?.id ?? 0));
}

function isMember(world: World, userId: number, peer: PeerRef): boolean {
  const chat = world.chats.get(peerKey(peer));
  return chat !== undefined && memberOf(chat, userId) !== undefined;
}

function parseKey(key: PeerKey): PeerRef {
  const [kind, id] = key.split(':') as [PeerRef['kind'], string];
  return { kind, id: Number(id) };
}
