import type { SealedApart } from '../../actors/ports/sealer.ts';

/** The prefix of the streams of customers' links. */
export const linkPrefix = 'link-';
export const linkStream = (id: string): string => `${linkPrefix}${id}`;

/** A link was made. Of its token only the hash is recorded. */
export interface LinkIssued {
  /** UUIDv7. */
  id: string;
  /** SHA-256 of the whole token, hex. */
  hash: string;
  /** Milliseconds since 1970. */
  expires: number;
  /** The JSON of the settings of its sessions; they may hold a name and a webhook's token. */
  settings: SealedApart;
  /** The tenant of the key that made it (KY2), to which its sessions belong. */
  tenant?: string;
  /** ID of the key that made it, for which its sessions count (KY3). */
  key?: string;
  /** The caller's own names of its sessions (OS1), in the clear. */
  externalId?: string;
  label?: string;
}

/** The customer pressed the button. `isNew`: the session was made for it; else it lived already, under the same `externalId`. */
export interface LinkOpened {
  sessionId: string;
  isNew: boolean;
}

/** The account of its session is connected: the link opens nothing any more. */
export interface LinkUsed {
  sessionId: string;
}

/** The caller took it back. */
export type LinkWithdrawn = Record<string, never>;

/** The metadata of every event of a link. */
export interface LinkMetadata {
  /** When, milliseconds since 1970. */
  at: number;
  /** Who did it: `owner`, the name of a key, or `link` for its customer. */
  author: string;
}
