import type { PeerRef } from './peer.ts';

/**
 * That something has changed for a user: an update without `pts`. There is one row for each kind and peer, with the date
 * of the last change: the update is made of the state at the time when it is sent.
 */
export interface NoticeRow {
  owner: number;
  kind: 'chat' | 'participants' | 'defaultRights' | 'joinRequests' | 'userName' | 'user';
  peer: PeerRef;
  date: number;
}

/** An invite link of a group or channel. */
export interface InviteRow {
  /** The part of the link that names it. */
  hash: string;
  chat: PeerRef;
  /** The administrator whose link it is. */
  admin: number;
  date: number;
  title?: string;
  /** Seconds since 1970. */
  expires?: number;
  /** Users who may join with it. */
  limit?: number;
  /** Users who have joined with it. */
  usage: number;
  /** An administrator has to approve who joins. */
  requestNeeded?: boolean;
  /** The first link of an administrator, which never expires. */
  permanent?: boolean;
  revoked?: boolean;
}

/** A user who waits for the approval of an administrator. */
export interface JoinRequestRow {
  chat: PeerRef;
  userId: number;
  date: number;
  /** The hash of the link. */
  invite: string;
}

/** A topic of a forum. Its ID is that of the service message that has opened it; General is 1. */
export interface TopicRow {
  channel: number;
  id: number;
  title: string;
  iconColor: number;
  /** Decimal: the custom emoji. */
  iconEmojiId?: string;
  from: number;
  date: number;
  closed?: boolean;
  hidden?: boolean;
  pinned?: boolean;
}

/** Up to where a user has read a topic, and others the user's messages in it. */
export interface TopicReadRow {
  owner: number;
  channel: number;
  topic: number;
  readInbox: number;
  readOutbox: number;
}
