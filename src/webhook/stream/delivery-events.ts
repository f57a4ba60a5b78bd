import type { RecordedEvent } from '../../../actors/ports/event-store.ts';
import type { Sealed } from '../../../actors/ports/sealer.ts';
import type { ChatMessage } from '../../telegram/port/chat-message.ts';
import type { AccountUpdate, ChatUser, UpdatePosition } from '../../telegram/port/updates.ts';

/**
 * The delivery stream of a session: what is to be told to its webhook, in order, each with the position at Telegram
 * that it brings the account to. The event's ID is the delivery's `id`.
 */
export const deliveryStream = (sessionId: string): string => `delivery-${sessionId}`;

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

/** `user.id` is the chat's ID: the chats are private ones. `RecordingStarted` and `UpdateDropped` have no content. */
export interface DeliveryData {
  content?: Sealed;
  /** Of `UpdateDropped`. */
  dropped?: DroppedUpdate;
}

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
   * Set where one append could not hold all that lies before `position`, which therefore is still the one before: the
   * highest ID of a new message that has been recorded nevertheless.
   */
  unfinishedUpTo?: number;
}

export interface DeliveryEvent {
  id: string;
  type: DeliveryFact;
  data: DeliveryData;
  metadata: DeliveryMetadata;
}

/** One that is in its stream. */
export interface PlacedEvent extends DeliveryEvent {
  revision: number;
}

// Interfaces have no index signature, but all of this is JSON.
export const placed = ({ id, type, data, metadata, revision }: RecordedEvent): PlacedEvent =>
  ({ id, type, data, metadata, revision }) as unknown as PlacedEvent;
