import { RpcError, type TlObject } from '../../../rpc.ts';
import { createChat } from '../../../world/chats/create-chat.ts';
import { deleteChat } from '../../../world/chats/delete-chat.ts';
import { creatorOf, memberCount } from '../../../world/chats/members.ts';
import { migrateChat } from '../../../world/chats/migrate-chat.ts';
import type { ChatRow } from '../../../world/state/rows.ts';
import { inputActiveGroup } from '../../input/input-chat.ts';
import { inputChannel, inputUser } from '../../input/input-peer.ts';
import type { Caller, Method } from '../../method.ts';
import { pushChange } from '../../push/push-change.ts';
import { answerChange } from './answer-change.ts';
import { invitable, maxGroupMembers, requireRoomForChannel } from './invitable-users.ts';

/** Members of a channel that its creator can delete without help: https://core.telegram.org/method/channels.deleteChannel */
const maxDeletableMembers = 1_000;

const createChatMethod: Method = (params, caller) => {
  const { world, me } = caller;
  const inputs = params['users'] as TlObject[];
  const users = inputs.map((input) => inputUser(caller, input)).filter(({ id }) => id !== me.id);
  if (users.length >= maxGroupMembers) throw new RpcError(400, 'USERS_TOO_MUCH');
  const { fit, missing } = invitable(caller, users);
  if (fit.length === 0 && missing.length === 0) throw new RpcError(400, 'USERS_TOO_FEW');
  const { change } = createChat(world, me.id, { kind: 'basic', title: params['title'], members: fit });
  return { _: 'messages.invitedUsers', updates: answerChange(caller, change), missing_invitees: missing };
};

const createChannel: Method = (params, caller) => {
  const { world, me } = caller;
  requireRoomForChannel(caller);
  const isGroup = Boolean(params['megagroup'] || params['forum']);
  const { change } = createChat(world, me.id, {
    kind: isGroup ? 'supergroup' : 'channel',
    title: params['title'],
    about: params['about'],
    forum: Boolean(params['forum']),
  });
  return answerChange(caller, change);
};

const migrate: Method = (params, caller) => {
  const chat = inputActiveGroup(caller, params['chat_id'] as bigint);
  requireCreator(caller, chat);
  return answerChange(caller, migrateChat(caller.world, chat, caller.me.id).change);
};

const deleteChannel: Method = (params, caller) => {
  const chat = inputChannel(caller, params['channel'] as TlObject);
  requireCreator(caller, chat);
  if (memberCount(chat) > maxDeletableMembers) throw new RpcError(400, 'CHANNEL_TOO_LARGE');
  return answerChange(caller, deleteChat(caller.world, chat));
};

const deleteBasicGroup: Method = (params, caller) => {
  const chat = inputActiveGroup(caller, params['chat_id'] as bigint);
  requireCreator(caller, chat);
  pushChange(caller.world, deleteChat(caller.world, chat));
  return true;
};

function requireCreator({ me }: Caller, chat: ChatRow): void {
  if (creatorOf(chat) !== me.id) throw new RpcError(400, 'CHAT_ADMIN_REQUIRED');
}

export const createChatMethods: Record<string, Method> = {
  'messages.createChat': createChatMethod,
  'channels.createChannel': createChannel,
  'messages.migrateChat': migrate,
  'channels.deleteChannel': deleteChannel,
  'messages.deleteChat': deleteBasicGroup,
};
