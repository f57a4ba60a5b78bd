import type { SrpVerifier } from '../../crypto/srp.ts';
import type { TlObject } from '../../rpc.ts';
import type { SampleName } from '../files/sample-files.ts';
import type { PeerKey, PeerRef } from './peer.ts';

/** The rows of the world's tables: plain JSON (but for Buffer and bigint, which the journal writes too). Dates are
 * seconds since 1970, as Telegram's are. */

export interface UserRow {
  id: number;
  firstName: string;
  lastName?: string;
  username?: string;
  /** Digits. */
  phone?: string;
  /** Nobody but the user's contacts sees the phone number, or finds the user by it. */
  phoneHidden?: boolean;
  about?: string;
  /** The data centre the account lives in. */
  dc: number;
  bot?: boolean;
  deleted?: boolean;
  support?: boolean;
  premium?: boolean;
  /** Takes messages from contacts and premium users alone. */
  contactsOnly?: boolean;
  /** The control API lists it: it has a phone that can be played. */
  account?: boolean;
  photo?: number;
  password?: { verifier: SrpVerifier; hint: string };
  contacts?: number[];
  /** Who may see stories for close friends. */
  closeFriends?: number[];
  /** Users who may not write to this one. */
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
  /** Of a `channel`: people talk in it; otherwise it broadcasts. */
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
  pinned?: number;
  /** Users who were put out. */
  kicked?: number[];
  /** The supergroup that a basic group has become, and the other way round. */
  migratedTo?: number;
  migratedFrom?: number;
}

/** How the bytes of a file come to be: made again at need, or kept. */
export type FileContent =
  | { form: 'mosaic'; seed: number; width: number; height: number }
  | { form: 'noise'; seed: number; size: number; head?: Buffer }
  /** A file that plays or decodes, followed by noise where it is longer. */
  | { form: 'sample'; name: SampleName; seed: number; size: number }
  /** Under the name of an upload, else of the file. */
  | { form: 'blob'; size: number; name?: string };

export interface FileVariant {
  /** Telegram's size letter: `s`, `m`, `x`, `y`, `w`; of profile photos `a`, `b`, `c`. */
  type: string;
  width: number;
  height: number;
  /** JPEG if left out. */
  mime?: string;
  content: FileContent;
}

export interface FileRow {
  id: number;
  kind: 'photo' | 'document';
  date: number;
  dc: number;
  mime: string;
  /** Of a document. */
  content?: FileContent;
  /** Of a photo its sizes, of a document its thumbnails. */
  sizes: FileVariant[];
  /** Of a document, as TL objects. */
  attributes?: TlObject[];
}

export type MediaRow =
  | { kind: 'photo'; file: number }
  | { kind: 'document'; file: number; video?: boolean; round?: boolean; voice?: boolean }
  | { kind: 'other'; tl: TlObject };

export interface MessageRow {
  /** Whose count the ID is of: `user:1001` for private chats and basic groups, else `channel:3001`. */
  box: PeerKey;
  id: number;
  /** The chat as the owner of the box sees it. */
  peer: PeerRef;
  /** Left out in broadcast channels. */
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
  post?: boolean;
  /** The same in every copy of one message. */
  twin: string;
  /** On the sender's copy, decimal. */
  randomId?: string;
  /** On the sender's copy: the `hash` of the login that sent it. */
  sentBy?: string;
}

/** What happened in a box; `updates.getDifference` is made of these. */
export interface UpdateRow {
  box: PeerKey;
  /** After the update. */
  pts: number;
  count: number;
  date: number;
  kind: 'new' | 'edit' | 'delete' | 'readInbox' | 'readOutbox';
  ids: number[];
  peer?: PeerRef;
  maxId?: number;
  unread?: number;
}

/** A story of a user. */
export interface StoryRow {
  owner: number;
  id: number;
  date: number;
  /** After this it is in its owner's archive alone. */
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

/** The counters of a box. */
export interface BoxRow {
  box: PeerKey;
  pts: number;
  nextId: number;
  /** Updates up to this one have been forgotten. */
  minPts: number;
}

/** What one user knows of one chat beyond its messages. */
export interface DialogRow {
  owner: number;
  peer: PeerRef;
  readInbox: number;
  readOutbox: number;
  /** In folder 1. */
  archived?: boolean;
  /** When the owner last wrote in a supergroup with slow mode. */
  lastSent?: number;
}

export interface LoginRow {
  keyId: string;
  userId: number;
  dc: number;
  state: 'passwordPending' | 'active' | 'revoked';
  /** Decimal; the same for the keys of other data centres that were made from this login. */
  hash: string;
  /** Made by `auth.importAuthorization`: no device of its own. */
  imported: boolean;
  created: number;
  active: number;
  apiId: number;
  model: string;
  systemVersion: string;
  appVersion: string;
}

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

export interface MetaRow {
  name: string;
  value: number;
}
