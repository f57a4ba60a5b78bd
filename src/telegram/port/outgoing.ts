import type { LightAbortSignal } from '../../../actors/kit/light-abort.ts';
import type { Peer } from './peer.ts';
import type { FormattedText, OutgoingMessage } from './text.ts';

/** A local file to upload. Its creator removes it. */
export interface OutgoingFile {
  path: string;
  /** Bytes. */
  size: number;
  /** As the recipient sees it. */
  name: string;
  mimetype: string;
  /**
   * For a file that is still being downloaded: resolves when its first `bytes` bytes can be read; for all of them, only
   * when the download is known to be complete. @throws why the download failed, or the signal's reason
   */
  reach?: ((bytes: number, signal: LightAbortSignal) => Promise<void>) | undefined;
}

/** The media of an outgoing message. Durations in seconds, sizes in pixels. */
export type OutgoingMedia =
  | { kind: 'photo'; file: OutgoingFile }
  | ({ kind: 'video' } & OutgoingVideo)
  | { kind: 'audio'; file: OutgoingFile; duration: number; title?: string; performer?: string }
  | { kind: 'document'; file: OutgoingFile }
  | { kind: 'location'; latitude: number; longitude: number }
  | { kind: 'venue'; latitude: number; longitude: number; title: string; address: string }
  | { kind: 'contact'; phone: string; firstName: string; lastName: string }
  /** An image, an animation (TGS) or a short video of Telegram's own formats. */
  | { kind: 'sticker'; file: OutgoingFile; width: number; height: number; duration?: number }
  /** OGG with Opus. `waveform`: 100 values from 0 to 31. */
  | { kind: 'voice'; file: OutgoingFile; duration: number; waveform: readonly number[] }
  /** A square MP4 that is shown round. */
  | ({ kind: 'videoNote' } & OutgoingVideo)
  /** An MP4 without sound that plays by itself. */
  | ({ kind: 'animation' } & OutgoingVideo)
  | ({ kind: 'poll' } & OutgoingPoll);

/** Voters are anonymous. */
export interface OutgoingPoll {
  question: string;
  options: readonly string[];
  /** Whether a voter may choose several options. */
  multiple: boolean;
  /** `correct` is the place of the right option, from 0. */
  quiz?: { correct: number; explanation: string } | undefined;
}

/** Streamable. */
export interface OutgoingVideo {
  file: OutgoingFile;
  duration: number;
  width: number;
  height: number;
  /** JPEG, at most 320 pixels. */
  thumbnail?: OutgoingFile;
}

/** Identifies one send. */
export interface SendMark {
  /** Telegram's `random_id`: requests with the same number make one message, or one story. */
  randomId: bigint;
  /** When the send first began, milliseconds since 1970 on the gateway's clock. Its message is not older. */
  begunAt: number;
}

/** Records the send, and returns the same mark at each call. Called when the files are uploaded, right before the send. */
export type BeginSend = () => Promise<SendMark>;

/** A message that Telegram sends later. */
export interface ScheduledMessage extends OutgoingMessage {
  /** Milliseconds since 1970. */
  sendAt: number;
}

/** What became of a message for later. */
export interface QueuedSend {
  /** In the order of the media. */
  ids: number[];
  /** True: they are IDs of the chat's queue. False: Telegram has sent the messages, and they are message IDs. */
  isWaiting: boolean;
}

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

/** Messages of one chat that go to another. */
export interface Forward {
  from: Peer;
  messageIds: readonly number[];
  /** They do not say where they come from. */
  dropAuthor: boolean;
  /** The topic of a forum that they go to. */
  topic?: number | undefined;
}

/** The typing indicator that others see; `cancel` ends it. */
export type ChatAction = 'typing' | 'recording-audio' | 'cancel';
