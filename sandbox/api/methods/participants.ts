import { RpcError, type TlObject } from '../../rpc.ts';
import { isAdmin, memberOf } from '../../world/members.ts';
import { channelPeer, userPeer } from '../../world/state/peer.ts';
import type { ChatRow, Member } from '../../world/state/rows.ts';
import type { World } from '../../world/world.ts';
import { inputChannel, inputPeer } from '../input/input-peer.ts';
import type { Method } from '../method.ts';
import { MentionedPeers } from '../objects/mentioned-peers.ts';
import { adminRights } from '../objects/tl-chat.ts';

/** Telegram answers with up to 200 members. */
const maxParticipants = 200;

const getParticipants: Method = (params, caller) => {
  const { world, me } = caller;
  const chat = inputChannel(caller, params['channel'] as TlObject);
  if (!memberOf(chat, me.id)) throw new RpcError(400, 'CHANNEL_PRIVATE');
  const isHidden = chat.membersHidden || !chat.megagroup;
  const filter = params['filter'] as TlObject;
  if (isHidden && !isAdmin(chat, me.id) && filter._ !== 'channelParticipantsAdmins') {
    throw new RpcError(400, 'CHAT_ADMIN_REQUIRED');
  }
  const all = Object.entries(chat.members).filter(([id, member]) => matchesFilter(world, Number(id), member, filter));
  const creator = creatorOf(chat);
  const limit = Math.max(0, Math.min(Number(params['limit']), maxParticipants));
  const page = all.slice(Number(params['offset']), Number(params['offset']) + limit);
  return {
    _: 'channels.channelParticipants',
    count: all.length,
    participants: page.map(([id, member]) => tlParticipant(creator, me.id, Number(id), member)),
    ...new MentionedPeers(world, me.id).add(...page.map(([id]) => userPeer(Number(id)))).lists(),
  };
};

function matchesFilter(world: World, id: number, member: Member, filter: TlObject): boolean {
  const user = world.tables.users.get(id);
  switch (filter._) {
    case 'channelParticipantsAdmins':
      return member.role !== undefined;
    case 'channelParticipantsBots':
      return user?.bot ?? false;
    case 'channelParticipantsKicked':
    case 'channelParticipantsBanned':
      return false;
    case 'channelParticipantsSearch': {
      const text = `${user?.firstName ?? ''} ${user?.lastName ?? ''} ${user?.username ?? ''}`.toLowerCase();
      return text.includes((filter['q'] as string).toLowerCase());
    }
    default:
      return true;
  }
}

const getParticipant: Method = (params, caller) => {
  const { world, me } = caller;
  const chat = inputChannel(caller, params['channel'] as TlObject);
  const peer = inputPeer(caller, params['participant'] as TlObject);
  const member = peer.kind === 'user' ? memberOf(chat, peer.id) : undefined;
  if (!member) throw new RpcError(400, 'USER_NOT_PARTICIPANT');
  const mayView = peer.id === me.id || isAdmin(chat, me.id) || (chat.megagroup && !chat.membersHidden);
  if (!mayView) throw new RpcError(400, 'CHAT_ADMIN_REQUIRED');
  return {
    _: 'channels.channelParticipant',
    participant: tlParticipant(creatorOf(chat), me.id, peer.id, member),
    ...new MentionedPeers(world, me.id).add(peer, channelPeer(chat.id)).lists(),
  };
};

function tlParticipant(creator: number, viewer: number, id: number, member: Member): TlObject {
  const user_id = BigInt(id);
  const inviter_id = BigInt(member.inviter ?? creator);
  if (member.role === 'creator') return { _: 'channelParticipantCreator', user_id, admin_rights: adminRights };
  if (member.role) {
    const promoted_by = BigInt(creator);
    const fields = { user_id, inviter_id, promoted_by, date: member.date, admin_rights: adminRights };
    return { _: 'channelParticipantAdmin', self: id === viewer, ...fields };
  }
  return id === viewer
    ? { _: 'channelParticipantSelf', user_id, inviter_id, date: member.date }
    : { _: 'channelParticipant', user_id, date: member.date };
}

function creatorOf(chat: ChatRow): number {
  return Number(Object.entries(chat.members).find(([, { role }]) => role === 'creator')?.[0] ?? 0);
}

export const participantMethods: Record<string, Method> = {
  'channels.getParticipants': getParticipants,
  'channels.getParticipant': getParticipant,
};
