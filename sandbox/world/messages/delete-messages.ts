import { RpcError } from '../../rpc.ts';
import { isAdmin } from '../chats/members.ts';
import type { MessageRow, UpdateRow } from '../state/message-rows.ts';
import { type PeerKey, peerKey, userPeer } from '../state/peer.ts';
import type { ChatRow } from '../state/rows.ts';
import type { World } from '../world.ts';
import { recordUpdate } from './message-boxes.ts';
import { noteLatestPin } from './pin-messages.ts';

/**
 * Deletes messages of private chats and basic groups by their IDs in the user's box; with `forAll` all copies. Unknown
 * IDs are ignored, as Telegram does. The user's own update comes first, if there is one.
 */
export function deleteFromBox(world: World, userId: number, ids: readonly number[], forAll: boolean): UpdateRow[] {
  const ownBox = peerKey(userPeer(userId));
  const deleted = new Map<PeerKey, number[]>([[ownBox, []]]);
  for (const id of new Set(ids)) {
    const message = world.tables.message(ownBox, id);
    if (!message) continue;
    const copies = forAll ? [...world.tables.copiesOf(message.twin)] : [[ownBox, id] as const];
    for (const [box, copyId] of copies) {
      deleted.set(box, [...(deleted.get(box) ?? []), copyId]);
      world.tables.messages.delete(`${box}/${copyId}`);
    }
    forgetReactions(world, message);
  }
  return recordDeleted(world, deleted);
}

/** @throws {RpcError} 403 MESSAGE_DELETE_FORBIDDEN if the user may not delete one of the messages */
export function deleteFromChannel(world: World, userId: number, chat: ChatRow, ids: readonly number[]): UpdateRow[] {
  const box = peerKey({ kind: chat.kind, id: chat.id });
  const existing = [...new Set(ids)].filter((id) => world.tables.message(box, id) !== undefined);
  if (!isAdmin(chat, userId) && existing.some((id) => world.tables.message(box, id)?.from !== userId)) {
    throw new RpcError(403, 'MESSAGE_DELETE_FORBIDDEN');
  }
  for (const id of existing) {
    const message = world.tables.message(box, id);
    world.tables.messages.delete(`${box}/${id}`);
    if (message) forgetReactions(world, message);
  }
  if (chat.pinned !== undefined && existing.includes(chat.pinned)) noteLatestPin(world, box, undefined);
  return recordDeleted(world, new Map([[box, existing]]));
}

/** Once the last copy of a message is deleted, nobody can see its reactions. */
function forgetReactions(world: World, { twin }: MessageRow): void {
  if (world.tables.copiesOf(twin).size === 0) world.tables.reactions.delete(twin);
}

function recordDeleted(world: World, deleted: ReadonlyMap<PeerKey, number[]>): UpdateRow[] {
  return [...deleted]
    .filter(([, ids]) => ids.length > 0)
    .map(([box, ids]) => recordUpdate(world, { box, kind: 'delete', ids, count: ids.length }));
}
