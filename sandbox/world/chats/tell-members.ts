import type { TlObject } from '../../rpc.ts';
import { placeMessage } from '../messages/send-message.ts';
import { type Change, recordNotices } from '../notices.ts';
import type { NoticeRow } from '../state/chat-rows.ts';
import type { PeerRef } from '../state/peer.ts';
import type { ChatRow } from '../state/rows.ts';
import type { World } from '../world.ts';
import { memberIds } from './members.ts';

/** Places a service message: a TL `MessageAction` that `by` has done. */
export function placeAction(world: World, chat: ChatRow, by: number | undefined, action: TlObject): Change {
  if (by === undefined) return { updates: [], notices: [] };
  return { updates: placeMessage(world, by, peerOf(chat), { text: '', action }).updates, notices: [] };
}

/** Records for these users, all members if left out, that something about the chat has changed. */
export function tell(
  world: World,
  chat: ChatRow,
  kind: NoticeRow['kind'],
  users: Iterable<number> = memberIds(chat),
): Change {
  return { updates: [], notices: recordNotices(world, kind, peerOf(chat), users) };
}

/** Stores a changed chat. Basic groups number the states of their members and rights. */
export function putChat(world: World, chat: ChatRow): ChatRow {
  if (chat.kind === 'chat') chat.version = (chat.version ?? 1) + 1;
  return world.tables.chats.put(chat);
}

export const peerOf = (chat: ChatRow): PeerRef => ({ kind: chat.kind, id: chat.id });
