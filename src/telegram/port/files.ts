import type { LightAbortSignal } from '../../../actors/kit/light-abort.ts';

/** The file of a media link: the parts of its path. */
export interface MediaRef {
  chatId: string;
  /** Message ID; for `profile` the photo's ID, for a story its own. */
  messageId: string;
  /**
   * `photo` the largest image, `thumb` the preview, `file` a video, sticker or document, `profile` a small profile photo. Of a
   * story of `chatId`: the same three, with `story-`.
   */
  variant: FileVariant | 'profile' | `${typeof storyPrefix}${FileVariant}`;
}

/** A file of a message or a story. */
export type FileVariant = 'photo' | 'thumb' | 'file';
/** Before the variants of a story. */
export const storyPrefix = 'story-';

/** An open file at Telegram. The implementation handles expired references and other data centres. */
export interface RemoteFile {
  /** Letters, digits, `-` and `_`. The same file has the same ID in every message. */
  id: string;
  /** Bytes; undefined if Telegram does not say. A read beyond the end returns nothing. */
  size: number | undefined;
  /** As the sender gave it, so it can be anything; undefined if Telegram does not say. */
  mimetype: string | undefined;
  /** Empty if the file has none. */
  name: string;
  /**
   * Up to `limit` bytes (at most 512 KB) from `offset` (a multiple of 4 KB); fewer only at the end of the file.
   * @throws {TelegramError} {@link NotConnectedError} {@link MediaNotFoundError} the message was deleted meanwhile
   */
  read(offset: number, limit: number, signal: LightAbortSignal): Promise<Buffer>;
}

/** Files in the chats of the connected account. */
export interface AccountFiles {
  /** @throws {MediaNotFoundError} the message is gone, or has no such file. {@link TelegramError} {@link NotConnectedError} */
  open(ref: MediaRef, signal: LightAbortSignal): Promise<RemoteFile>;
}

/** The message, or its file, no longer exists. */
export class MediaNotFoundError extends Error {
  override name = 'MediaNotFoundError';
}
