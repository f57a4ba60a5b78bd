import type { KeyScope } from './scopes.ts';

/** The stream of all keys. */
export const keysStream = 'keys';

/** How much a key may use (KY3). What is left out has no limit. */
export interface KeyLimits {
  /** Live sessions that it has created. */
  sessions?: number;
  /** Messages in a day, in UTC. */
  sendsPerDay?: number;
}

/** A key was made. Of its text only the hash is recorded. */
export interface KeyIssued {
  /** UUIDv7. */
  id: string;
  /** SHA-256 of the whole text, hex. */
  hash: string;
  /** Recorded with all that the key does (KY4). Two keys may have one name. */
  name: string;
  scopes: KeyScope[];
  /** The only tenant whose sessions it sees, and to which those belong that it creates. */
  tenant?: string;
  /** When it ends by itself, milliseconds since 1970. */
  expires?: number;
  limits?: KeyLimits;
  /** IDs of the only chats in which it uses accounts (KY5); left out: all of them. */
  chats?: string[];
  /** ID of the key that issued it; left out if the owner did. */
  issuer?: string;
}

/** A key was taken back. */
export interface KeyRevoked {
  id: string;
}

/** The metadata of every event of keys. */
export interface KeyMetadata {
  /** When, milliseconds since 1970. */
  at: number;
  /** Who did it: `owner`, or the name of a key. */
  author: string;
}
