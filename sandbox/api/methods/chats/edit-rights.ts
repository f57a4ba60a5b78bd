import { RpcError, type TlObject } from '../../../rpc.ts';
import { creatorOf, memberOf, wasKicked } from '../../../world/chats/members.ts';
import { adminRightsOf, requireAdminRight } from '../../../world/chats/rights.ts';
import { demote, kick, promote, restrict } from '../../../world/chats/roles.ts';
import type { ChatRow } from '../../../world/state/rows.ts';
import { inputActiveGroup } from '../../input/input-chat.ts';
import { inputChannel, inputPeer, inputUser } from '../../input/input-peer.ts';
import type { Caller, Method } from '../../method.ts';
import { rightsIn } from '../../objects/tl-chat-rights.ts';
import { pushChange } from '../../push/push-change.ts';
import { answerChange } from './answer-change.ts';

const maxRankLength = 16;
/** Seconds. A shorter or longer ban is permanent: https://core.telegram.org/constructor/chatBannedRights */
const shortestBan = 30;
const longestBan = 366 * 86_400;

/** In basic groups only the creator names administrators, and all of them have the same rights. */
const editChatAdmin: Method = (params, caller) => {
  const { world, me } = caller;
  const chat = inputActiveGroup(caller, params['chat_id'] as bigint);
  const { id } = inputUser(caller, params['user_id'] as TlObject);
  if (creatorOf(chat) !== me.id) throw new RpcError(400, 'CHAT_ADMIN_REQUIRED');
  const member = memberOf(chat, id);
  if (!member) throw new RpcError(400, 'USER_NOT_PARTICIPANT');
  if (id === me.id) throw new RpcError(400, 'USER_ID_INVALID');
  const isAdmin = params['is_admin'] === true;
  if (isAdmin === (member.role !== undefined)) return true;
  pushChange(world, isAdmin ? promote(world, chat, me.id, id, {}) : demote(world, chat, me.id, id));
  return true;
};

const editAdmin: Method = (params, caller) => {
  const { world, me } = caller;
  const chat = inputChannel(caller, params['channel'] as TlObject);
  const user = inputUser(caller, params['user_id'] as TlObject);
  const rights = rightsIn(params['admin_rights'] as TlObject);
  const rank = (params['rank'] as string | undefined) ?? '';
  requireAdminRight(chat, me.id, 'add_admins');
  if (creatorOf(chat) === user.id && user.id !== me.id) throw new RpcError(400, 'USER_CREATOR');
  if (creatorOf(chat) !== me.id) requireWithinOwnRights(caller, chat, user.id, rights);
  requireRank(rank);
  if (user.id === creatorOf(chat)) return answerChange(caller, { updates: [], notices: [] });
  if (rights.length === 0) {
    if (!memberOf(chat, user.id)) throw new RpcError(400, 'USER_NOT_PARTICIPANT');
    return answerChange(caller, demote(world, chat, me.id, user.id));
  }
  if (user.deleted) throw new RpcError(400, 'INPUT_USER_DEACTIVATED');
  if (!memberOf(chat, user.id)) requireInvitation(caller, chat, user.id);
  return answerChange(caller, promote(world, chat, me.id, user.id, { rights, rank }));
};

/** Administrators give no more than they have, and change only those whom they have promoted themselves. */
function requireWithinOwnRights({ me }: Caller, chat: ChatRow, id: number, rights: readonly string[]): void {
  const member = memberOf(chat, id);
  if (member?.role && member.promotedBy !== me.id && id !== me.id) throw new RpcError(400, 'CHAT_ADMIN_REQUIRED');
  const own = adminRightsOf(chat, me.id) ?? [];
  if (rights.some((right) => !own.includes(right))) throw new RpcError(403, 'RIGHT_FORBIDDEN');
}

function requireInvitation({ world, me }: Caller, chat: ChatRow, id: number): void {
  const own = adminRightsOf(chat, me.id) ?? [];
  if (wasKicked(world, chat, id) && !own.includes('ban_users')) throw new RpcError(400, 'USER_KICKED');
  if (!own.includes('invite_users')) throw new RpcError(403, 'CHAT_ADMIN_INVITE_REQUIRED');
}

function requireRank(rank: string): void {
  if (rank.length > maxRankLength) throw new RpcError(400, 'ADMIN_RANK_INVALID');
  if (/\p{Extended_Pictographic}/u.test(rank)) throw new RpcError(400, 'ADMIN_RANK_EMOJI_NOT_ALLOWED');
}

const editBanned: Method = (params, caller) => {
  const { world, me } = caller;
  const chat = inputChannel(caller, params['channel'] as TlObject);
  const peer = inputPeer(caller, params['participant'] as TlObject);
  if (peer.kind !== 'user') throw new RpcError(400, 'PARTICIPANT_ID_INVALID');
  const { id } = peer;
  requireAdminRight(chat, me.id, 'ban_users');
  const member = memberOf(chat, id);
  const mayChange = !member?.role || creatorOf(chat) === me.id || member.promotedBy === me.id;
  if (!mayChange || id === me.id) throw new RpcError(400, 'USER_ADMIN_INVALID');
  const input = params['banned_rights'] as TlObject;
  const rights = rightsIn(input);
  const until = banEnd(world.now(), Number(input['until_date']));
  if (rights.includes('view_messages')) return answerChange(caller, kick(world, chat, me.id, id, until));
  if (!chat.megagroup && rights.length > 0) throw new RpcError(400, 'BANNED_RIGHTS_INVALID');
  if (member?.role) demote(world, chat, me.id, id);
  return answerChange(caller, restrict(world, chat, id, { rights, until, by: me.id }));
};

/** When the ban ends, seconds since 1970; 0 if it is permanent. */
function banEnd(now: number, until: number): number {
  const seconds = until - now;
  return seconds < shortestBan || seconds > longestBan ? 0 : until;
}

export const editRightsMethods: Record<string, Method> = {
  'messages.editChatAdmin': editChatAdmin,
  'channels.editAdmin': editAdmin,
  'channels.editBanned': editBanned,
};
