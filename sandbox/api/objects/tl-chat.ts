import type { TlObject } from '../../rpc.ts';
import { accessHash } from '../../world/access-hash.ts';
import { memberCount, memberOf, wasKicked } from '../../world/chats/members.ts';
import { adminRightsOf, banOf } from '../../world/chats/rights.ts';
import type { ChatRow } from '../../world/state/rows.ts';
import type { World } from '../../world/world.ts';
import { tlAdminRights, tlBannedRights, tlDefaultBannedRights } from './tl-chat-rights.ts';

/** A basic group, supergroup or channel as one viewer sees it; `…Forbidden` if the viewer may not see it. */
export function tlChat(world: World, viewer: number, chat: ChatRow): TlObject {
  return chat.kind === 'chat' ? tlBasicGroup(world, viewer, chat) : tlChannel(world, viewer, chat);
}

function tlBasicGroup(world: World, viewer: number, chat: ChatRow): TlObject {
  const member = memberOf(chat, viewer);
  if (!member) return { _: 'chatForbidden', id: BigInt(chat.id), title: chat.title };
  return {
    _: 'chat',
    creator: member.role === 'creator',
    noforwards: chat.noForwards ?? false,
    id: BigInt(chat.id),
    title: chat.title,
    photo: tlChatPhoto(world, chat),
    participants_count: memberCount(chat),
    date: member.date,
    version: chat.version ?? 1,
    deactivated: chat.migratedTo !== undefined,
    migrated_to: chat.migratedTo === undefined ? undefined : tlInputChannel(world, viewer, chat.migratedTo),
    admin_rights: tlOwnRights(chat, viewer),
    default_banned_rights: tlDefaultBannedRights(chat),
  };
}

function tlInputChannel(world: World, viewer: number, id: number): TlObject {
  return { _: 'inputChannel', channel_id: BigInt(id), access_hash: accessHash(world, viewer, 'channel', id) };
}

function tlChannel(world: World, viewer: number, chat: ChatRow): TlObject {
  const member = memberOf(chat, viewer);
  const hash = accessHash(world, viewer, 'channel', chat.id);
  const kind = { broadcast: !chat.megagroup, megagroup: chat.megagroup ?? false };
  const ban = banOf(world, chat, viewer);
  if (!member && (!chat.username || wasKicked(world, chat, viewer))) {
    const until_date = ban?.until || undefined;
    return { _: 'channelForbidden', ...kind, id: BigInt(chat.id), access_hash: hash, title: chat.title, until_date };
  }
  return {
    _: 'channel',
    ...kind,
    creator: member?.role === 'creator',
    noforwards: chat.noForwards ?? false,
    left: !member,
    forum: chat.forum ?? false,
    slowmode_enabled: chat.slowmodeSeconds !== undefined,
    id: BigInt(chat.id),
    access_hash: hash,
    title: chat.title,
    username: chat.username,
    photo: tlChatPhoto(world, chat),
    // When the viewer joined; for others, when the channel was created.
    date: member?.date ?? chat.date,
    admin_rights: tlOwnRights(chat, viewer),
    banned_rights: member && ban ? tlBannedRights(ban.rights, ban.until) : undefined,
    default_banned_rights: chat.megagroup ? tlDefaultBannedRights(chat) : undefined,
    participants_count: memberCount(chat),
  };
}

function tlOwnRights(chat: ChatRow, viewer: number): TlObject | undefined {
  const rights = adminRightsOf(chat, viewer);
  return rights && tlAdminRights(rights);
}

function tlChatPhoto(world: World, chat: ChatRow): TlObject {
  const file = chat.photo === undefined ? undefined : world.tables.files.get(chat.photo);
  return file ? { _: 'chatPhoto', photo_id: BigInt(file.id), dc_id: file.dc } : { _: 'chatPhotoEmpty' };
}
