import { RpcError } from '../../rpc.ts';
import { dialogOf, topMessage } from '../dialogs.ts';
import { recordUpdate } from '../messages/message-boxes.ts';
import type { UpdateRow } from '../state/message-rows.ts';
import { type PeerRef, peerKey, samePeer, userPeer } from '../state/peer.ts';
import type { DialogRow } from '../state/rows.ts';
import type { World } from '../world.ts';

/** `dialogs_pinned_limit_default` and `…_premium`, and those of the archive, of https://core.telegram.org/api/config */
const maxPinned = { free: 5, premium: 10 };
const maxPinnedInArchive = { free: 100, premium: 200 };

/** The pinned chats of a folder, the first one first. */
export function pinnedDialogs(world: World, owner: number, folder: number): DialogRow[] {
  return [...world.tables.dialogs.values()]
    .filter((row) => row.owner === owner && row.pinned !== undefined && folderOf(row) === folder)
    .toSorted((a, b) => (b.pinned ?? 0) - (a.pinned ?? 0));
}

/** 1 is the archive. */
export const folderOf = (dialog: DialogRow): 0 | 1 => (dialog.archived ? 1 : 0);

/** @throws {RpcError} 400 PEER_HISTORY_EMPTY, PINNED_DIALOGS_TOO_MUCH */
export function pinDialog(world: World, owner: number, peer: PeerRef, isPinned: boolean): DialogRow {
  const { pinned: before, ...dialog } = dialogOf(world, owner, peer);
  if (!isPinned) return world.tables.dialogs.put(dialog);
  if (!topMessage(world, owner, peer)) throw new RpcError(400, 'PEER_HISTORY_EMPTY');
  const others = pinnedDialogs(world, owner, folderOf(dialog));
  const limits = dialog.archived ? maxPinnedInArchive : maxPinned;
  const limit = world.tables.users.get(owner)?.premium ? limits.premium : limits.free;
  if (before === undefined && others.length >= limit) throw new RpcError(400, 'PINNED_DIALOGS_TOO_MUCH');
  return world.tables.dialogs.put({ ...dialog, pinned: before ?? (others[0]?.pinned ?? 0) + 1 });
}

/** Pins exactly these chats in this order; without `isExact`, pinned chats that are not named follow. */
export function reorderPinned(
  world: World,
  owner: number,
  folder: number,
  order: readonly PeerRef[],
  isExact: boolean,
): void {
  const before = pinnedDialogs(world, owner, folder);
  const others = before.filter(({ peer }) => !order.some((named) => samePeer(named, peer)));
  for (const { pinned: _pinned, ...dialog } of isExact ? others : []) world.tables.dialogs.put(dialog);
  const all = [...order, ...(isExact ? [] : others.map(({ peer }) => peer))];
  for (const [index, peer] of all.entries()) {
    world.tables.dialogs.put({ ...dialogOf(world, owner, peer), pinned: all.length - index });
  }
}

/** Moves a chat into the archive (1) or out of it (0), where it is not pinned. @throws {RpcError} 400 FOLDER_ID_INVALID */
export function moveToFolder(world: World, owner: number, peer: PeerRef, folder: number): UpdateRow[] {
  if (folder !== 0 && folder !== 1) throw new RpcError(400, 'FOLDER_ID_INVALID');
  const { archived, pinned: _pinned, ...dialog } = dialogOf(world, owner, peer);
  if ((archived ?? false) === (folder === 1)) return [];
  world.tables.dialogs.put(folder === 1 ? { ...dialog, archived: true } : dialog);
  return [recordUpdate(world, { box: peerKey(userPeer(owner)), kind: 'folder', ids: [], count: 1, peer, folder })];
}

/** Marks a chat as unread by hand, or takes the mark away. */
export function markUnread(world: World, owner: number, peer: PeerRef, isUnread: boolean): void {
  const { unreadMark: _before, ...dialog } = dialogOf(world, owner, peer);
  world.tables.dialogs.put(isUnread ? { ...dialog, unreadMark: true } : dialog);
}

/** The chats that are marked as unread by hand. */
export function markedUnread(world: World, owner: number): PeerRef[] {
  return [...world.tables.dialogs.values()]
    .filter((row) => row.owner === owner && row.unreadMark)
    .map(({ peer }) => peer);
}
