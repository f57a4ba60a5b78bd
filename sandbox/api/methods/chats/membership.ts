import { RpcError, type TlObject } from '../../../rpc.ts';
import { schemaOfLayer } from '../../../tl/layers.ts';
import { creatorOf, memberCount, memberOf, wasKicked } from '../../../world/chats/members.ts';
import { addMembers, removeMember } from '../../../world/chats/membership.ts';
import { adminRightsOf, requireMemberRight } from '../../../world/chats/rights.ts';
import type { Change } from '../../../world/notices.ts';
import { inputActiveGroup, inputBasicGroup } from '../../input/input-chat.ts';
import { inputChannel, inputUser } from '../../input/input-peer.ts';
import type { Caller, Method } from '../../method.ts';
import { answerChange } from './answer-change.ts';
import { invitable, maxGroupMembers, requireRoomForChannel } from './invitable-users.ts';

/** Users that one call may invite. */
const maxInvited = 200;

const addChatUser: Method = (params, caller) => {
  const { world, me } = caller;
  const chat = inputActiveGroup(caller, params['chat_id'] as bigint);
  const user = inputUser(caller, params['user_id'] as TlObject);
  if (memberOf(chat, user.id)) throw new RpcError(400, 'USER_ALREADY_PARTICIPANT');
  requireMemberRight(world, chat, me.id, 'invite_users');
  if (memberCount(chat) >= maxGroupMembers) throw new RpcError(400, 'USERS_TOO_MUCH');
  const { fit, missing } = invitable(caller, [user]);
  const change = addMembers(world, chat, fit, { how: 'invited', by: me.id });
  return { _: 'messages.invitedUsers', updates: answerChange(caller, change), missing_invitees: missing };
};

/** Also the way to leave a basic group, one that has become a supergroup too. */
const deleteChatUser: Method = (params, caller) => {
  const { world, me } = caller;
  const chat = inputBasicGroup(caller, params['chat_id'] as bigint);
  const user = inputUser(caller, params['user_id'] as TlObject);
  const member = memberOf(chat, user.id);
  if (!member) throw new RpcError(400, 'USER_NOT_PARTICIPANT');
  const mayRemove =
    user.id === me.id ||
    creatorOf(chat) === me.id ||
    (!member.role && (member.inviter === me.id || adminRightsOf(chat, me.id)?.includes('ban_users')));
  if (!mayRemove) throw new RpcError(400, 'CHAT_ADMIN_REQUIRED');
  return answerChange(caller, removeMember(world, chat, me.id, user.id));
};

const inviteToChannel: Method = (params, caller) => {
  const { world, me } = caller;
  const chat = inputChannel(caller, params['channel'] as TlObject);
  const inputs = params['users'] as TlObject[];
  if (inputs.length > maxInvited) throw new RpcError(400, 'USERS_TOO_MUCH');
  if (!memberOf(chat, me.id)) throw new RpcError(403, 'CHAT_WRITE_FORBIDDEN');
  requireMemberRight(world, chat, me.id, 'invite_users');
  const users = inputs.map((input) => inputUser(caller, input));
  if (!chat.megagroup && users.some(({ bot }) => bot)) throw new RpcError(400, 'USER_BOT');
  const mayLiftBans = adminRightsOf(chat, me.id)?.includes('ban_users') ?? false;
  if (!mayLiftBans && users.some(({ id }) => wasKicked(world, chat, id))) throw new RpcError(400, 'USER_KICKED');
  const { fit, missing } = invitable(caller, users);
  const change = addMembers(world, chat, fit, { how: 'invited', by: me.id });
  return { _: 'messages.invitedUsers', updates: answerChange(caller, change), missing_invitees: missing };
};

const joinChannel: Method = (params, caller) => {
  const { world, me } = caller;
  const chat = inputChannel(caller, params['channel'] as TlObject);
  if (memberOf(chat, me.id)) throw new RpcError(400, 'USER_ALREADY_PARTICIPANT');
  requireRoomForChannel(caller);
  return tlJoined(caller, addMembers(world, chat, [me.id], { how: 'self' }));
};

/** The answer to joining: later layers have wrapped it. */
export function tlJoined(caller: Caller, change: Change): TlObject {
  const updates = answerChange(caller, change);
  const wrapper = 'messages.chatInviteJoinResultOk';
  return schemaOfLayer(caller.call.layer).definition(wrapper) ? { _: wrapper, updates } : updates;
}

const leaveChannel: Method = (params, caller) => {
  const { world, me } = caller;
  const chat = inputChannel(caller, params['channel'] as TlObject);
  const member = memberOf(chat, me.id);
  if (!member) throw new RpcError(400, 'USER_NOT_PARTICIPANT');
  if (member.role === 'creator') throw new RpcError(400, 'USER_CREATOR');
  return answerChange(caller, removeMember(world, chat, me.id, me.id));
};

export const membershipMethods: Record<string, Method> = {
  'messages.addChatUser': addChatUser,
  'messages.deleteChatUser': deleteChatUser,
  'channels.inviteToChannel': inviteToChannel,
  'channels.joinChannel': joinChannel,
  'channels.leaveChannel': leaveChannel,
};
