import type { LightAbortSignal } from '../../../actors/kit/light-abort.ts';
import type { OutgoingFile } from './outgoing.ts';
import type { Peer } from './peer.ts';
import type { ChatUser } from './updates.ts';

/** What Telegram tells of one person or bot. */
export interface Person extends ChatUser {
  /** What they say about themselves; empty if nothing. */
  about: string;
  isBot: boolean;
  isContact: boolean;
  /** The account has blocked them. */
  isBlocked: boolean;
  isPremium: boolean;
}

/** First and last name; the last may be empty. */
export interface PersonName {
  first: string;
  last: string;
}

/**
 * The people that the connected account knows. Every call throws {@link TelegramError} and {@link NotConnectedError};
 * those that name a person throw {@link PeerNotFoundError} if the account has not met them.
 */
export interface People {
  /** All contacts, in Telegram's order. */
  contacts(signal: LightAbortSignal): Promise<ChatUser[]>;
  /**
   * Saves the user with this number (digits) under a name; repeating it changes the name.
   * @returns `absent`: not on Telegram, or hidden. `later`: Telegram takes no further contact now
   */
  addContact(phone: string, name: PersonName, signal: LightAbortSignal): Promise<ChatUser | 'absent' | 'later'>;
  /** A user who is no contact stays none. */
  deleteContact(user: Peer, signal: LightAbortSignal): Promise<void>;
  /** With all that Telegram tells. */
  person(user: Peer, signal: LightAbortSignal): Promise<Person>;
  /** Name, username, number and photo alone. */
  user(user: Peer, signal: LightAbortSignal): Promise<ChatUser>;
  /** Blocks a user, or ends that. It may hold already. */
  block(user: Peer, isBlocked: boolean, signal: LightAbortSignal): Promise<void>;
}

/** A login of the account: an app on some device. Times are milliseconds since 1970. */
export interface Device {
  /** Telegram's hash of the login, decimal; `0` for the one that asks. */
  id: string;
  /** The login that asks. */
  isCurrent: boolean;
  model: string;
  platform: string;
  app: string;
  created: number;
  active: number;
  ip: string;
  country: string;
}

/** What the connected account says about itself. Every call throws {@link TelegramError} and {@link NotConnectedError}. */
export interface OwnAccount {
  profile(signal: LightAbortSignal): Promise<Person>;
  /** What is left out stays. */
  changeProfile(change: { name?: PersonName; about?: string }, signal: LightAbortSignal): Promise<void>;
  /** Without @; an empty one removes it. One that is so already is no error. */
  changeUsername(username: string, signal: LightAbortSignal): Promise<void>;
  /** A new photo, in front of those before it. */
  addPhoto(photo: OutgoingFile, signal: LightAbortSignal): Promise<void>;
  devices(signal: LightAbortSignal): Promise<Device[]>;
  /** Logs a device out. */
  removeDevice(id: string, signal: LightAbortSignal): Promise<void>;
}
