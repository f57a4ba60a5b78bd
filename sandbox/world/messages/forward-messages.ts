import { RpcError } from '../../rpc.ts';
import type { ForwardOrigin, MessageRow } from '../state/message-rows.ts';
import { boxOf, type PeerRef, peerKey, samePeer, userPeer } from '../state/peer.ts';
import type { World } from '../world.ts';
import { nextGroupedId } from './albums.ts';
import type { MessageDraft } from './send-message.ts';

export interface ForwardOptions {
  /** As a copy: nothing says where it comes from. */
  dropAuthor: boolean;
  dropCaptions: boolean;
  silent: boolean;
}

/**
 * The messages as they are forwarded, in the given order. The messages of an album stay together, in a new album.
 * @throws {RpcError} 400 MESSAGE_IDS_EMPTY, MESSAGE_ID_INVALID, CHAT_FORWARDS_RESTRICTED
 */
export function forwardDrafts(
  world: World,
  { from, to, forwarder, ids }: { from: PeerRef; to: PeerRef; forwarder: number; ids: readonly number[] },
  { dropAuthor, dropCaptions, silent }: ForwardOptions,
): MessageDraft[] {
  if (ids.length === 0) throw new RpcError(400, 'MESSAGE_IDS_EMPTY');
  const originals = ids.map((id) => requireForwardable(world, forwarder, from, id));
  const isToSaved = samePeer(to, userPeer(forwarder));
  const albums = newAlbums(world, originals);
  return originals.map((row) => ({
    text: row.media && dropCaptions ? '' : row.text,
    entities: row.media && dropCaptions ? undefined : row.entities,
    media: row.media,
    groupedId: row.groupedId && albums.get(row.groupedId),
    views: row.views,
    silent,
    forwarded: dropAuthor ? undefined : originOf(world, row, isToSaved),
  }));
}

function requireForwardable(world: World, forwarder: number, from: PeerRef, id: number): MessageRow {
  const row = world.tables.message(boxOf(forwarder, from), id);
  if (!row || row.action || !samePeer(row.peer, from)) throw new RpcError(400, 'MESSAGE_ID_INVALID');
  if (row.noForwards || world.tables.chats.get(peerKey(from))?.noForwards) {
    throw new RpcError(400, 'CHAT_FORWARDS_RESTRICTED');
  }
  return row;
}

/** The new album of each old one of which more than one message is forwarded. */
function newAlbums(world: World, rows: readonly MessageRow[]): Map<string, string> {
  const albums = new Map<string, string>();
  for (const { groupedId } of rows) {
    const isAlbum = rows.filter((other) => other.groupedId === groupedId).length > 1;
    if (groupedId && isAlbum && !albums.has(groupedId)) albums.set(groupedId, nextGroupedId(world));
  }
  return albums;
}

/** What is forwarded again keeps its first origin. */
function originOf(world: World, row: MessageRow, isToSaved: boolean): ForwardOrigin {
  const saved = isToSaved ? { saved: { peer: row.peer, id: row.id } } : {};
  if (row.forwarded) {
    const { saved: _earlier, ...origin } = row.forwarded;
    return { ...origin, ...saved };
  }
  if (row.post) return { from: row.peer, date: row.date, channelPost: row.id, ...saved };
  const sender = row.from === undefined ? undefined : world.tables.users.get(row.from);
  if (!sender) return { date: row.date, ...saved };
  const name = [sender.firstName, sender.lastName].filter(Boolean).join(' ');
  return sender.forwardsHidden
    ? { fromName: name, date: row.date, ...saved }
    : { from: userPeer(sender.id), date: row.date, ...saved };
}

/** Counts a post's forwards. */
export function countForwards(world: World, forwarder: number, from: PeerRef, ids: readonly number[]): void {
  for (const id of ids) {
    const row = world.tables.message(boxOf(forwarder, from), id);
    if (!row?.post) continue;
    row.forwards = (row.forwards ?? 0) + 1;
    world.tables.messages.put(row);
  }
}
