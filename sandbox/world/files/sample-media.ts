import type { TlObject } from '../../rpc.ts';
import type { FileContent, MediaRow } from '../state/rows.ts';
import type { World } from '../world.ts';
import { addDocument, addPhoto } from './add-file.ts';
import { tlOther } from './media-without-file.ts';
import { leastPadding, type SampleName, sampleBytes, sampleSize } from './sample-files.ts';

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

export interface SampleOptions {
  dc: number;
  date: number;
  seed: number;
  /** Another file than the kind's usual one. */
  sample?: SampleName | undefined;
  /** Bytes of the file that is made; or the file itself. */
  size?: number | undefined;
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

interface Sample {
  file: SampleName;
  mime: string;
  name?: string;
  thumbnail?: boolean;
}

/** What a document of each kind is unless the caller says otherwise. */
const documents: Partial<Record<MediaKind, Sample>> = {
  video: { file: 'clip.mp4', mime: 'video/mp4', thumbnail: true },
  round: { file: 'round.mp4', mime: 'video/mp4', thumbnail: true },
  gif: { file: 'animation.mp4', mime: 'video/mp4', name: 'animation.mp4', thumbnail: true },
  audio: { file: 'song.mp3', mime: 'audio/mpeg', name: 'song.mp3' },
  voice: { file: 'voice.ogg', mime: 'audio/ogg' },
  document: { file: 'paper.pdf', mime: 'application/pdf', name: 'paper.pdf' },
  sticker: { file: 'sticker.webp', mime: 'image/webp', name: 'sticker.webp', thumbnail: true },
  animatedSticker: {
    file: 'sticker.tgs',
    mime: 'application/x-tgsticker',
    name: 'AnimatedSticker.tgs',
    thumbnail: true,
  },
};
/** Follows every MP4, so that no two of them are the same. */
const usualPadding = 2_048;

/** Media of a kind, made by the sandbox itself or of given bytes. */
export function sampleMedia(world: World, kind: MediaKind, options: SampleOptions): MediaRow {
  const sample = documents[kind];
  if (sample) return document(world, kind, sample, options);
  if (kind === 'photo') {
    const { dc, seed, date, width = 1280, height = 960 } = options;
    return { kind: 'photo', file: addPhoto(world, { dc, seed, date, width, height }).id };
  }
  return { kind: 'other', tl: tlOther(kind, options) };
}

function document(world: World, kind: MediaKind, sample: Sample, options: SampleOptions): MediaRow {
  const file = addDocument(world, {
    dc: options.dc,
    date: options.date,
    mime: options.mime ?? sample.mime,
    content: options.bytes ?? contentOf(options.sample ?? sample.file, options),
    attributes: attributes(kind, options, options.name ?? sample.name),
    ...(sample.thumbnail ? { thumbnail: thumbnailOf(kind, options) } : {}),
  });
  const row: MediaRow = { kind: 'document', file: file.id };
  if (kind === 'video') row.video = true;
  if (kind === 'round') Object.assign(row, { video: true, round: true });
  if (kind === 'voice') row.voice = true;
  return row;
}

function thumbnailOf(kind: MediaKind, { seed, width = 1280, height = 720 }: SampleOptions) {
  if (kind === 'sticker' || kind === 'animatedSticker') return { mime: 'image/webp', width: 128, height: 128 } as const;
  if (kind === 'round') return { seed, width: 320, height: 320 };
  const scale = 320 / Math.max(width, height);
  return { seed, width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

/** Of a size that the sample does not fit into there is its beginning alone, which tells the type. */
function contentOf(file: SampleName, { seed, size }: SampleOptions): FileContent {
  const own = sampleSize(file);
  const usual = file === 'long.mp4' || !file.endsWith('.mp4') ? own : own + usualPadding;
  const wanted = size ?? usual;
  if (wanted === own || wanted >= own + leastPadding) return { form: 'sample', name: file, seed, size: wanted };
  return { form: 'noise', seed, size: wanted, head: sampleBytes(file).subarray(0, Math.min(32, wanted)) };
}

function attributes(kind: MediaKind, options: SampleOptions, name: string | undefined): TlObject[] {
  const { width = 1280, height = 720, duration = 12 } = options;
  const list: TlObject[] = [];
  if (kind === 'video')
    list.push({ _: 'documentAttributeVideo', supports_streaming: true, duration, w: width, h: height });
  if (kind === 'round') list.push({ _: 'documentAttributeVideo', round_message: true, duration, w: 384, h: 384 });
  if (kind === 'gif') {
    list.push(
      { _: 'documentAttributeVideo', nosound: true, duration: 3, w: 480, h: 270 },
      { _: 'documentAttributeAnimated' },
    );
  }
  if (kind === 'audio') {
    list.push({ _: 'documentAttributeAudio', duration, title: options.title ?? 'A song', performer: 'Nobody' });
  }
  if (kind === 'voice') list.push({ _: 'documentAttributeAudio', voice: true, duration, waveform: Buffer.alloc(63) });
  if (kind === 'sticker' || kind === 'animatedSticker') {
    list.push(
      { _: 'documentAttributeImageSize', w: 512, h: 512 },
      { _: 'documentAttributeSticker', alt: '🙂', stickerset: { _: 'inputStickerSetEmpty' } },
    );
  }
  if (name) list.push({ _: 'documentAttributeFilename', file_name: name });
  return list;
}
