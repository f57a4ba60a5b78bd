import type { TlObject } from '../../rpc.ts';
import { accessHash } from '../../world/access-hash.ts';
import { memberCount, memberOf, wasKicked } from '../../world/members.ts';
import type { ChatRow } from '../../world/state/rows.ts';
import type { World } from '../../world/world.ts';

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
    id: BigInt(chat.id),
    title: chat.title,
    photo: tlChatPhoto(world, chat),
    participants_count: memberCount(chat),
    date: member.date,
    version: 1,
    deactivated: chat.migratedTo !== undefined,
    migrated_to: chat.migratedTo === undefined ? undefined : tlInputChannel(world, viewer, chat.migratedTo),
    admin_rights: member.role ? adminRights : undefined,
    default_banned_rights: bannedRights(false),
  };
}

function tlInputChannel(world: World, viewer: number, id: number): TlObject {
  return { _: 'inputChannel', channel_id: BigInt(id), access_hash: accessHash(world, viewer, 'channel', id) };
}

function tlChannel(world: World, viewer: number, chat: ChatRow): TlObject {
  const member = memberOf(chat, viewer);
  const hash = accessHash(world, viewer, 'channel', chat.id);
  const kind = { broadcast: !chat.megagroup, megagroup: chat.megagroup ?? false };
  if (!member && (!chat.username || wasKicked(chat, viewer))) {
    return { _: 'channelForbidden', ...kind, id: BigInt(chat.id), access_hash: hash, title: chat.title };
  }
  return {
    _: 'channel',
    ...kind,
    creator: member?.role === 'creator',
    left: !member,
    slowmode_enabled: chat.slowmodeSeconds !== undefined,
    id: BigInt(chat.id),
    access_hash: hash,
    title: chat.title,
    username: chat.username,
    photo: tlChatPhoto(world, chat),
    // When the viewer joined; for others, when the channel was created.
    date: member?.date ?? chat.date,
    admin_rights: member?.role ? adminRights : undefined,
    default_banned_rights: chat.megagroup ? bannedRights(chat.readOnly ?? false) : undefined,
    participants_count: memberCount(chat),
  };
}

function tlChatPhoto(world: World, chat: ChatRow): TlObject {
  const file = chat.photo === undefined ? undefined : world.tables.files.get(chat.photo);
  return file ? { _: 'chatPhoto', photo_id: BigInt(file.id), dc_id: file.dc } : { _: 'chatPhotoEmpty' };
}

export const adminRights: TlObject = {
  _: 'chatAdminRights',
  change_info: true,
  post_messages: true,
  edit_messages: true,
  delete_messages: true,
  ban_users: true,
  invite_users: true,
  pin_messages: true,
  add_admins: true,
  manage_call: true,
  other: true,
};

/** What ordinary members may not do. */
function bannedRights(isReadOnly: boolean): TlObject {
  return {
    _: 'chatBannedRights',
    send_messages: isReadOnly,
    send_media: isReadOnly,
    send_stickers: isReadOnly,
    send_gifs: isReadOnly,
    send_polls: isReadOnly,
    send_photos: isReadOnly,
    send_videos: isReadOnly,
    send_roundvideos: isReadOnly,
    send_audios: isReadOnly,
    send_voices: isReadOnly,
    send_docs: isReadOnly,
    send_plain: isReadOnly,
    change_info: true,
    pin_messages: true,
    until_date: 0x7fffffff,
  };
}
