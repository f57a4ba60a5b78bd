import type { Sealed } from '../../../actors/ports/sealer.ts';
import type { ChatMessage } from '../../telegram/port/chat-message.ts';
import type { AccountUpdate, ChatUser, UpdatePosition } from '../../telegram/port/updates.ts';

/** What the names of the delivery streams begin with. */
export const deliveryPrefix = 'delivery-';
/**
 * The delivery stream of a session: what is to be sent to its webhook, in order, each event with the position at Telegram
 * that it brings the account to. The event's ID is the delivery's `id`.
 */
export const deliveryStream = (sessionId: string): string => `${deliveryPrefix}${sessionId}`;

/** The facts that are delivered, and the `type` that they are delivered as (WH3). */
export const deliveredTypes = {
  MessageReceived: 'message',
  MessageEdited: 'message.edited',
  MessagesDeleted: 'message.deleted',
  MessagesRead: 'message.read',
} as const;
export type DeliveredFact = keyof typeof deliveredTypes;

/**
 * Facts that are recorded and not delivered: `MessageSent`, that this login wrote a message (it may be deleted later);
 * `RecordingStarted`, that everything from here on is of the time after the webhook was set; `UpdateDropped`, that an update
 * could not be recorded as what it is.
 */
type SilentFact = 'MessageSent' | 'RecordingStarted' | 'UpdateDropped';
export type DeliveryFact = DeliveredFact | SilentFact;

export const isDelivered = (type: string): type is DeliveredFact => Object.hasOwn(deliveredTypes, type);

interface InChat {
  /** In whose account it happened: a session may have been logged in to another one since. */
  account?: string;
  user: ChatUser;
}

/** What is sealed in an event, as JSON, by its type. */
export interface DeliveryContent {
  MessageReceived: InChat & { message: ChatMessage };
  MessageEdited: InChat & { message: ChatMessage };
  MessagesDeleted: InChat & { messageIds: number[] };
  /** All up to this ID have been read: by the account's owner elsewhere (`fromMe`), or by the other side. */
  MessagesRead: InChat & { upTo: number; fromMe: boolean };
  MessageSent: InChat;
}

/** What is delivered of an event, opened. */
export type DeliveredContent = { [T in DeliveredFact]: { type: T; content: DeliveryContent[T] } }[DeliveredFact];

/** What of an update was dropped: its type, and why. Never its content. */
export interface DroppedUpdate {
  update: AccountUpdate['type'];
  /** JSON has no form for something in it, or the store takes it in no case. */
  reason: 'not-serializable' | 'not-written';
}

/** The data of an event, by its type. In the content, `user.id` is the chat's ID: the chats are private ones. */
type DeliveryData = { [T in keyof DeliveryContent]: { content: Sealed } } & {
  RecordingStarted: object;
  UpdateDropped: { dropped: DroppedUpdate };
};

export interface DeliveryMetadata {
  /** When it was recorded, milliseconds since 1970. */
  at: number;
  /** Of a delivered fact its own number, from 1 and without a gap; of a silent one that of the delivered one before. */
  seq: number;
  /**
   * Fingerprint of the chat's ID: what has the same one is of the same chat. Not in `RecordingStarted`, nor in an
   * `UpdateDropped` whose chat is not known.
   */
  chat?: string;
  /** The messages that it speaks of; not in `MessagesRead`, `RecordingStarted` and `UpdateDropped`. */
  messageIds?: number[];
  /** Number of the login that it came to. */
  login: number;
  /** Since when the webhook that it is for has been set, milliseconds since 1970. */
  since: number;
  /** The account's place at Telegram after this event and those recorded together with it. */
  position: UpdatePosition;
  /**
   * Set if one append could not hold all that lies before `position`, which therefore is still the one before: the highest
   * ID of a new message that has been recorded nevertheless.
   */
  unfinishedUpTo?: number;
}

/** What an event of a delivery stream holds. */
export type DeliveryEventContent = {
  [T in DeliveryFact]: { type: T; data: DeliveryData[T]; metadata: DeliveryMetadata };
}[DeliveryFact];

export type DeliveryEvent = DeliveryEventContent & { id: string };

/** One that is in its stream. */
export type PlacedEvent = DeliveryEvent & { revision: number };
