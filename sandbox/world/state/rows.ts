import type { SrpVerifier } from '../../crypto/srp.ts';
import type { TlObject } from '../../rpc.ts';
import type { MediaRow } from './file-rows.ts';
import type { CodeType } from './login-rows.ts';
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
  /** Short names that the user is found by too, although no username can be so short. */
  aliases?: string[];
  /** Digits only. */
  phone?: string;
  /** Other users neither see the phone number nor find the user by it. */
  phoneHidden?: boolean;
  about?: string;
  /** The data centre that the account belongs to. */
  dc: number;
  /** How its login codes are sent; as Telegram would choose if left out. */
  codeType?: CodeType;
  /** For login codes, and for the recovery of the password. */
  email?: string;
  /** Its number may not log in. */
  banned?: boolean;
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
  /** The profile photos before it, the latest first. */
  olderPhotos?: number[];
  /** The two-step password. */
  password?: { verifier: SrpVerifier; hint: string };
  contacts?: number[];
  /** By user ID: the names under which contacts are saved. */
  contactNames?: Record<string, { firstName: string; lastName: string }>;
  /** Users who may see stories for close friends. */
  closeFriends?: number[];
  /** Users who may not write to this user. */
  blocked?: number[];
  /** Users who may not see this user's stories. */
  storiesBlocked?: number[];
  /** When users were blocked, by user ID. */
  blockedAt?: Record<string, number>;
  /** Forwarded messages of this user show a name, and no account. */
  forwardsHidden?: boolean;
  /** TL `PeerNotifySettings` of chats without their own. */
  notify?: Partial<Record<'users' | 'chats' | 'broadcasts', TlObject>>;
  /** The reactions that the user has given, the latest first: see `GivenReaction`. */
  recentReactions?: string[];
}

type MemberRole = 'creator' | 'admin';

export interface Member {
  /** When the member joined. */
  date: number;
  role?: MemberRole;
  inviter?: number;
  /** Administrators only: flags of `chatAdminRights`. Left out: all but anonymity. */
  rights?: string[];
  /** The title of an administrator. */
  rank?: string;
  promotedBy?: number;
  /** The hash of the invite link with which the member joined. */
  invite?: string;
}

/** What one user may not do in a supergroup or channel. */
export interface Ban {
  /** Flags of `chatBannedRights`. With `view_messages` the user was removed. */
  rights: string[];
  /** Seconds since 1970; 0 if it is permanent. */
  until: number;
  by: number;
  date: number;
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
  /** The reactions that are allowed: see `GivenReaction`. All if left out. */
  reactions?: string[];
  /** Messages may be neither forwarded nor saved. */
  noForwards?: boolean;
  /** ID of the pinned message. */
  pinned?: number;
  /** Users who were removed. */
  kicked?: number[];
  /** By user ID: members with restrictions, and how long those in `kicked` are banned; permanently if left out. */
  bans?: Record<string, Ban>;
  /** What ordinary members may not do: flags of `chatBannedRights`. Left out: what is usual, or see `readOnly`. */
  defaultBanned?: string[];
  /** Basic groups only: raised with each change of the members or their rights. */
  version?: number;
  /** Supergroups only: messages are in topics. */
  forum?: boolean;
  /** Deleted for all by its creator: nobody is a member. */
  deleted?: boolean;
  /** Basic groups only: the supergroup that this group has become. */
  migratedTo?: number;
  /** Supergroups only: the basic group that this group was. */
  migratedFrom?: number;
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
  /** Pinned in its folder: the highest comes first. */
  pinned?: number;
  /** Marked as unread by hand. */
  unreadMark?: boolean;
  /** TL `PeerNotifySettings`; those of topics by the topic's ID. */
  notify?: TlObject;
  topicNotify?: Record<string, TlObject>;
  /** When the owner last wrote in a supergroup with slow mode. */
  lastSent?: number;
}

/** A key that is logged in, waits for the password, or was logged out from elsewhere. */
export interface LoginRow {
  keyId: string;
  userId: number;
  dc: number;
  /** `duplicated`: its key was used from two addresses at the same time. */
  state: 'passwordPending' | 'active' | 'revoked' | 'duplicated';
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
