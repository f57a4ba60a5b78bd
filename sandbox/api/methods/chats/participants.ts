import { RpcError, type TlObject } from '../../../rpc.ts';
import { isAdmin, memberIds, memberOf, wasKicked } from '../../../world/chats/members.ts';
import { banOf } from '../../../world/chats/rights.ts';
import { channelPeer, type PeerRef, userPeer } from '../../../world/state/peer.ts';
import type { ChatRow, UserRow } from '../../../world/state/rows.ts';
import type { World } from '../../../world/world.ts';
import { inputChannel, inputPeer } from '../../input/input-peer.ts';
import type { Caller, Method } from '../../method.ts';
import { MentionedPeers } from '../../objects/mentioned-peers.ts';
import { tlParticipant } from '../../objects/tl-participant.ts';

/** Telegram answers with up to 200 members. */
const maxParticipants = 200;

const getParticipants: Method = (params, caller) => {
  const { world, me } = caller;
  const chat = inputChannel(caller, params['channel'] as TlObject);
  if (!memberOf(chat, me.id)) throw new RpcError(400, 'CHANNEL_PRIVATE');
  const isHidden = chat.membersHidden || !chat.megagroup;
  const filter = params['filter'] as TlObject;
  const isForAdmins = isHidden || /Kicked|Banned/.test(filter._);
  if (isForAdmins && !isAdmin(chat, me.id) && filter._ !== 'channelParticipantsAdmins') {
    throw new RpcError(400, 'CHAT_ADMIN_REQUIRED');
  }
  const all = matchingIds(caller, chat, filter);
  const limit = Math.max(0, Math.min(Number(params['limit']), maxParticipants));
  const page = all.slice(Number(params['offset']), Number(params['offset']) + limit);
  const participants = page.flatMap((id) => tlParticipant(world, me.id, chat, id) ?? []);
  return {
    _: 'channels.channelParticipants',
    count: all.length,
    participants,
    ...new MentionedPeers(world, me.id).add(...participants.flatMap(usersIn)).lists(),
  };
};

function matchingIds({ world, me }: Caller, chat: ChatRow, filter: TlObject): number[] {
  const text = (filter['q'] as string | undefined) ?? '';
  const matches = (id: number): boolean => hasName(world.tables.users.get(id), text);
  switch (filter._) {
    case 'channelParticipantsAdmins':
      return memberIds(chat).filter((id) => isAdmin(chat, id));
    case 'channelParticipantsBots':
      return memberIds(chat).filter((id) => world.tables.users.get(id)?.bot);
    case 'channelParticipantsContacts':
      return memberIds(chat).filter((id) => me.contacts?.includes(id) && matches(id));
    case 'channelParticipantsKicked':
      return (chat.kicked ?? []).filter((id) => wasKicked(world, chat, id) && matches(id));
    case 'channelParticipantsBanned':
      return restrictedIn(world, chat).filter(matches);
    default:
      return memberIds(chat).filter(matches);
  }
}

/** Members who may do less than the others. */
function restrictedIn(world: World, chat: ChatRow): number[] {
  const ids = Object.keys(chat.bans ?? {}).map(Number);
  return ids.filter((id) => banOf(world, chat, id) && !chat.kicked?.includes(id));
}

function hasName(user: UserRow | undefined, text: string): boolean {
  const names = `${user?.firstName ?? ''} ${user?.lastName ?? ''} ${user?.username ?? ''}`;
  return names.toLowerCase().includes(text.toLowerCase());
}

const getParticipant: Method = (params, caller) => {
  const { world, me } = caller;
  const chat = inputChannel(caller, params['channel'] as TlObject);
  const peer = inputPeer(caller, params['participant'] as TlObject);
  const participant = peer.kind === 'user' ? tlParticipant(world, me.id, chat, peer.id) : undefined;
  if (!participant) throw new RpcError(400, 'USER_NOT_PARTICIPANT');
  const mayView = peer.id === me.id || isAdmin(chat, me.id) || (chat.megagroup && !chat.membersHidden);
  if (!mayView) throw new RpcError(400, 'CHAT_ADMIN_REQUIRED');
  return {
    _: 'channels.channelParticipant',
    participant,
    ...new MentionedPeers(world, me.id).add(...usersIn(participant), channelPeer(chat.id)).lists(),
  };
};

/** The users that a participant names: the member, and who invited, promoted or banned the member. */
function usersIn(participant: TlObject): PeerRef[] {
  const { user_id, inviter_id, promoted_by, kicked_by, peer } = participant;
  const ids = [user_id, inviter_id, promoted_by, kicked_by, peer?.user_id];
  return ids.flatMap((id: bigint | undefined) => (id === undefined ? [] : [userPeer(Number(id))]));
}

export const participantMethods: Record<string, Method> = {
  'channels.getParticipants': getParticipants,
  'channels.getParticipant': getParticipant,
};
