import type { TlObject } from '../../rpc.ts';
import type { MediaRow } from './file-rows.ts';
import type { PeerKey, PeerRef } from './peer.ts';

/** Where a forwarded message comes from. */
export interface ForwardOrigin {
  /** The sender or channel; left out if the sender hides their account in forwards. */
  from?: PeerRef;
  /** The name of a sender who hides their account. */
  fromName?: string;
  /** When the original was sent. */
  date: number;
  /** The original's ID in the channel. */
  channelPost?: number;
  /** In Saved Messages only: the message that was forwarded. */
  saved?: { peer: PeerRef; id: number };
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
  /** The topic of a forum, other than General. */
  topic?: number;
  silent?: boolean;
  editDate?: number;
  groupedId?: string;
  views?: number;
  /** How often a post was forwarded. */
  forwards?: number;
  pinned?: boolean;
  /** Sent in a broadcast channel. */
  post?: boolean;
  forwarded?: ForwardOrigin;
  /** May be neither forwarded nor saved. */
  noForwards?: boolean;
  /** Left the queue of scheduled messages. */
  fromScheduled?: boolean;
  /** A bot's keyboard: the TL `ReplyMarkup`. */
  markup?: TlObject;
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
  kind: 'new' | 'edit' | 'delete' | 'readInbox' | 'readOutbox' | 'pin' | 'unpin' | 'folder';
  ids: number[];
  peer?: PeerRef;
  maxId?: number;
  unread?: number;
  /** The folder that chats were moved to. */
  folder?: number;
}

/** An update that has no `pts`. Clients that were away get it in `updates.getDifference`, by its date. */
export interface EventRow {
  owner: number;
  /** Rises with each event of the owner. */
  seq: number;
  date: number;
  update: TlObject;
  /** What the update mentions. */
  peers: PeerRef[];
}

/** What one user has reacted with. */
export interface GivenReaction {
  user: number;
  /** Emojis, and `custom:` with the ID of a custom emoji. */
  keys: string[];
  date: number;
  big?: boolean;
  /** The author of the message has not seen it yet. */
  unread?: boolean;
}

/** The reactions to a message. */
export interface ReactionsRow {
  twin: string;
  given: GivenReaction[];
}
