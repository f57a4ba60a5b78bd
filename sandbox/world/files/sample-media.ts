import type { TlObject } from '../../rpc.ts';
import { addPoll } from '../polls/polls.ts';
import type { FileContent, MediaRow, SampleName } from '../state/file-rows.ts';
import type { PollRow } from '../state/poll-rows.ts';
import type { World } from '../world.ts';
import { addDocument, addDrawnPhoto } from './add-file.ts';
import { tlMediaWithoutFile } from './media-without-file.ts';
import { minPaddingBytes, sampleBytes, sampleSize } from './sample-files.ts';
import type { MediaKind, SampleOptions } from './sample-options.ts';
import { sampleStickerSet, stickerSetHash } from './stickers.ts';

interface SampleDocument {
  file: SampleName;
  mime: string;
  name?: string;
  thumbnail?: boolean;
}

/** The defaults of each kind that is a document. */
const documents: Partial<Record<MediaKind, SampleDocument>> = {
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
/** Added to every MP4. The seed decides its content, so that two files differ. */
const defaultPaddingBytes = 2_048;

/** Makes media of a kind, with content of the sandbox's own or with `options.bytes`. */
export function sampleMedia(world: World, kind: MediaKind, options: SampleOptions): MediaRow {
  const sample = documents[kind];
  if (sample) return sampleDocument(world, kind, sample, options);
  if (kind === 'photo') {
    const { dc, seed, date, width = 1280, height = 960 } = options;
    return { kind: 'photo', file: addDrawnPhoto(world, { dc, seed, date, width, height }).id };
  }
  if (kind === 'poll') return { kind: 'poll', poll: samplePoll(world, options).id };
  return { kind: 'other', tl: tlMediaWithoutFile(kind, options) };
}

/** Its author is who sends it. */
function samplePoll(world: World, options: SampleOptions): PollRow {
  const plain = (text: string): TlObject => ({ _: 'textWithEntities', text, entities: [] });
  const answers = (options.options ?? ['Yes', 'No', 'Perhaps']).map((text, index) => ({
    text: plain(text),
    option: Buffer.from([48 + index]),
  }));
  return addPoll(world, { author: 0, question: plain(options.question ?? 'Shall we?'), answers });
}

function sampleDocument(world: World, kind: MediaKind, sample: SampleDocument, options: SampleOptions): MediaRow {
  const file = addDocument(world, {
    dc: options.dc,
    date: options.date,
    mime: options.mime ?? sample.mime,
    content: options.bytes ?? sampleContent(options.sample ?? sample.file, options),
    attributes: documentAttributes(world, kind, options, options.name ?? sample.name),
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

/** If the sample does not fit into the size, the file has only its first bytes, which show the type. */
function sampleContent(file: SampleName, { seed, size }: SampleOptions): FileContent {
  const sampleLength = sampleSize(file);
  const isPadded = file.endsWith('.mp4') && file !== 'long.mp4';
  const length = size ?? (isPadded ? sampleLength + defaultPaddingBytes : sampleLength);
  if (length === sampleLength || length >= sampleLength + minPaddingBytes) {
    return { form: 'sample', name: file, seed, size: length };
  }
  return { form: 'noise', seed, size: length, head: sampleBytes(file).subarray(0, Math.min(32, length)) };
}

function documentAttributes(
  world: World,
  kind: MediaKind,
  options: SampleOptions,
  name: string | undefined,
): TlObject[] {
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
      {
        _: 'documentAttributeSticker',
        alt: '🙂',
        stickerset: { _: 'inputStickerSetID', id: sampleStickerSet.id, access_hash: stickerSetHash(world) },
      },
    );
  }
  if (name) list.push({ _: 'documentAttributeFilename', file_name: name });
  return list;
}
