import { RpcError } from '../rpc.ts';
import { isAdmin } from './members.ts';
import { recordUpdate } from './message-boxes.ts';
import { type PeerKey, peerKey, userPeer } from './state/peer.ts';
import type { ChatRow, UpdateRow } from './state/rows.ts';
import type { World } from './world.ts';

/**
 * Deletes messages of private chats and basic groups by their IDs in the user's box; with `forAll` every copy.
 * Unknown IDs are passed over, as Telegram does. The user's own update comes first, if there is one.
 */
export function deleteFromBox(world: World, userId: number, ids: readonly number[], forAll: boolean): UpdateRow[] {
  const own = peerKey(userPeer(userId));
  const gone = new Map<PeerKey, number[]>([[own, []]]);
  for (const id of new Set(ids)) {
    const message = world.message(own, id);
    if (!message) continue;
    const copies = forAll ? [...world.twins(message.twin)] : [[own, id] as const];
    for (const [box, copyId] of copies) {
      gone.set(box, [...(gone.get(box) ?? []), copyId]);
      world.messages.delete(`${box}/${copyId}`);
    }
  }
  return recordGone(world, gone);
}

/** @throws {RpcError} 403 MESSAGE_DELETE_FORBIDDEN where one of them is not the user's to delete */
export function deleteFromChannel(world: World, userId: number, chat: ChatRow, ids: readonly number[]): UpdateRow[] {
  const box = peerKey({ kind: chat.kind, id: chat.id });
  const there = [...new Set(ids)].filter((id) => world.message(box, id) !== undefined);
  if (!isAdmin(chat, userId) && there.some((id) => world.message(box, id)?.from !== userId)) {
    throw new RpcError(403, 'MESSAGE_DELETE_FORBIDDEN');
  }
  for (const id of there) world.messages.delete(`${box}/${id}`);
  return recordGone(world, new Map([[box, there]]));
}

function recordGone(world: World, gone: ReadonlyMap<PeerKey, number[]>): UpdateRow[] {
  return [...gone]
    .filter(([, ids]) => ids.length > 0)
    .map(([box, ids]) => recordUpdate(world, { box, kind: 'delete', ids, count: ids.length }));
}
