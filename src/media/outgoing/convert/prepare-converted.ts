import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { LightAbortSignal } from '../../../../actors/kit/light-abort.ts';
import { GatewayError } from '../../../errors/gateway-error.ts';
import type { OutgoingFile, OutgoingMedia, OutgoingVideo } from '../../../telegram/port/outgoing.ts';
import type { MediaSteps, ProbedFile } from '../media-steps.ts';
import { type ConvertedType, notConverted } from './conversion.ts';
import { animationOutput, maxVideoNoteSeconds, secondsSlack, videoNoteOutput, voiceOutput } from './outputs.ts';
import { stickerFormatOf } from './sticker-format.ts';
import { WaveformMeter } from './waveform.ts';

/** Telegram's limit for thumbnails (core.telegram.org/api/files, "Uploading thumbnails"). */
const maxThumbnailSide = 320;
/** Of a video sticker that could not be read: the size that its format asks for. */
const stickerSide = 512;

type OutgoingKind<K extends OutgoingMedia['kind']> = Extract<OutgoingMedia, { kind: K }>;

/** The converted media. */
export interface ConvertedMedia {
  voice: OutgoingKind<'voice'>;
  videoNote: OutgoingKind<'videoNote'>;
  animation: OutgoingKind<'animation'>;
  sticker: OutgoingKind<'sticker'>;
}

type Fetch = (path: string, signal: LightAbortSignal) => Promise<number>;
type Prepare<T extends ConvertedType> = (
  steps: MediaSteps,
  fetch: Fetch,
  folder: string,
  signal: LightAbortSignal,
) => Promise<ConvertedMedia[T]>;

/**
 * Fetches a file and makes the media of a message of it (MX1). `fetch` writes it to a path and returns its size.
 * @throws {GatewayError} `error convert …`, a video note that is too long, and what `fetch` throws
 */
export async function prepareConverted<T extends ConvertedType>(
  type: T,
  steps: MediaSteps,
  fetch: Fetch,
  folder: string,
  signal: LightAbortSignal,
): Promise<ConvertedMedia[T]> {
  // Before anything is fetched: a missing program costs nothing.
  await steps.mustConvert(type);
  return preparations[type](steps, fetch, folder, signal);
}

const preparations: { readonly [T in ConvertedType]: Prepare<T> } = {
  voice: prepareVoice,
  videoNote: prepareVideoNote,
  animation: prepareAnimation,
  sticker: prepareSticker,
};

/** The sound of any audio or video, as OGG with Opus, with its waveform. */
async function prepareVoice(
  { probe, convert }: MediaSteps,
  fetch: Fetch,
  folder: string,
  signal: LightAbortSignal,
): Promise<ConvertedMedia['voice']> {
  const source = join(folder, 'source');
  const target = join(folder, 'voice.ogg');
  await fetch(source, signal);
  const { container, hasSound } = await probe(source, signal);
  if (hasSound === false) throw notConverted('voice', 'it has no sound');
  const meter = new WaveformMeter();
  const onOutput = (bytes: Buffer): void => meter.add(bytes);
  const output = voiceOutput(target);
  const size = await convert({ type: 'voice', source, container, target, output, onOutput }, signal);
  if (meter.duration === 0) throw notConverted('voice', 'it has no sound');
  const file = { path: target, size, name: 'voice.ogg', mimetype: 'audio/ogg' };
  return { kind: 'voice', file, duration: meter.duration, waveform: meter.waveform() };
}

/** The middle of any video, as a square MP4. */
async function prepareVideoNote(
  steps: MediaSteps,
  fetch: Fetch,
  folder: string,
  signal: LightAbortSignal,
): Promise<ConvertedMedia['videoNote']> {
  const source = join(folder, 'source');
  const target = join(folder, 'note.mp4');
  await fetch(source, signal);
  const probed = await steps.probe(source, signal);
  mustBeShort(probed);
  const { container } = probed;
  const output = videoNoteOutput(streamOf('videoNote', probed), target);
  const size = await steps.convert({ type: 'videoNote', source, container, target, output }, signal);
  const file = { path: target, size, name: 'note.mp4', mimetype: 'video/mp4' };
  const { duration, ...video } = await madeVideo('videoNote', steps, file, folder, signal);
  mustBeShort({ duration });
  return { kind: 'videoNote', ...video, duration: Math.min(duration, maxVideoNoteSeconds) };
}

