import type { TlObject } from '../../rpc.ts';
import { memberCount, memberIds } from '../../world/chats/members.ts';
import type { InviteRow } from '../../world/state/chat-rows.ts';
import { samePeer } from '../../world/state/peer.ts';
import type { ChatRow } from '../../world/state/rows.ts';
import type { World } from '../../world/world.ts';
import { tlPhoto } from './tl-file.ts';
import { tlUser } from './tl-user.ts';

/** Members of a group whom its invite link shows. */
const maxShownMembers = 5;

/** An invite link as administrators see it. */
export function tlExportedInvite(world: World, invite: InviteRow): TlObject {
  const waiting = [...world.tables.joinRequests.values()].filter(
    (request) => request.invite === invite.hash && samePeer(request.chat, invite.chat),
  );
  return {
    _: 'chatInviteExported',
    revoked: invite.revoked ?? false,
    permanent: invite.permanent ?? false,
    request_needed: invite.requestNeeded ?? false,
    link: `https://t.me/+${invite.hash}`,
    admin_id: BigInt(invite.admin),
    date: invite.date,
    expire_date: invite.expires,
    usage_limit: invite.limit,
    usage: invite.usage || undefined,
    requested: waiting.length || undefined,
    title: invite.title,
  };
}

/** The hash in a link of any form: `https://t.me/+HASH`, `https://t.me/joinchat/HASH`, `tg://join?invite=HASH`. */
export function hashInLink(link: string): string {
  return /(?:\+|joinchat\/|invite=)([\w-]+)$/.exec(link)?.[1] ?? link;
}

/** What a link shows someone who has not joined yet. */
export function tlChatInvite(world: World, viewer: number, chat: ChatRow, invite: InviteRow): TlObject {
  const photo = chat.photo === undefined ? undefined : world.tables.files.get(chat.photo);
  const isBroadcast = chat.kind === 'channel' && !chat.megagroup;
  const known = world.tables.users.get(viewer)?.contacts ?? [];
  const shown = isBroadcast || chat.membersHidden ? [] : memberIds(chat).filter((id) => known.includes(id));
  const users = shown.slice(0, maxShownMembers).flatMap((id) => world.tables.users.get(id) ?? []);
  return {
    _: 'chatInvite',
    channel: chat.kind === 'channel',
    broadcast: isBroadcast,
    public: chat.username !== undefined,
    megagroup: chat.megagroup ?? false,
    request_needed: invite.requestNeeded ?? false,
    title: chat.title,
    about: chat.about || undefined,
    photo: photo ? tlPhoto(world, viewer, photo) : { _: 'photoEmpty', id: 0n },
    participants_count: memberCount(chat),
    participants: users.length > 0 ? users.map((user) => tlUser(world, viewer, user)) : undefined,
    color: chat.id % 7,
  };
}
