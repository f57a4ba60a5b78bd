import { RpcError } from '../../rpc.ts';
import type { InviteRow } from '../state/chat-rows.ts';
import { peerKey, samePeer } from '../state/peer.ts';
import type { ChatRow } from '../state/rows.ts';
import type { World } from '../world.ts';
import { peerOf } from './tell-members.ts';

const maxUsageLimit = 99_999;

export interface InviteFields {
  title?: string | undefined;
  /** Seconds since 1970; 0: never. */
  expires?: number | undefined;
  /** Users who may join; 0: any number. */
  limit?: number | undefined;
  requestNeeded?: boolean | undefined;
}

/** Makes a link. @throws {RpcError} 400 EXPIRE_DATE_INVALID, USAGE_LIMIT_INVALID */
export function createInvite(world: World, chat: ChatRow, admin: number, fields: InviteFields): InviteRow {
  const hash = world.random(12).toString('base64url');
  return putInvite(world, { hash, chat: peerOf(chat), admin, date: world.now(), usage: 0 }, fields);
}

/** Changes a link; what is left out stays. @throws {RpcError} as {@link createInvite} */
export function putInvite(world: World, invite: InviteRow, fields: InviteFields): InviteRow {
  const { title, expires, limit, requestNeeded } = { ...invite, ...withoutUndefined(fields) };
  if (expires && fields.expires && expires <= world.now()) throw new RpcError(400, 'EXPIRE_DATE_INVALID');
  const isLimitValid = (limit ?? 0) >= 0 && (limit ?? 0) <= maxUsageLimit && !(limit && requestNeeded);
  if (!isLimitValid) throw new RpcError(400, 'USAGE_LIMIT_INVALID');
  const { hash, chat, admin, date, usage, permanent, revoked } = invite;
  return world.tables.invites.put({
    hash,
    chat,
    admin,
    date,
    usage,
    ...(title ? { title } : {}),
    ...(expires ? { expires } : {}),
    ...(limit ? { limit } : {}),
    ...(requestNeeded ? { requestNeeded } : {}),
    ...(permanent ? { permanent } : {}),
    ...(revoked ? { revoked } : {}),
  });
}

/** The link of an administrator that never expires; a new one takes the place of the one before, which is revoked. */
export function replacePermanentInvite(world: World, chat: ChatRow, admin: number): InviteRow {
  const before = invitesOf(world, chat, admin).find(({ permanent, revoked }) => permanent && !revoked);
  if (before) revokeInvite(world, before);
  return world.tables.invites.put({ ...createInvite(world, chat, admin, {}), permanent: true });
}

export function revokeInvite(world: World, invite: InviteRow): InviteRow {
  return world.tables.invites.put({ ...invite, revoked: true });
}

/** The links of an administrator, newest first. */
export function invitesOf(world: World, chat: ChatRow, admin: number): InviteRow[] {
  const peer = peerOf(chat);
  return [...world.tables.invites.values()]
    .filter((invite) => invite.admin === admin && samePeer(invite.chat, peer))
    .toReversed();
}

/**
 * The link that a user can join with, and its chat.
 * @throws {RpcError} 400 INVITE_HASH_EMPTY, INVITE_HASH_INVALID, INVITE_HASH_EXPIRED
 */
export function requireInvite(world: World, hash: string): { invite: InviteRow; chat: ChatRow } {
  if (hash === '') throw new RpcError(400, 'INVITE_HASH_EMPTY');
  const invite = world.tables.invites.get(hash);
  if (!invite) throw new RpcError(400, 'INVITE_HASH_INVALID');
  const chat = world.tables.chats.get(peerKey(invite.chat));
  const isOver = invite.expires !== undefined && invite.expires <= world.now();
  const isUsedUp = invite.limit !== undefined && invite.usage >= invite.limit;
  if (!chat || chat.deleted || chat.migratedTo !== undefined || invite.revoked || isOver || isUsedUp) {
    throw new RpcError(400, 'INVITE_HASH_EXPIRED');
  }
  return { invite, chat };
}

const withoutUndefined = <Fields extends object>(fields: Fields): Partial<Fields> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<Fields>;
