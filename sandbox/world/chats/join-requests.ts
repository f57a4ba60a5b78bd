import { type Change, joinChanges } from '../notices.ts';
import type { InviteRow, JoinRequestRow } from '../state/chat-rows.ts';
import { samePeer } from '../state/peer.ts';
import type { ChatRow } from '../state/rows.ts';
import type { World } from '../world.ts';
import { memberIds } from './members.ts';
import { addMembers } from './membership.ts';
import { adminRightsOf } from './rights.ts';
import { peerOf, tell } from './tell-members.ts';

/** Who waits to be let into a chat, newest first. */
export function joinRequestsOf(world: World, chat: ChatRow): JoinRequestRow[] {
  const peer = peerOf(chat);
  return [...world.tables.joinRequests.values()].filter((request) => samePeer(request.chat, peer)).toReversed();
}

/** Asks the administrators to be let in. A request that is repeated stays as it is. */
export function requestToJoin(world: World, chat: ChatRow, userId: number, invite: InviteRow): Change {
  const known = joinRequestsOf(world, chat).some((request) => request.userId === userId);
  if (known) return { updates: [], notices: [] };
  world.tables.joinRequests.put({ chat: peerOf(chat), userId, date: world.now(), invite: invite.hash });
  return tellAdmins(world, chat);
}

/** Lets the user in, or not. */
export function settleJoinRequest(world: World, chat: ChatRow, request: JoinRequestRow, isApproved: boolean): Change {
  world.tables.joinRequests.delete(world.tables.joinRequests.keyOf(request));
  const told = tellAdmins(world, chat);
  if (!isApproved) return told;
  const invite = world.tables.invites.get(request.invite);
  if (invite) world.tables.invites.put({ ...invite, usage: invite.usage + 1 });
  const by = invite?.admin ?? 0;
  const joined = addMembers(world, chat, [request.userId], { how: 'request', by, invite: request.invite });
  return joinChanges(told, joined);
}

const tellAdmins = (world: World, chat: ChatRow): Change =>
  tell(
    world,
    chat,
    'joinRequests',
    memberIds(chat).filter((id) => adminRightsOf(chat, id)?.includes('invite_users')),
  );
