import { RpcError } from '../../rpc.ts';
import { isAdmin } from '../members.ts';
import { boxOf, type PeerRef, peerKey, samePeer } from '../state/peer.ts';
import { encodeRow } from '../state/row-json.ts';
import type { MessageRow, UpdateRow } from '../state/rows.ts';
import type { World } from '../world.ts';
import { recordUpdate } from './message-boxes.ts';
import type { RichText } from './rich-text.ts';

/** Telegram allows editing for two days. */
const editWindowSeconds = 172_800;

/**
 * Changes the text of a message in all its copies.
 * @throws {RpcError} MESSAGE_ID_INVALID, MESSAGE_AUTHOR_REQUIRED, MESSAGE_EDIT_TIME_EXPIRED, MESSAGE_NOT_MODIFIED
 */
export function editMessage(world: World, editor: number, peer: PeerRef, id: number, rich: RichText): UpdateRow[] {
  const message = world.tables.message(boxOf(editor, peer), id);
  if (!message || message.action || !samePeer(message.peer, peer)) throw new RpcError(400, 'MESSAGE_ID_INVALID');
  requireEditPermission(world, editor, message);
  if (message.text === rich.text && encodeRow(message.entities ?? []) === encodeRow(rich.entities)) {
    throw new RpcError(400, 'MESSAGE_NOT_MODIFIED');
  }
  return [...world.tables.copiesOf(message.twin)].flatMap(([box, copyId]) => {
    const copy = world.tables.message(box, copyId);
    if (!copy) return [];
    copy.text = rich.text;
    if (rich.entities.length > 0) copy.entities = rich.entities;
    else delete copy.entities;
    copy.editDate = world.now();
    world.tables.messages.put(copy);
    return [recordUpdate(world, { box, kind: 'edit', ids: [copyId], count: 1, peer: copy.peer })];
  });
}

function requireEditPermission(world: World, editor: number, message: MessageRow): void {
  const chat = message.peer.kind === 'channel' ? world.tables.chats.get(peerKey(message.peer)) : undefined;
  const isPostOfAdmin = chat !== undefined && message.post === true && isAdmin(chat, editor);
  if (message.from !== editor && !isPostOfAdmin) throw new RpcError(403, 'MESSAGE_AUTHOR_REQUIRED');
  if (!isPostOfAdmin && world.now() - message.date > editWindowSeconds) {
    throw new RpcError(400, 'MESSAGE_EDIT_TIME_EXPIRED');
  }
}
