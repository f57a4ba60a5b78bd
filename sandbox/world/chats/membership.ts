import type { TlObject } from '../../rpc.ts';
import { dialogOf } from '../dialogs.ts';
import { type Change, joinChanges } from '../notices.ts';
import { peerKey } from '../state/peer.ts';
import type { ChatRow, Member } from '../state/rows.ts';
import type { World } from '../world.ts';
import { watchMember, withMembers } from './member-change.ts';
import { memberIds, memberOf } from './members.ts';
import { peerOf, placeAction, putChat, tell } from './tell-members.ts';

/** How users have come into a chat; `by` has invited them, or has made the link that they used. */
export type Joining =
  | { how: 'invited'; by: number | undefined }
  | { how: 'self' }
  | { how: 'link' | 'request'; by: number; invite: string };

/** Adds users to a chat. Those who are members already are skipped; bans are lifted. */
export function addMembers(world: World, chat: ChatRow, ids: readonly number[], joining: Joining): Change {
  const fresh = [...new Set(ids)].filter((id) => !memberOf(chat, id));
  if (fresh.length === 0) return { updates: [], notices: [] };
  const watched = fresh.map((id) => watchMember(chat, id));
  for (const id of fresh) {
    chat.members[String(id)] = newMember(world.now(), joining);
    liftBan(chat, id);
    if (chat.kind === 'channel') markAsRead(world, chat, id);
  }
  putChat(world, chat);
  const [first = 0] = fresh;
  // A chat without members has nobody who could invite.
  const by = joining.how === 'invited' ? (joining.by ?? first) : first;
  const members = watched.flatMap((made) => made(by));
  if (chat.kind === 'channel' && !chat.megagroup) return withMembers(tell(world, chat, 'chat', fresh), members);
  return joinChanges(
    { updates: [], notices: [], members },
    placeAction(world, chat, by, joinAction(fresh, joining)),
    chat.kind === 'chat' ? tell(world, chat, 'participants') : tell(world, chat, 'chat', fresh),
  );
}

function newMember(date: number, joining: Joining): Member {
  if (joining.how === 'self') return { date };
  const inviter = joining.by === undefined ? {} : { inviter: joining.by };
  return { date, ...inviter, ...('invite' in joining ? { invite: joining.invite } : {}) };
}

function joinAction(users: readonly number[], joining: Joining): TlObject {
  if (joining.how === 'link') return { _: 'messageActionChatJoinedByLink', inviter_id: BigInt(joining.by) };
  if (joining.how === 'request') return { _: 'messageActionChatJoinedByRequest' };
  return { _: 'messageActionChatAddUser', users: users.map(BigInt) };
}

/** What was written before someone joined is not unread. */
function markAsRead(world: World, chat: ChatRow, id: number): void {
  const key = peerKey(peerOf(chat));
  const top = world.tables.history(key, key).at(-1);
  if (top !== undefined) world.tables.dialogs.put({ ...dialogOf(world, id, peerOf(chat)), readInbox: top });
}

export function liftBan(chat: ChatRow, id: number): void {
  if (chat.kicked) chat.kicked = chat.kicked.filter((other) => other !== id);
  if (chat.bans) delete chat.bans[String(id)];
}

/** Takes a user out of a chat: the user leaves if `by` is the same, and is removed otherwise. */
export function removeMember(world: World, chat: ChatRow, by: number | undefined, id: number): Change {
  const member = memberOf(chat, id);
  if (!member) return { updates: [], notices: [] };
  const isQuiet = chat.kind === 'channel' && !chat.megagroup;
  // Before the member is gone: those who are removed from a basic group are told so too.
  const message = isQuiet
    ? { updates: [], notices: [] }
    : placeAction(world, chat, by, { _: 'messageActionChatDeleteUser', user_id: BigInt(id) });
  const watched = watchMember(chat, id);
  delete chat.members[String(id)];
  putChat(world, chat);
  const told =
    chat.kind === 'chat'
      ? tell(world, chat, 'participants', [...memberIds(chat), id])
      : tell(world, chat, 'chat', [id]);
  return withMembers(joinChanges(message, told), watched(by));
}