/** Any video, or a GIF, as an MP4 without sound. One that is such already stays as it is. */
async function prepareAnimation(
  steps: MediaSteps,
  fetch: Fetch,
  folder: string,
  signal: LightAbortSignal,
): Promise<ConvertedMedia['animation']> {
  const source = join(folder, 'source');
  const target = join(folder, 'animation.mp4');
  const sourceSize = await fetch(source, signal);
  const probed = await steps.probe(source, signal);
  const { container, hasSound, picture } = probed;
  const stream = streamOf('animation', probed);
  const isH264 = container === 'mov' && picture?.codec === 'h264';
  const convert = (): Promise<number> => {
    const output = animationOutput(stream, isH264, target);
    return steps.convert({ type: 'animation', source, container, target, output }, signal);
  };
  const keep = async (): Promise<number> => {
    await rename(source, target);
    return sourceSize;
  };
  const size = isH264 && hasSound === false ? await keep() : await convert();
  const file = { path: target, size, name: 'animation.mp4', mimetype: 'video/mp4' };
  return { kind: 'animation', ...(await madeVideo('animation', steps, file, folder, signal)) };
}

/** A file of one of Telegram's formats, as it is. */
async function prepareSticker(
  { probe }: MediaSteps,
  fetch: Fetch,
  folder: string,
  signal: LightAbortSignal,
): Promise<ConvertedMedia['sticker']> {
  const path = join(folder, 'sticker');
  const size = await fetch(path, signal);
  const format = await stickerFormatOf(path);
  switch (format?.kind) {
    case undefined:
      throw notConverted('sticker', 'it is not a WebP, TGS or WebM');
    case 'webp':
    case 'tgs': {
      const { kind, width, height } = format;
      const mimetype = kind === 'webp' ? 'image/webp' : 'application/x-tgsticker';
      return { kind: 'sticker', file: { path, size, name: `sticker.${kind}`, mimetype }, width, height };
    }
    case 'webm': {
      const { duration = 0, picture } = await probe(path, signal);
      const { width = stickerSide, height = stickerSide } = picture ?? {};
      const file = { path, size, name: 'sticker.webm', mimetype: 'video/webm' };
      return { kind: 'sticker', file, width, height, duration };
    }
  }
}

/** @throws {GatewayError} 400: a video note may not be that long */
function mustBeShort({ duration = 0 }: Pick<ProbedFile, 'duration'>): void {
  if (duration <= maxVideoNoteSeconds + secondsSlack) return;
  throw new GatewayError(400, `videoNote must be shorter than or equal to ${maxVideoNoteSeconds} seconds`);
}

/** The stream of the picture. @throws {GatewayError} there is none, or it cannot be said */
function streamOf(type: ConvertedType, { container, picture, hasSound }: ProbedFile): number {
  if (picture !== undefined) return picture.stream;
  if (container === undefined) throw notConverted(type, 'it is of no known format');
  throw notConverted(type, hasSound === undefined ? 'it cannot be read' : 'it has no picture');
}

/** Length, size and thumbnail of a video that was made. */
async function madeVideo(
  type: ConvertedType,
  { probe, firstFrame }: MediaSteps,
  file: OutgoingFile,
  folder: string,
  signal: LightAbortSignal,
): Promise<OutgoingVideo> {
  const probed = await probe(file.path, signal);
  const { duration, picture } = probed;
  if (duration === undefined || picture === undefined) throw notConverted(type, 'it cannot be read');
  const path = join(folder, 'thumbnail');
  const size = await firstFrame(file.path, path, probed, maxThumbnailSide, signal);
  const { width, height } = picture;
  const thumbnail = size === undefined ? undefined : { path, size, name: 'thumbnail.jpg', mimetype: 'image/jpeg' };
  return { file, duration, width, height, ...(thumbnail && { thumbnail }) };
}
