import type { MediaRequest } from '../media/outgoing/prepare.ts';

/** What a message is made of, beside its text; the request's validation has seen to it that all is there. */
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

/** A text or a caption, as the caller writes it. */
export interface MarkedText {
  /** Empty where there is none. */
  text: string;
  /** Undefined: sent as it is. */
  parseMode: 'markdown' | 'html' | undefined;
}

export interface Message extends MarkedText {
  content: Content;
  /** Message ID in the receiving chat. */
  replyTo: number | undefined;
  silent: boolean | undefined;
}
