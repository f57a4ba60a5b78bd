import type { TlObject } from '../../rpc.ts';
import { creatorOf, memberOf } from '../../world/chats/members.ts';
import type { ChatRow, Member } from '../../world/state/rows.ts';

/** The members of a basic group. A viewer who is no member gets `chatParticipantsForbidden`. */
export function tlChatParticipants(viewer: number, chat: ChatRow): TlObject {
  const chat_id = BigInt(chat.id);
  if (!memberOf(chat, viewer)) return { _: 'chatParticipantsForbidden', chat_id };
  const creator = creatorOf(chat) ?? 0;
  const participants = Object.entries(chat.members).map(([id, member]) => tlParticipant(BigInt(id), member, creator));
  return { _: 'chatParticipants', chat_id, participants, version: chat.version ?? 1 };
}

/** One of them; undefined if the user is no member. */
export function tlChatParticipant(chat: ChatRow, id: number): TlObject | undefined {
  const member = memberOf(chat, id);
  return member && tlParticipant(BigInt(id), member, creatorOf(chat) ?? 0);
}

function tlParticipant(user_id: bigint, member: Member, creator: number): TlObject {
  if (member.role === 'creator') return { _: 'chatParticipantCreator', user_id };
  const fields = { user_id, inviter_id: BigInt(member.inviter ?? creator), date: member.date };
  return member.role ? { _: 'chatParticipantAdmin', ...fields } : { _: 'chatParticipant', ...fields };
}
