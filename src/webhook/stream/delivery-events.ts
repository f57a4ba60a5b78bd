import type { Sealed } from '../../../actors/ports/sealer.ts';
import type { SessionState } from '../../../actors/session/events.ts';
import type { ChatMessage } from '../../telegram/port/chat-message.ts';
import type { AccountUpdate, ChatUser, Story, UpdateChat, UpdatePosition } from '../../telegram/port/updates.ts';

/** Prefix of delivery streams. */
export const deliveryPrefix = 'delivery-';
/**
 * The delivery stream of a session: the events for its webhooks and readers, in order. Each has the account's position at Telegram
 * after it. The event's ID is the delivery's `id`.
 */
export const deliveryStream = (sessionId: string): string => `${deliveryPrefix}${sessionId}`;

/** The delivered facts of Telegram's updates, with the `type` of their payload (WH3, EV1). */
export const updateFactTypes = {
  MessageReceived: 'message',
  MessageEdited: 'message.edited',
  MessagesDeleted: 'message.deleted',
  MessagesRead: 'message.read',
  ReactionsChanged: 'message.reaction',
  MessagesPinned: 'message.pinned',
  PollVoted: 'message.vote',
  ButtonPressed: 'message.button',
  ChatJoined: 'chat.joined',
  ChatLeft: 'chat.left',
  MemberChanged: 'chat.member',
  ChatRead: 'chat.read',
  StoryPosted: 'story',
} as const;

/** The delivered facts of the session itself. */
const sessionFactTypes = {
  QrIssued: 'session.qr',
  PasswordRequested: 'session.password',
  CodeSent: 'session.code',
  SessionConnected: 'session.connected',
  SessionDisconnected: 'session.disconnected',
  LoginLost: 'session.login-lost',
  SessionReset: 'session.reset',
} as const;
export type OwnFact = keyof typeof sessionFactTypes;

/** All delivered facts. */
export const deliveredTypes = { ...updateFactTypes, ...sessionFactTypes };
export type DeliveredFact = keyof typeof deliveredTypes;
export type DeliveredType = (typeof deliveredTypes)[DeliveredFact];

/**
 * Facts that are recorded and not delivered. `MessageSent`: this login wrote a message, which may be deleted later.
 * `MessageSeen`: a message arrived that is not wanted, and its deletion will be.
 * `RecordingStarted`: later updates are from after the webhook was set. `UpdateDropped`: an update could not be recorded.
 */
type SilentFact = 'MessageSent' | 'MessageSeen' | 'RecordingStarted' | 'UpdateDropped';
export type DeliveryFact = DeliveredFact | SilentFact;

/** The fact that records an event of the session itself; undefined if its own receivers are not told of it. */
export const ownFactOf = (type: string): OwnFact | undefined =>
  (Object.keys(sessionFactTypes) as OwnFact[]).find((fact) => sessionFactTypes[fact] === type);

export const isOwnFact = (type: string): type is OwnFact => Object.hasOwn(sessionFactTypes, type);

export const isDelivered = (type: string): type is DeliveredFact => Object.hasOwn(deliveredTypes, type);

/** How a session is. */
export interface SessionCondition {
  state: SessionState;
  reason: string;
  /** When the state ends by itself, milliseconds since 1970. */
  deadline?: number;
}

interface OfAccount {
  /** The account of the update: the session may be logged in to another one by now. */
  account?: string;
}

/** `chat` of what is not in a private chat; in a private one `user` is its other side. */
interface InChat extends OfAccount {
  user: ChatUser;
  chat?: UpdateChat;
}

interface InPlace extends OfAccount {
  chat: UpdateChat;
}

type Update<Type> = Extract<AccountUpdate, { type: Type }>;

