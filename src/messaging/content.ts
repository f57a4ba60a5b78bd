import type { MediaRequest } from '../media/outgoing/prepare.ts';

/** What a message carries beside its text. The validation of the request has checked that all fields are there. */
export type Content = MediaRequest | { type: 'text' } | Location | Contact;

interface Location {
  type: 'location';
  latitude: number;
  longitude: number;
  name: string;
  address: string;
}

interface Contact {
  type: 'contact';
  name: string;
  phone: string;
}

/** A text or a caption, with the caller's markup. */
export interface MarkedText {
  /** Empty if there is none. */
  text: string;
  /** Undefined: sent as it is. */
  parseMode: 'markdown' | 'html' | undefined;
}

export interface Message extends MarkedText {
  content: Content;
  /** Message ID in the recipient's chat. */
  replyTo: number | undefined;
  silent: boolean | undefined;
}
