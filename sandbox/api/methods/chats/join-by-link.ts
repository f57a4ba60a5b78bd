import { RpcError, type TlObject } from '../../../rpc.ts';
import { requireInvite } from '../../../world/chats/invites.ts';
import { joinRequestsOf, requestToJoin, settleJoinRequest } from '../../../world/chats/join-requests.ts';
import { memberCount, memberIds, memberOf, wasKicked } from '../../../world/chats/members.ts';
import { addMembers } from '../../../world/chats/membership.ts';
import { requireAdminRight } from '../../../world/chats/rights.ts';
import { joinChanges } from '../../../world/notices.ts';
import { userPeer } from '../../../world/state/peer.ts';
import type { ChatRow } from '../../../world/state/rows.ts';
import { inputGroupOrChannel } from '../../input/input-chat.ts';
import { inputUser } from '../../input/input-peer.ts';
import type { Caller, Method } from '../../method.ts';
import { MentionedPeers } from '../../objects/mentioned-peers.ts';
import { tlChat } from '../../objects/tl-chat.ts';
import { hashInLink, tlChatInvite } from '../../objects/tl-invite.ts';
import { pushChange } from '../../push/push-change.ts';
import { answerChange } from './answer-change.ts';
import { maxGroupMembers, requireRoomForChannel } from './invitable-users.ts';
import { tlJoined } from './membership.ts';

const maxImporters = 100;

const checkInvite: Method = (params, { world, me }) => {
  const { invite, chat } = requireInvite(world, params['hash'] as string);
  if (memberOf(chat, me.id)) return { _: 'chatInviteAlready', chat: tlChat(world, me.id, chat) };
  if (wasKicked(world, chat, me.id)) throw new RpcError(400, 'INVITE_HASH_EXPIRED');
  return tlChatInvite(world, me.id, chat, invite);
};

const importInvite: Method = (params, caller) => {
  const { world, me } = caller;
  const { invite, chat } = requireInvite(world, params['hash'] as string);
  if (memberOf(chat, me.id)) throw new RpcError(400, 'USER_ALREADY_PARTICIPANT');
  if (wasKicked(world, chat, me.id)) throw new RpcError(400, 'INVITE_HASH_EXPIRED');
  if (chat.kind === 'chat' && memberCount(chat) >= maxGroupMembers) throw new RpcError(400, 'USERS_TOO_MUCH');
  if (chat.kind === 'channel') requireRoomForChannel(caller);
  if (invite.requestNeeded) {
    pushChange(world, requestToJoin(world, chat, me.id, invite));
    throw new RpcError(400, 'INVITE_REQUEST_SENT');
  }
  world.tables.invites.put({ ...invite, usage: invite.usage + 1 });
  return tlJoined(caller, addMembers(world, chat, [me.id], { how: 'link', by: invite.admin, invite: invite.hash }));
};

/** Who has joined with a link, or waits for approval. */
const getImporters: Method = (params, caller) => {
  const { world, me } = caller;
  const chat = requestChat(params, caller);
  const hash = params['link'] === undefined ? undefined : hashInLink(params['link'] as string);
  const all = params['requested'] ? waiting(caller, chat, hash) : joined(chat, hash);
  const offset = inputUserId(caller, params['offset_user'] as TlObject);
  const start = offset === undefined ? 0 : all.findIndex(({ user_id }) => user_id === BigInt(offset)) + 1;
  const limit = Math.min(Number(params['limit']) || maxImporters, maxImporters);
  const importers = all.slice(start, start + limit);
  const users = importers.map(({ user_id }) => userPeer(Number(user_id)));
  return {
    _: 'messages.chatInviteImporters',
    count: all.length,
    importers,
    users: new MentionedPeers(world, me.id).add(...users).users,
  };
};

function waiting({ world }: Caller, chat: ChatRow, hash: string | undefined): TlObject[] {
  return joinRequestsOf(world, chat)
    .filter((request) => hash === undefined || request.invite === hash)
    .map(({ userId, date }) => ({ _: 'chatInviteImporter', requested: true, user_id: BigInt(userId), date }));
}

function joined(chat: ChatRow, hash: string | undefined): TlObject[] {
  return memberIds(chat).flatMap((id) => {
    const member = memberOf(chat, id);
    const isByLink = member?.invite !== undefined && (hash === undefined || member.invite === hash);
    return isByLink ? [{ _: 'chatInviteImporter', user_id: BigInt(id), date: member.date }] : [];
  });
}

const inputUserId = (caller: Caller, input: TlObject): number | undefined =>
  input._ === 'inputUserEmpty' ? undefined : inputUser(caller, input).id;

const hideRequest: Method = (params, caller) => {
  const chat = requestChat(params, caller);
  const { id } = inputUser(caller, params['user_id'] as TlObject);
  const request = joinRequestsOf(caller.world, chat).find(({ userId }) => userId === id);
  if (memberOf(chat, id)) throw new RpcError(400, 'USER_ALREADY_PARTICIPANT');
  if (!request) throw new RpcError(400, 'HIDE_REQUESTER_MISSING');
  return answerChange(caller, settleJoinRequest(caller.world, chat, request, Boolean(params['approved'])));
};

const hideAllRequests: Method = (params, caller) => {
  const chat = requestChat(params, caller);
  const hash = params['link'] === undefined ? undefined : hashInLink(params['link'] as string);
  const requests = joinRequestsOf(caller.world, chat).filter(({ invite }) => hash === undefined || invite === hash);
  if (requests.length === 0) throw new RpcError(400, 'HIDE_REQUESTER_MISSING');
  const isApproved = Boolean(params['approved']);
  const changes = requests.map((request) => settleJoinRequest(caller.world, chat, request, isApproved));
  return answerChange(caller, joinChanges(...changes));
};

/** @throws {RpcError} 400 CHAT_ADMIN_REQUIRED */
function requestChat(params: TlObject, caller: Caller): ChatRow {
  const chat = inputGroupOrChannel(caller, params['peer'] as TlObject);
  requireAdminRight(chat, caller.me.id, 'invite_users');
  return chat;
}

export const joinByLinkMethods: Record<string, Method> = {
  'messages.checkChatInvite': checkInvite,
  'messages.importChatInvite': importInvite,
  'messages.getChatInviteImporters': getImporters,
  'messages.hideChatJoinRequest': hideRequest,
  'messages.hideAllChatJoinRequests': hideAllRequests,
};
