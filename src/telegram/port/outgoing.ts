import type { LightAbortSignal } from '../../../actors/kit/light-abort.ts';
import type { FormattedText } from './account.ts';

/** A file on this machine that is to be uploaded; whoever made it removes it. */
export interface OutgoingFile {
  path: string;
  /** Bytes. */
  size: number;
  /** As the receiver sees it. */
  name: string;
  mimetype: string;
  /**
   * Where it is still being fetched: resolves when so many of its bytes, from the first, can be read; all of them only
   * once it is certain that they are the file. @throws why it does not come, the signal's reason
   */
  reach?: ((bytes: number, signal: LightAbortSignal) => Promise<void>) | undefined;
}

/** What a message carries beside its text. Durations in seconds, sizes in pixels. */
export type OutgoingMedia =
  | { kind: 'photo'; file: OutgoingFile }
  | ({ kind: 'video' } & OutgoingVideo)
  | { kind: 'audio'; file: OutgoingFile; duration: number; title?: string; performer?: string }
  | { kind: 'document'; file: OutgoingFile }
  | { kind: 'location'; latitude: number; longitude: number }
  | { kind: 'venue'; latitude: number; longitude: number; title: string; address: string }
  | { kind: 'contact'; phone: string; firstName: string; lastName: string };

/** Streamable. */
export interface OutgoingVideo {
  file: OutgoingFile;
  duration: number;
  width: number;
  height: number;
  /** JPEG, at most 320 pixels. */
  thumbnail?: OutgoingFile;
}

/** What one send is known by. */
export interface SendMark {
  /** Telegram's `random_id`: the same number twice is one message, or one story. */
  randomId: bigint;
  /** When it was first begun, by the gateway's clock, in milliseconds since 1970: nothing that came of it is older. */
  begunAt: number;
}

/** Asked for right before Telegram is asked to send, when the files are there; records the send, and gives the same mark each time. */
export type BeginSend = () => Promise<SendMark>;

export interface OutgoingStory {
  media: { kind: 'photo'; file: OutgoingFile } | ({ kind: 'video' } & OutgoingVideo);
  caption: FormattedText;
  privacy: 'contacts' | 'everyone' | 'close_friends';
  periodSeconds: number;
}

export interface PostedStory {
  id: number;
  /** Milliseconds since 1970. */
  created: number;
  expires: number;
}

/** What the others see the account doing; `cancel` ends it. */
export type ChatAction = 'typing' | 'recording-audio' | 'cancel';
