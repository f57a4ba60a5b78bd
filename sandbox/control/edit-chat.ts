import {
  setAbout,
  setMembersHidden,
  setPhoto,
  setReadOnly,
  setSlowMode,
  setTitle,
  setUsername,
} from '../world/chats/chat-info.ts';
import { actorOf, memberOf } from '../world/chats/members.ts';
import { addMembers, removeMember } from '../world/chats/membership.ts';
import { demote, kick, promote, setCreator } from '../world/chats/roles.ts';
import { addProfilePhoto, nextFileId } from '../world/files/add-file.ts';
import { type Change, joinChanges, noChange } from '../world/notices.ts';
import type { ChatRow } from '../world/state/rows.ts';
import type { World } from '../world/world.ts';

export interface ChatFields {
  title?: string;
  about?: string;
  username?: string;
  photo?: boolean;
  readOnly?: boolean;
  membersHidden?: boolean;
  slowmodeSeconds?: number;
}
export const memberRoles = ['creator', 'admin', 'member', 'left', 'kicked'] as const;
export type MemberRole = (typeof memberRoles)[number];

/** Changes a chat as its creator would. A value that stays the same pushes no update. */
export function editChat(world: World, chat: ChatRow, fields: ChatFields): Change {
  const { title, about, username, photo, readOnly, membersHidden, slowmodeSeconds } = fields;
  const by = actorOf(chat);
  const changes: Change[] = [];
  if (title !== undefined && title !== chat.title) changes.push(setTitle(world, chat, by, title));
  if (about !== undefined && about !== chat.about) changes.push(setAbout(world, chat, about));
  if (username !== undefined && username !== (chat.username ?? '')) changes.push(setUsername(world, chat, username));
  if (photo === true) changes.push(setPhoto(world, chat, by, newPhoto(world, chat)));
  if (photo === false && chat.photo !== undefined) changes.push(setPhoto(world, chat, by, undefined));
  const isGroup = chat.kind === 'chat' || chat.megagroup;
  if (readOnly !== undefined && isGroup) changes.push(setReadOnly(world, chat, readOnly));
  if (membersHidden !== undefined) changes.push(setMembersHidden(world, chat, membersHidden));
  if (slowmodeSeconds !== undefined) changes.push(setSlowMode(world, chat, slowmodeSeconds));
  return joinChanges(...changes);
}

const newPhoto = (world: World, { dc }: ChatRow): number =>
  addProfilePhoto(world, dc, nextFileId(world) % 9_973, world.now()).id;

/** Makes a user what the role says, as the chat's creator would; a user who leaves does so by itself. */
export function setRole(world: World, chat: ChatRow, id: number, role: MemberRole): Change {
  const actor = actorOf(chat);
  const by = actor === id ? undefined : actor;
  switch (role) {
    case 'creator':
      return setCreator(world, chat, id);
    case 'admin':
      return promote(world, chat, by, id, {});
    case 'member':
      if (memberOf(chat, id)?.role) return demote(world, chat, by, id);
      return addMembers(world, chat, [id], { how: 'invited', by: actor });
    case 'left':
      return memberOf(chat, id) ? removeMember(world, chat, id, id) : noChange;
    case 'kicked':
      return kick(world, chat, actor, id);
  }
}
