import type { LightAbortSignal } from '../../../actors/kit/light-abort.ts';

/** Which file a media link means; the parts of its path. */
export interface MediaRef {
  chatId: string;
  /** Message ID; of a `profile` the photo's ID. */
  messageId: string;
  /** `photo` the largest image, `thumb` the preview, `file` a video, sticker or document, `profile` a small profile photo. */
  variant: 'photo' | 'thumb' | 'file' | 'profile';
}

/** A file at Telegram, found. Expired references and other data centres are nobody's business outside. */
export interface RemoteFile {
  /** Letters, digits, `-` and `_`. The same file has the same one, whichever message it is opened through. */
  id: string;
  /** Bytes; undefined where Telegram does not say: it is a small one then, and the first read brings all of it. */
  size: number | undefined;
  /** Undefined where Telegram does not say. It is what the sender said: anything. */
  mimetype: string | undefined;
  /** Empty where the file has none. */
  name: string;
  /**
   * Bytes from `offset` (a multiple of 4 KB) on, at most `limit` (at most 512 KB); fewer only at the end of the file.
   * @throws {TelegramError} {@link NotConnectedError} {@link MediaNotFoundError} the message has gone meanwhile
   */
  read(offset: number, limit: number, signal: LightAbortSignal): Promise<Buffer>;
}

/** Files in the chats of the connected account. */
export interface AccountFiles {
  /** @throws {MediaNotFoundError} the message is gone, or has no such file. {@link TelegramError} {@link NotConnectedError} */
  open(ref: MediaRef, signal: LightAbortSignal): Promise<RemoteFile>;
}

/** The message, or what it carried, is no longer there. */
export class MediaNotFoundError extends Error {
  override name = 'MediaNotFoundError';
}
