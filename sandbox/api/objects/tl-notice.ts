import type { TlObject } from '../../rpc.ts';
import { joinRequestsOf } from '../../world/chats/join-requests.ts';
import { memberIds } from '../../world/chats/members.ts';
import type { NoticeRow } from '../../world/state/chat-rows.ts';
import { type PeerRef, peerKey, userPeer } from '../../world/state/peer.ts';
import type { ChatRow } from '../../world/state/rows.ts';
import type { World } from '../../world/world.ts';
import { MentionedPeers } from './mentioned-peers.ts';
import { tlChatParticipants } from './tl-chat-participants.ts';
import { tlDefaultBannedRights } from './tl-chat-rights.ts';
import { tlPeer } from './tl-peer.ts';

const maxRecentRequesters = 3;

/** An update without `pts`, with the state of now; undefined if its peer is gone. */
function tlNotice(world: World, { owner, kind, peer }: NoticeRow): TlObject | undefined {
  if (peer.kind === 'user') return tlUserNotice(world, kind, peer.id);
  const chat = world.tables.chats.get(peerKey(peer));
  if (!chat) return undefined;
  switch (kind) {
    case 'participants':
      return { _: 'updateChatParticipants', participants: tlChatParticipants(owner, chat) };
    case 'joinRequests':
      return tlPendingRequests(world, chat);
    case 'defaultRights':
      return {
        _: 'updateChatDefaultBannedRights',
        peer: tlPeer(peer),
        default_banned_rights: tlDefaultBannedRights(chat),
        version: chat.version ?? 1,
      };
    default:
      return peer.kind === 'channel'
        ? { _: 'updateChannel', channel_id: BigInt(peer.id) }
        : { _: 'updateChat', chat_id: BigInt(peer.id) };
  }
}

function tlPendingRequests(world: World, chat: ChatRow): TlObject {
  const requests = joinRequestsOf(world, chat);
  return {
    _: 'updatePendingJoinRequests',
    peer: tlPeer({ kind: chat.kind, id: chat.id }),
    requests_pending: requests.length,
    recent_requesters: requests.slice(0, maxRecentRequesters).map(({ userId }) => BigInt(userId)),
  };
}

function tlUserNotice(world: World, kind: NoticeRow['kind'], id: number): TlObject | undefined {
  const user = world.tables.users.get(id);
  if (!user) return undefined;
  const user_id = BigInt(id);
  if (kind !== 'userName') return { _: 'updateUser', user_id };
  const { username } = user;
  const usernames = username ? [{ _: 'username', active: true, editable: true, username }] : [];
  return { _: 'updateUserName', user_id, first_name: user.firstName, last_name: user.lastName ?? '', usernames };
}

/** These notices as updates, each once, and the users and chats that they are about. */
export function tlNotices(
  world: World,
  viewer: number,
  notices: Iterable<NoticeRow>,
): { updates: TlObject[]; mentioned: MentionedPeers } {
  const distinct = [...new Set(notices)];
  return {
    updates: distinct.flatMap((notice) => tlNotice(world, notice) ?? []),
    mentioned: new MentionedPeers(world, viewer).add(...distinct.flatMap((notice) => peersOfNotice(world, notice))),
  };
}

function peersOfNotice(world: World, { kind, peer }: NoticeRow): PeerRef[] {
  const chat = world.tables.chats.get(peerKey(peer));
  if (chat && kind === 'participants') return [peer, ...memberIds(chat).map(userPeer)];
  if (chat && kind === 'joinRequests') return [peer, ...joinRequestsOf(world, chat).map((row) => userPeer(row.userId))];
  return [peer];
}
