import type { TlObject } from '../../rpc.ts';
import { creatorOf, memberOf } from '../../world/chats/members.ts';
import { adminRightsOf, banOf } from '../../world/chats/rights.ts';
import { userPeer } from '../../world/state/peer.ts';
import type { ChatRow } from '../../world/state/rows.ts';
import type { World } from '../../world/world.ts';
import { tlAdminRights, tlBannedRights } from './tl-chat-rights.ts';
import { tlPeer } from './tl-peer.ts';

/** A member of a supergroup or channel, or someone who was banned from it; undefined for everyone else. */
export function tlParticipant(world: World, viewer: number, chat: ChatRow, id: number): TlObject | undefined {
  const member = memberOf(chat, id);
  const banned = tlBanned(world, chat, id);
  if (!member || (banned && !member.role)) return banned;
  const user_id = BigInt(id);
  const { date, rank } = member;
  const self = id === viewer;
  // First: most members are ordinary ones, and to find the creator all members are gone through.
  if (!member.role && !self) return { _: 'channelParticipant', user_id, date };
  const creator = creatorOf(chat) ?? 0;
  const admin_rights = tlAdminRights(adminRightsOf(chat, id) ?? []);
  if (member.role === 'creator') return { _: 'channelParticipantCreator', user_id, admin_rights, rank };
  const inviter_id = BigInt(member.inviter ?? creator);
  if (member.role) {
    const promoter = member.promotedBy ?? creator;
    const can_edit = viewer === creator || viewer === promoter;
    const fields = { user_id, promoted_by: BigInt(promoter), date, admin_rights, rank };
    return { _: 'channelParticipantAdmin', can_edit, self, inviter_id: self ? inviter_id : undefined, ...fields };
  }
  return { _: 'channelParticipantSelf', user_id, inviter_id, date };
}

function tlBanned(world: World, chat: ChatRow, id: number): TlObject | undefined {
  const isKicked = chat.kicked?.includes(id) ?? false;
  const ban = banOf(world, chat, id);
  // Journals of earlier versions have no more than the list of those who were removed.
  const known =
    ban ?? (isKicked && !chat.bans?.[String(id)] ? { rights: ['view_messages'], until: 0, by: 0, date: 0 } : undefined);
  if (!known) return undefined;
  return {
    _: 'channelParticipantBanned',
    left: !memberOf(chat, id),
    peer: tlPeer(userPeer(id)),
    kicked_by: BigInt(known.by || (creatorOf(chat) ?? 0)),
    date: known.date,
    banned_rights: tlBannedRights(known.rights, known.until),
  };
}
