import type { SampleName } from '../state/file-rows.ts';

/** The kinds of media that the sandbox can make itself. */
export const mediaKinds = [
  'photo',
  'video',
  'round',
  'gif',
  'audio',
  'voice',
  'document',
  'sticker',
  'animatedSticker',
  'poll',
  'location',
  'venue',
  'contact',
  'dice',
  'webpage',
] as const;
export type MediaKind = (typeof mediaKinds)[number];

/** What the media should be like. Everything that is left out gets a default value. */
export interface SampleOptions {
  dc: number;
  /** Seconds since 1970. */
  date: number;
  /** Decides the content: the same seed makes the same bytes. */
  seed: number;
  /** A sample file other than the default of the kind. */
  sample?: SampleName | undefined;
  /** The size in bytes of a file that the sandbox makes. */
  size?: number | undefined;
  /** The file itself. */
  bytes?: Buffer | undefined;
  name?: string | undefined;
  mime?: string | undefined;
  width?: number | undefined;
  height?: number | undefined;
  /** Seconds. */
  duration?: number | undefined;
  latitude?: number | undefined;
  longitude?: number | undefined;
  title?: string | undefined;
  address?: string | undefined;
  phone?: string | undefined;
  url?: string | undefined;
  question?: string | undefined;
  options?: readonly string[] | undefined;
  emoji?: string | undefined;
  value?: number | undefined;
}
