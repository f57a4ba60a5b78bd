import type { MediaRequest } from '../media/outgoing/prepare.ts';

/** What a message carries beside its text. The validation of the request has checked that all fields are there. */
export type Content = MediaRequest | { type: 'text' } | Location | Contact | Poll | Album;

export interface Poll {
  type: 'poll';
  question: string;
  options: string[];
  multiple: boolean;
  /** `correct` is counted from 0; no explanation is an empty one. */
  quiz: { correct: number; explanation: string } | undefined;
}

interface Album {
  type: 'album';
  /** 2 to 10. */
  items: MediaRequest[];
}

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

export interface Message<C extends Content = Content> extends MarkedText {
  content: C;
  /** Message ID in the recipient's chat. */
  replyTo: number | undefined;
  /** The topic of a forum, if the recipient is one. */
  topic?: number | undefined;
  silent: boolean | undefined;
  /** When Telegram sends it, milliseconds since 1970; undefined: now. */
  sendAt?: number | undefined;
}

export type AlbumMessage = Message<Album>;
/** What makes one message. */
export type SingleMessage = Message<Exclude<Content, Album>>;

const contentWithoutFiles: ReadonlySet<Content['type']> = new Set(['text', 'location', 'contact', 'poll']);

/** Whether files have to be fetched for it. */
export const hasFiles = ({ type }: Content): boolean => !contentWithoutFiles.has(type);