/** The sealed content of an event by its type, as JSON. */
export interface DeliveryContent extends Record<OwnFact, SessionCondition & OfAccount> {
  MessageReceived: InChat & { message: ChatMessage; topic?: number };
  MessageEdited: InChat & { message: ChatMessage; topic?: number };
  /** `user` in a private chat. */
  MessagesDeleted: OfAccount & { user?: ChatUser; chat?: UpdateChat; messageIds: number[] };
  /** All messages up to this ID have been read: by the account's owner elsewhere (`fromMe`), or by the other side. */
  MessagesRead: InChat & { upTo: number; fromMe: boolean };
  ReactionsChanged: InPlace & Pick<Update<'message.reaction'>, 'messageId' | 'counts' | 'user' | 'emojis'>;
  MessagesPinned: InPlace & Pick<Update<'message.pinned'>, 'messageIds' | 'pinned'>;
  PollVoted: OfAccount & Pick<Update<'message.vote'>, 'pollId' | 'results' | 'user' | 'options'>;
  ButtonPressed: InPlace & Pick<Update<'message.button'>, 'messageId' | 'user' | 'data' | 'queryId'>;
  ChatJoined: InPlace & { by?: ChatUser };
  ChatLeft: InPlace & { by?: ChatUser };
  MemberChanged: InPlace & Pick<Update<'chat.member'>, 'user' | 'action' | 'by'>;
  ChatRead: InPlace & { upTo: number; fromMe: boolean };
  StoryPosted: InChat & Story;
  MessageSent: InChat;
  MessageSeen: InChat;
}

/** The opened content of a delivered event. */
export type DeliveredContent = { [T in DeliveredFact]: { type: T; content: DeliveryContent[T] } }[DeliveredFact];

/** Type of a dropped update, and the reason. Never its content. */
export interface DroppedUpdate {
  update: AccountUpdate['type'];
  /** JSON has no form for a value in it, or the store never accepts it. */
  reason: 'not-serializable' | 'not-written';
}

/** The ID of the chat that an event's content is about; empty if it is of none. @throws {TypeError} a broken one */
export function chatIdOf(content: DeliveryContent[keyof DeliveryContent]): string {
  if ('pollId' in content || 'state' in content) return '';
  const { chat, user } = content as { chat?: UpdateChat; user: ChatUser };
  return chat?.id ?? user.id;
}

/** The data of an event, by its type. */
type DeliveryData = { [T in keyof DeliveryContent]: { content: Sealed } } & {
  /** The account's user ID, sealed; absent in events of earlier versions. */
  RecordingStarted: { account?: Sealed };
  UpdateDropped: { dropped: DroppedUpdate };
};

/**
 * How a place stands at an event of the delivery stream. A place is one receiver of the stream: a webhook, or a reader.
 * `before`: the number of the last event before this one that the place wants, 0 if there is none. `count`: how many
 * events it has wanted, up to this one. The third is there if it wants this one.
 */
export type PlaceMark = [before: number, count: number, isWanted?: 1];

/** By the keys of the places that there were when the event was recorded. */
export type PlaceMarks = Readonly<Record<string, PlaceMark>>;

export interface DeliveryMetadata {
  /** Time of the recording, milliseconds since 1970. */
  at: number;
  /** Number of a delivered fact, from 1 and without gaps. A silent fact has the number of the delivered one before. */
  seq: number;
  /**
   * Fingerprint of the chat's ID: equal for events of the same chat. Absent in `RecordingStarted`, and in an
   * `UpdateDropped` of an unknown chat.
   */
  chat?: string;
  /** IDs of its messages; absent in `MessagesRead`, `RecordingStarted` and `UpdateDropped`. */
  messageIds?: number[];
  /** Number of the login that received it; 0 of an event of the session that no login's record precedes. */
  login: number;
  /** When the earliest of its places was set, milliseconds since 1970. */
  since: number;
  /** Who wants it. Absent in events from before a session could have several webhooks: then its one webhook does. */
  places?: PlaceMarks;
  /**
   * Keys of the places that events of the session have marked before an update has: for these, an update may still be from
   * before they were set. Absent: there is none.
   */
  unbegun?: string[];
  /** Revision of the last event of the session's own log that is in this stream. Absent: none is. */
  sessionRevision?: number;
  /** Of an event of a supergroup's or channel's own box: its number after this event and those recorded together with it. */
  channelPts?: number;
  /** The account's position at Telegram after this event and those recorded together with it. */
  position: UpdatePosition;
  /**
   * Set if one append could not hold all updates up to the new position; `position` is then still the old one. The highest
   * ID of a new message that has been recorded all the same.
   */
  unfinishedUpTo?: number;
}

/** Content of an event of a delivery stream. */
export type DeliveryEventContent = {
  [T in DeliveryFact]: { type: T; data: DeliveryData[T]; metadata: DeliveryMetadata };
}[DeliveryFact];

export type DeliveryEvent = DeliveryEventContent & { id: string };

/** A recorded event of a delivery stream. */
export type PlacedEvent = DeliveryEvent & { revision: number };
