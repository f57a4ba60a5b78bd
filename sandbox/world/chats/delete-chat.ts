import { recordUpdate } from '../messages/message-boxes.ts';
import { type Change, joinChanges } from '../notices.ts';
import type { UpdateRow } from '../state/message-rows.ts';
import { peerKey, userPeer } from '../state/peer.ts';
import type { ChatRow } from '../state/rows.ts';
import type { World } from '../world.ts';
import { memberIds } from './members.ts';
import { peerOf, putChat, tell } from './tell-members.ts';

/** Deletes a group or channel for all its members. The messages of a basic group are deleted in their boxes too. */
export function deleteChat(world: World, chat: ChatRow): Change {
  const members = memberIds(chat);
  const updates = chat.kind === 'chat' ? members.flatMap((id) => deleteHistory(world, id, chat)) : [];
  chat.members = {};
  chat.deleted = true;
  delete chat.username;
  delete chat.kicked;
  putChat(world, chat);
  return joinChanges(
    { updates, notices: [] },
    tell(world, chat, chat.kind === 'chat' ? 'participants' : 'chat', members),
  );
}

function deleteHistory(world: World, userId: number, chat: ChatRow): UpdateRow[] {
  const box = peerKey(userPeer(userId));
  const ids = [...world.tables.history(box, peerKey(peerOf(chat)))];
  if (ids.length === 0) return [];
  for (const id of ids) world.tables.messages.delete(`${box}/${id}`);
  return [recordUpdate(world, { box, kind: 'delete', ids, count: ids.length })];
}
