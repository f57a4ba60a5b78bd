import type { Change, MemberChange } from '../notices.ts';
import type { ChatRow } from '../state/rows.ts';
import { memberOf } from './members.ts';

/**
 * Notes what a user is in a chat.
 * @returns makes the change between then and its call, by whom; none if nothing of the user has changed
 */
export function watchMember(chat: ChatRow, id: number): (by: number | undefined) => MemberChange[] {
  const before = withUserAlone(chat, id);
  return (by) => {
    const after = withUserAlone(chat, id);
    if (by === undefined || JSON.stringify(before) === JSON.stringify(after)) return [];
    return [{ id, by, before, after }];
  };
}

/** The same change, told as one of its members. */
export const withMembers = ({ updates, notices }: Change, members: MemberChange[]): Change => ({
  updates,
  notices,
  members,
});

function withUserAlone(chat: ChatRow, id: number): ChatRow {
  const member = memberOf(chat, id);
  const ban = chat.bans?.[String(id)];
  return structuredClone({
    ...chat,
    version: 1,
    members: member ? { [id]: member } : {},
    bans: ban ? { [id]: ban } : {},
    kicked: chat.kicked?.includes(id) ? [id] : [],
  });
}
