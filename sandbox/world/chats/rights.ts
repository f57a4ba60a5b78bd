import { RpcError } from '../../rpc.ts';
import type { Ban, ChatRow } from '../state/rows.ts';
import type { World } from '../world.ts';
import { memberOf } from './members.ts';

/** The flags of `chatAdminRights` of both layers: https://core.telegram.org/constructor/chatAdminRights */
export const adminRightNames = [
  'change_info',
  'post_messages',
  'edit_messages',
  'delete_messages',
  'ban_users',
  'invite_users',
  'pin_messages',
  'add_admins',
  'anonymous',
  'manage_call',
  'other',
  'manage_topics',
  'post_stories',
  'edit_stories',
  'delete_stories',
] as const;
type AdminRight = (typeof adminRightNames)[number];

/** The flags of `chatBannedRights` that forbid a kind of message. */
const sendRightNames = [
  'send_messages',
  'send_media',
  'send_stickers',
  'send_gifs',
  'send_games',
  'send_inline',
  'embed_links',
  'send_polls',
  'send_photos',
  'send_videos',
  'send_roundvideos',
  'send_audios',
  'send_voices',
  'send_docs',
  'send_plain',
] as const;
/** The flags of `chatBannedRights` of both layers: https://core.telegram.org/constructor/chatBannedRights */
export const bannedRightNames = [
  'view_messages',
  ...sendRightNames,
  'change_info',
  'invite_users',
  'pin_messages',
  'manage_topics',
] as const;

/** What an administrator has whose rights nobody has limited. */
const usualAdminRights = adminRightNames.filter((name) => name !== 'anonymous' && !name.endsWith('_stories'));
/** What ordinary members may not do in a group whose rights nobody has changed. */
const usuallyBanned = ['change_info', 'pin_messages'];

/** The flags of `chatAdminRights` that a member has; undefined if the member is no administrator. */
export function adminRightsOf(chat: ChatRow, userId: number): readonly string[] | undefined {
  const member = memberOf(chat, userId);
  if (!member?.role) return undefined;
  return member.role === 'creator' ? usualAdminRights : (member.rights ?? usualAdminRights);
}

/** What ordinary members of a group may not do. */
export function defaultBannedOf(chat: ChatRow): readonly string[] {
  if (chat.defaultBanned) return chat.defaultBanned;
  return chat.readOnly ? [...sendRightNames, ...usuallyBanned] : usuallyBanned;
}

/** The restrictions of one user that are in force. */
export function banOf(world: World, chat: ChatRow, userId: number): Ban | undefined {
  const ban = chat.bans?.[String(userId)];
  return ban && (ban.until === 0 || ban.until > world.now()) ? ban : undefined;
}

/** Whether the group or one's own restrictions forbid this flag of `chatBannedRights`. It never applies to administrators. */
export function isBannedFrom(world: World, chat: ChatRow, userId: number, right: string): boolean {
  if (memberOf(chat, userId)?.role) return false;
  return defaultBannedOf(chat).includes(right) || (banOf(world, chat, userId)?.rights.includes(right) ?? false);
}

/** @throws {RpcError} 400 CHAT_ADMIN_REQUIRED */
export function requireAdminRight(chat: ChatRow, userId: number, right: AdminRight): void {
  if (!adminRightsOf(chat, userId)?.includes(right)) throw new RpcError(400, 'CHAT_ADMIN_REQUIRED');
}

/**
 * For what groups may allow all their members. The right has the same name for administrators and for members.
 * @throws {RpcError} 400 CHAT_ADMIN_REQUIRED
 */
export function requireMemberRight(
  world: World,
  chat: ChatRow,
  userId: number,
  right: 'change_info' | 'invite_users' | 'pin_messages' | 'manage_topics',
): void {
  if (memberOf(chat, userId)?.role) return requireAdminRight(chat, userId, right);
  const isGroup = chat.kind === 'chat' || chat.megagroup;
  if (!isGroup || isBannedFrom(world, chat, userId, right)) throw new RpcError(400, 'CHAT_ADMIN_REQUIRED');
}
