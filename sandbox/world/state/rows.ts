import type { SrpVerifier } from '../../crypto/srp.ts';
import type { TlObject } from '../../rpc.ts';
import type { MediaRow } from './file-rows.ts';
import type { PeerKey, PeerRef } from './peer.ts';

/**
 * The rows of the world's tables: JSON, Buffers and bigints. Dates are seconds since 1970, as Telegram's are. The
 * journal stores rows as they are: a renamed field makes older journals unreadable.
 */

export interface UserRow {
  id: number;
  firstName: string;
  lastName?: string;
  username?: string;
  /** Digits only. */
  phone?: string;
  /** Other users neither see the phone number nor find the user by it. */
  phoneHidden?: boolean;
  about?: string;
  /** The data centre that the account belongs to. */
  dc: number;
  bot?: boolean;
  deleted?: boolean;
  support?: boolean;
  premium?: boolean;
  /** Telegram has frozen the account: it may read, and do nothing else. */
  frozen?: boolean;
  /** Accepts messages only from contacts and premium users. */
  contactsOnly?: boolean;
  /** Listed by the control API, which can act as the user's phone. */
  account?: boolean;
  photo?: number;
  /** The two-step password. */
  password?: { verifier: SrpVerifier; hint: string };
  contacts?: number[];
  /** Users who may see stories for close friends. */
  closeFriends?: number[];
  /** Users who may not write to this user. */
  blocked?: number[];
}

type MemberRole = 'creator' | 'admin';

export interface Member {
  /** When the member joined. */
  date: number;
  role?: MemberRole;
  inviter?: number;
}

/** A basic group, a supergroup or a channel. */
export interface ChatRow {
  kind: 'chat' | 'channel';
  id: number;
  title: string;
  about: string;
  username?: string;
  /** A supergroup. A `channel` without it is a broadcast channel. */
  megagroup?: boolean;
  date: number;
  dc: number;
  photo?: number;
  /** By user ID. */
  members: Record<string, Member>;
  /** Only administrators see the member list. */
  membersHidden?: boolean;
  /** Only administrators may write. */
  readOnly?: boolean;
  slowmodeSeconds?: number;
  /** ID of the pinned message. */
  pinned?: number;
  /** Users who were removed. */
  kicked?: number[];
  /** Basic groups only: the supergroup that this group has become. */
  migratedTo?: number;
  /** Supergroups only: the basic group that this group was. */
  migratedFrom?: number;
}

export interface MessageRow {
  /** The message box that the ID belongs to: `user:1001` for private chats and basic groups, else `channel:3001`. */
  box: PeerKey;
  id: number;
  /** The chat as the owner of the box sees it. */
  peer: PeerRef;
  /** The sender. */
  from?: number;
  out: boolean;
  date: number;
  text: string;
  entities?: TlObject[];
  media?: MediaRow;
  /** A service message: the TL `MessageAction`. */
  action?: TlObject;
  replyTo?: number;
  silent?: boolean;
  editDate?: number;
  groupedId?: string;
  views?: number;
  pinned?: boolean;
  /** Sent in a broadcast channel. */
  post?: boolean;
  /** The same in all copies of a message. */
  twin: string;
  /** The sender's copy only; decimal. */
  randomId?: string;
  /** The sender's copy only: the `hash` of the login that sent it. */
  sentBy?: string;
}

/** An event in a message box. `updates.getDifference` answers with these. */
export interface UpdateRow {
  box: PeerKey;
  /** The box's counter after the update. */
  pts: number;
  /** By how much the update raised `pts`. */
  count: number;
  date: number;
  kind: 'new' | 'edit' | 'delete' | 'readInbox' | 'readOutbox';
  ids: number[];
  peer?: PeerRef;
  maxId?: number;
  unread?: number;
}

export interface StoryRow {
  owner: number;
  id: number;
  date: number;
  /** From then on only its owner sees it, in the archive. */
  expires: number;
  caption: string;
  entities: TlObject[];
  media: MediaRow;
  /** TL `PrivacyRule`s. */
  privacy: TlObject[];
  /** Decimal. */
  randomId: string;
  /** The `hash` of the login that posted it. */
  sentBy?: string;
  pinned?: boolean;
  noforwards?: boolean;
}

/** The counters of a message box: https://core.telegram.org/api/updates#message-related-event-sequences */
export interface BoxRow {
  box: PeerKey;
  pts: number;
  nextId: number;
  /** Updates with a `pts` up to this one are no longer kept. */
  minPts: number;
}

/** What a user has set in one chat. */
export interface DialogRow {
  owner: number;
  peer: PeerRef;
  readInbox: number;
  readOutbox: number;
  /** In folder 1, the archive. */
  archived?: boolean;
  /** When the owner last wrote in a supergroup with slow mode. */
  lastSent?: number;
}

/** A key that is logged in, waits for the password, or was logged out from elsewhere. */
export interface LoginRow {
  keyId: string;
  userId: number;
  dc: number;
  state: 'passwordPending' | 'active' | 'revoked';
  /** Decimal. Keys of other data centres that were imported from this login have the same. */
  hash: string;
  /** Made by `auth.importAuthorization`: not a device of its own. */
  imported: boolean;
  created: number;
  active: number;
  apiId: number;
  model: string;
  systemVersion: string;
  appVersion: string;
}

/** A QR login token. */
export interface TokenRow {
  /** Hex. */
  token: string;
  keyId: string;
  /** Seconds since 1970, with fractions. */
  expires: number;
  exceptIds: string[];
  acceptedBy?: number;
  used?: boolean;
}

/** A counter of the world. */
export interface MetaRow {
  name: string;
  value: number;
}
