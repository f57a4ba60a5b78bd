import type { TlObject } from '../../rpc.ts';

/** The files in `world/media`. */
export type SampleName =
  | 'animation.mp4'
  | 'clip.mp4'
  | 'long.mp4'
  | 'paper.pdf'
  | 'round.mp4'
  | 'song.mp3'
  | 'sticker-small.webp'
  | 'sticker.tgs'
  | 'sticker.webp'
  | 'voice.ogg';

/** Where the bytes of a file come from: a `blob` is stored, the other forms are made when they are read. */
export type FileContent =
  /** A drawn JPEG. */
  | { form: 'mosaic'; seed: number; width: number; height: number }
  /** Pseudo-random bytes, after `head`. */
  | { form: 'noise'; seed: number; size: number; head?: Buffer }
  /** A sample file; if `size` is larger than the sample, noise follows it. */
  | { form: 'sample'; name: SampleName; seed: number; size: number }
  /** `name` is that of an upload; without it the blob is named after the file. */
  | { form: 'blob'; size: number; name?: string };

/** A photo in one size, or the thumbnail of a document. */
export interface FileVariant {
  /** Telegram's size letter: `s`, `m`, `x`, `y`, `w` in messages; `a`, `b`, `c` of profile photos. */
  type: string;
  width: number;
  height: number;
  /** JPEG if left out. */
  mime?: string;
  content: FileContent;
}

export interface FileRow {
  id: number;
  kind: 'photo' | 'document';
  date: number;
  dc: number;
  mime: string;
  /** Documents only. */
  content?: FileContent;
  /** The sizes of a photo, smallest first; the thumbnails of a document. */
  sizes: FileVariant[];
  /** Documents only: TL `DocumentAttribute`s. */
  attributes?: TlObject[];
}

/** What is attached to a message or story. `poll` names a row of the polls. `other` media
 * have no file: places, contacts, … */
export type MediaRow =
  | { kind: 'photo'; file: number }
  | { kind: 'document'; file: number; video?: boolean; round?: boolean; voice?: boolean }
  | { kind: 'poll'; poll: string }
  | { kind: 'other'; tl: TlObject };
