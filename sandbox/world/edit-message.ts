import { RpcError } from '../rpc.ts';
import { boxOf, isAdmin } from './members.ts';
import { recordUpdate } from './message-boxes.ts';
import type { RichText } from './rich-text.ts';
import { encodeRow } from './state/journal-file.ts';
import { type PeerRef, peerKey, samePeer } from './state/peer.ts';
import type { MessageRow, UpdateRow } from './state/rows.ts';
import type { World } from './world.ts';

/** Telegram lets people edit for two days. */
const editWindowSeconds = 172_800;

/**
 * Gives a message another text, in every copy.
 * @throws {RpcError} MESSAGE_ID_INVALID, MESSAGE_AUTHOR_REQUIRED, MESSAGE_EDIT_TIME_EXPIRED, MESSAGE_NOT_MODIFIED
 */
export function editMessage(world: World, editor: number, peer: PeerRef, id: number, rich: RichText): UpdateRow[] {
  const message = world.message(boxOf(editor, peer), id);
  if (!message || message.action || !samePeer(message.peer, peer)) throw new RpcError(400, 'MESSAGE_ID_INVALID');
  requireMayEdit(world, editor, message);
  if (message.text === rich.text && encodeRow(message.entities ?? []) === encodeRow(rich.entities)) {
    throw new RpcError(400, 'MESSAGE_NOT_MODIFIED');
  }
  return [...world.twins(message.twin)].flatMap(([box, copyId]) => {
    const copy = world.message(box, copyId);
    if (!copy) return [];
    copy.text = rich.text;
    if (rich.entities.length > 0) copy.entities = rich.entities;
    else delete copy.entities;
    copy.editDate = world.now();
    world.messages.put(copy);
    return [recordUpdate(world, { box, kind: 'edit', ids: [copyId], count: 1, peer: copy.peer })];
  });
}

function requireMayEdit(world: World, editor: number, message: MessageRow): void {
  const chat = message.peer.kind === 'channel' ? world.chats.get(peerKey(message.peer)) : undefined;
  const mayAsAdmin = chat !== undefined && message.post === true && isAdmin(chat, editor);
  if (message.from !== editor && !mayAsAdmin) throw new RpcError(403, 'MESSAGE_AUTHOR_REQUIRED');
  if (!mayAsAdmin && world.now() - message.date > editWindowSeconds) {
    throw new RpcError(400, 'MESSAGE_EDIT_TIME_EXPIRED');
  }
}
