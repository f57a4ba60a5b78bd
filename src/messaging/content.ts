/** What is to be sent, in the interface's words; the request's validation has seen to it that all is there. */

export interface ImageSource {
  url: string;
  mimetype: string;
}

export interface VideoSource {
  url: string;
  mimetype: string;
  /** Seconds; the real one counts where it can be read. */
  duration: number;
  /** URL of an image; the first frame where there is none. */
  thumbnail?: string;
}

export interface AudioSource {
  url: string;
  mimetype: string;
  /** Seconds. */
  duration: number;
}

export interface DocumentSource {
  url: string;
  name: string;
  /** Bytes, as the caller says. */
  size: number;
  mimetype: string;
}

export interface Location {
  latitude: number;
  longitude: number;
  name?: string;
  address?: string;
}

export interface Contact {
  name: string;
  phone: string;
}

/** Media that are fetched from a URL. */
export type MediaSource =
  | { type: 'image'; image: ImageSource }
  | { type: 'video'; video: VideoSource }
  | { type: 'audio'; audio: AudioSource }
  | { type: 'document'; document: DocumentSource };

export type Content =
  | MediaSource
  | { type: 'text' }
  | { type: 'location'; location: Location }
  | { type: 'contact'; contact: Contact };

export interface MarkedText {
  /** The text, or the caption of media; empty where there is none. */
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
