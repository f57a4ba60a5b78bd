import { RpcError, type TlObject } from '../../../rpc.ts';
import {
  createInvite,
  type InviteFields,
  invitesOf,
  putInvite,
  replacePermanentInvite,
  revokeInvite,
} from '../../../world/chats/invites.ts';
import { creatorOf } from '../../../world/chats/members.ts';
import { requireAdminRight } from '../../../world/chats/rights.ts';
import type { InviteRow } from '../../../world/state/chat-rows.ts';
import { samePeer, userPeer } from '../../../world/state/peer.ts';
import type { ChatRow } from '../../../world/state/rows.ts';
import { inputGroupOrChannel } from '../../input/input-chat.ts';
import { inputUser } from '../../input/input-peer.ts';
import type { Caller, Method } from '../../method.ts';
import { MentionedPeers } from '../../objects/mentioned-peers.ts';
import { hashInLink, tlExportedInvite } from '../../objects/tl-invite.ts';

/** Links in one answer. */
const maxInvites = 100;

const exportInvite: Method = (params, caller) => {
  const { world, me } = caller;
  const chat = inviteChat(params, caller);
  if (params['legacy_revoke_permanent']) return tlExportedInvite(world, replacePermanentInvite(world, chat, me.id));
  return tlExportedInvite(world, createInvite(world, chat, me.id, fieldsIn(params)));
};

function fieldsIn({ title, expire_date, usage_limit, request_needed }: TlObject): InviteFields {
  return { title, expires: expire_date, limit: usage_limit, requestNeeded: request_needed };
}

const getExportedInvites: Method = (params, caller) => {
  const { world, me } = caller;
  const chat = inviteChat(params, caller);
  const admin = inputUser(caller, params['admin_id'] as TlObject);
  if (admin.id !== me.id && creatorOf(chat) !== me.id) throw new RpcError(400, 'CHAT_ADMIN_REQUIRED');
  const isRevoked = Boolean(params['revoked']);
  const all = invitesOf(world, chat, admin.id).filter((invite) => (invite.revoked ?? false) === isRevoked);
  const offset = hashInLink((params['offset_link'] as string | undefined) ?? '');
  const start = all.findIndex(({ hash }) => hash === offset) + 1;
  const limit = Math.min(Number(params['limit']) || maxInvites, maxInvites);
  return {
    _: 'messages.exportedChatInvites',
    count: all.length,
    invites: all.slice(start, start + limit).map((invite) => tlExportedInvite(world, invite)),
    users: new MentionedPeers(world, me.id).add(userPeer(admin.id)).users,
  };
};

const getExportedInvite: Method = (params, caller) => {
  const invite = ownInvite(params, caller, inviteChat(params, caller));
  return tlOneInvite(caller, invite);
};

/** A permanent link that is revoked is replaced at once. */
const editExportedInvite: Method = (params, caller) => {
  const { world, me } = caller;
  const chat = inviteChat(params, caller);
  const invite = ownInvite(params, caller, chat);
  if (!params['revoked']) {
    if (invite.revoked || invite.permanent) throw new RpcError(400, 'CHAT_INVITE_PERMANENT');
    return tlOneInvite(caller, putInvite(world, invite, fieldsIn(params)));
  }
  const revoked = revokeInvite(world, invite);
  if (!invite.permanent) return tlOneInvite(caller, revoked);
  return {
    _: 'messages.exportedChatInviteReplaced',
    invite: tlExportedInvite(world, revoked),
    new_invite: tlExportedInvite(world, replacePermanentInvite(world, chat, invite.admin)),
    users: new MentionedPeers(world, me.id).add(userPeer(invite.admin)).users,
  };
};

const deleteExportedInvite: Method = (params, caller) => {
  const invite = ownInvite(params, caller, inviteChat(params, caller));
  if (!invite.revoked) throw new RpcError(400, 'INVITE_REVOKED_MISSING');
  caller.world.tables.invites.delete(invite.hash);
  return true;
};

function tlOneInvite({ world, me }: Caller, invite: InviteRow): TlObject {
  const users = new MentionedPeers(world, me.id).add(userPeer(invite.admin)).users;
  return { _: 'messages.exportedChatInvite', invite: tlExportedInvite(world, invite), users };
}

/** @throws {RpcError} 400 CHAT_ADMIN_REQUIRED if the caller may not invite to the chat */
function inviteChat(params: TlObject, caller: Caller): ChatRow {
  const chat = inputGroupOrChannel(caller, params['peer'] as TlObject);
  requireAdminRight(chat, caller.me.id, 'invite_users');
  return chat;
}

/** A link of the caller; the creator may change those of all. */
function ownInvite(params: TlObject, { world, me }: Caller, chat: ChatRow): InviteRow {
  const invite = world.tables.invites.get(hashInLink(params['link'] as string));
  if (!invite || !samePeer(invite.chat, chat)) throw new RpcError(400, 'INVITE_HASH_EXPIRED');
  if (invite.admin !== me.id && creatorOf(chat) !== me.id) throw new RpcError(400, 'CHAT_ADMIN_REQUIRED');
  return invite;
}

export const inviteLinkMethods: Record<string, Method> = {
  'messages.exportChatInvite': exportInvite,
  'messages.getExportedChatInvites': getExportedInvites,
  'messages.getExportedChatInvite': getExportedInvite,
  'messages.editExportedChatInvite': editExportedInvite,
  'messages.deleteExportedChatInvite': deleteExportedInvite,
};
