import type { NoticeRow } from './state/chat-rows.ts';
import type { UpdateRow } from './state/message-rows.ts';
import type { PeerRef } from './state/peer.ts';
import type { ChatRow } from './state/rows.ts';
import type { World } from './world.ts';

/** What a change has to tell: updates of message boxes, in order, and updates without `pts`. */
export interface Change {
  updates: UpdateRow[];
  notices: NoticeRow[];
  /** For bots that are administrators. Left out: none. */
  members?: MemberChange[];
}

/** What a user is in a chat has changed. */
export interface MemberChange {
  id: number;
  by: number;
  /** The chat as it was and as it is, with this user alone. */
  before: ChatRow;
  after: ChatRow;
}

export const noChange: Change = { updates: [], notices: [] };

export function joinChanges(...changes: readonly Change[]): Change {
  return {
    updates: changes.flatMap(({ updates }) => updates),
    notices: changes.flatMap(({ notices }) => notices),
    members: changes.flatMap(({ members = [] }) => members),
  };
}

/** Records that something has changed for these users. Users without a login have nobody to tell: they are skipped. */
export function recordNotices(
  world: World,
  kind: NoticeRow['kind'],
  peer: PeerRef,
  owners: Iterable<number>,
): NoticeRow[] {
  const date = world.now();
  return [...new Set(owners)]
    .filter((owner) => world.tables.activeLogins(owner).length > 0)
    .map((owner) => world.tables.notices.put({ owner, kind, peer, date }));
}

/** What has changed for a user since a date, seconds since 1970 and inclusive. */
export function noticesSince(world: World, owner: number, date: number): NoticeRow[] {
  return [...world.tables.notices.values()].filter((notice) => notice.owner === owner && notice.date >= date);
}
