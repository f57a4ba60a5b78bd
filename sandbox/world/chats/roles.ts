import { type Change, joinChanges } from '../notices.ts';
import type { Ban, ChatRow } from '../state/rows.ts';
import type { World } from '../world.ts';
import { watchMember, withMembers } from './member-change.ts';
import { creatorOf, memberOf } from './members.ts';
import { addMembers, liftBan, removeMember } from './membership.ts';
import { putChat, tell } from './tell-members.ts';

export interface AdminSetting {
  /** Flags of `chatAdminRights`; the usual ones if left out. */
  rights?: readonly string[] | undefined;
  rank?: string | undefined;
}

/** Makes a user an administrator, and a member before that. */
export function promote(
  world: World,
  chat: ChatRow,
  by: number | undefined,
  id: number,
  { rights, rank }: AdminSetting,
): Change {
  const watched = watchMember(chat, id);
  const joined = addMembers(world, chat, [id], { how: 'invited', by });
  const { date, inviter, invite } = memberOf(chat, id) ?? { date: world.now() };
  chat.members[String(id)] = {
    date,
    ...(inviter === undefined ? {} : { inviter }),
    ...(invite === undefined ? {} : { invite }),
    role: 'admin',
    ...(rights ? { rights: [...rights] } : {}),
    ...(rank ? { rank } : {}),
    ...(by === undefined ? {} : { promotedBy: by }),
  };
  return withMembers(joinChanges(joined, roleChanged(world, chat, id)), watched(by));
}

/** Makes an administrator an ordinary member. */
export function demote(world: World, chat: ChatRow, by: number | undefined, id: number): Change {
  const watched = watchMember(chat, id);
  const { date, inviter, invite } = memberOf(chat, id) ?? { date: world.now() };
  chat.members[String(id)] = {
    date,
    ...(inviter === undefined ? {} : { inviter }),
    ...(invite === undefined ? {} : { invite }),
  };
  return withMembers(roleChanged(world, chat, id), watched(by ?? id));
}

/** Gives a chat to another creator. The one before becomes an administrator. */
export function setCreator(world: World, chat: ChatRow, id: number): Change {
  const before = creatorOf(chat);
  if (before === id) return { updates: [], notices: [] };
  const joined = addMembers(world, chat, [id], { how: 'invited', by: before });
  const demoted = before === undefined ? undefined : promote(world, chat, undefined, before, {});
  const { date } = memberOf(chat, id) ?? { date: world.now() };
  chat.members[String(id)] = { date, role: 'creator' };
  return joinChanges(joined, ...(demoted ? [demoted] : []), roleChanged(world, chat, id));
}

function roleChanged(world: World, chat: ChatRow, id: number): Change {
  putChat(world, chat);
  return chat.kind === 'chat' ? tell(world, chat, 'participants') : tell(world, chat, 'chat', [id]);
}

/** Removes a user, who cannot come back until the ban is lifted or has ended. `until`: seconds since 1970; 0 if the ban is permanent. */
export function kick(world: World, chat: ChatRow, by: number | undefined, id: number, until = 0): Change {
  const removed = removeMember(world, chat, by, id);
  liftBan(chat, id);
  chat.kicked = [...(chat.kicked ?? []), id];
  chat.bans = { ...chat.bans, [id]: { rights: ['view_messages'], until, by: by ?? 0, date: world.now() } };
  world.tables.chats.put(chat);
  return removed.updates.length + removed.notices.length > 0 ? removed : tell(world, chat, 'chat', [id]);
}

/** Limits what a member of a supergroup may do. Without rights all limits are lifted, and a ban too. */
export function restrict(world: World, chat: ChatRow, id: number, ban: Omit<Ban, 'date'>): Change {
  const watched = watchMember(chat, id);
  liftBan(chat, id);
  if (ban.rights.length > 0) chat.bans = { ...chat.bans, [id]: { ...ban, date: world.now() } };
  world.tables.chats.put(chat);
  return withMembers(tell(world, chat, 'chat', [id]), watched(ban.by));
}
