import type { TlObject } from '../../../../sandbox/rpc.ts';

/** `channel:3001` */
export function keyOf({ user_id, chat_id, channel_id }: TlObject): string {
  if (user_id !== undefined) return `user:${user_id}`;
  return chat_id === undefined ? `channel:${channel_id}` : `chat:${chat_id}`;
}

/** Whether a `Chat` is one that its viewer is in. */
export function isMember(chat: TlObject | undefined): boolean {
  return (chat?._ === 'chat' || chat?._ === 'channel') && !chat['left'];
}

/** What a client shows of a group or channel. Nobody is told how many have joined a broadcast channel. */
export function describeChat(chat: TlObject, defaultRights: TlObject | undefined): Record<string, unknown> {
  const { title, username, creator, megagroup, forum, slowmode_enabled, deactivated } = chat;
  return {
    title,
    username,
    creator,
    megagroup,
    forum,
    slowmode_enabled,
    deactivated,
    photo: chat['photo'].photo_id,
    count: chat['broadcast'] ? undefined : chat['participants_count'],
    admin: flagsOf(chat['admin_rights']),
    banned: flagsOf(chat['banned_rights']),
    defaultBanned: flagsOf(defaultRights),
  };
}

export function namesIn(user: TlObject | undefined): Record<string, unknown> {
  return {
    first_name: user?.['first_name'],
    last_name: user?.['last_name'],
    username: user?.['username'],
    userPhoto: user?.['photo']?.photo_id,
  };
}

function flagsOf(rights: TlObject | undefined): string[] | undefined {
  return rights && Object.keys(rights).filter((name) => rights[name] === true);
}
