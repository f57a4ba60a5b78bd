import { stat } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { Clock } from '../../actors/clock.ts';
import { RequestError } from '../errors.ts';
import type { Outbound } from '../outbound/outbound.ts';
import { OutboundError } from '../outbound/outbound-error.ts';
import { shownUrl } from '../outbound/request-url.ts';
import type { StopSignal } from '../stop-signal.ts';
import type { OutgoingFile, OutgoingMedia } from '../telegram/port/outgoing.ts';
import { containerOf } from './container.ts';
import type { FfmpegPrograms } from './ffmpeg-programs.ts';
import { nameFromUrl, tidyName } from './file-name.ts';
import { createGate } from './gate.ts';
import { type OnGrowth, withGrowingFile } from './growing-file.ts';
import { makeJpeg } from './image.ts';
import { withLimit } from './limit.ts';
import { type Probe, probeFile } from './probe.ts';
import { withTemporaryFolder } from './temporary-folder.ts';
import { takeFirstFrame } from './video.ts';

/** The interface's own limit. */
const maxImageSide = 2560;
/** What Telegram takes for a thumbnail (core.telegram.org/api/files, "Uploading thumbnails"). */
const maxThumbnailSide = 320;
/** Pictures are made on libuv's four threads; the others are for files and names. */
const maxPicturesAtOnce = 2;
/** Each run of FFmpeg, once its turn has come. */
const programLimitMs = 30_000;

/** What a caller wants sent, already checked; durations in seconds. */
export type MediaRequest =
  | { type: 'image'; url: string }
  | { type: 'video'; url: string; mimetype: string; duration: number; thumbnail?: string | undefined }
  | { type: 'audio'; url: string; mimetype: string; duration: number }
  | { type: 'document'; url: string; name: string; mimetype: string };

type DocumentRequest = Extract<MediaRequest, { type: 'document' }>;
type OutgoingKind<K extends OutgoingMedia['kind']> = Extract<OutgoingMedia, { kind: K }>;

/** What becomes of each. */
export interface PreparedMedia {
  image: OutgoingKind<'photo'>;
  video: OutgoingKind<'video'>;
  audio: OutgoingKind<'audio'>;
  document: OutgoingKind<'document'>;
}

export interface MediaPreparation {
  /**
   * Fetches what the URLs of the request name and makes of it what Telegram takes. The files are there while `use` runs,
   * and gone afterwards, whatever happens.
   * @throws {RequestError} `error parser file from url …`, `error compress image: …`. @throws the signal's reason.
   */
  withPrepared<R extends MediaRequest, T>(
    request: R,
    signal: StopSignal,
    use: (media: PreparedMedia[R['type']]) => Promise<T>,
  ): Promise<T>;
}

export interface MediaParts {
  outbound: Outbound;
  clock: Clock;
  /** Asked for when the first video or audio comes. */
  programs: () => Promise<FfmpegPrograms>;
  /** Where folders for the files are made: see `temporary-folder.ts`. */
  folder: string;
  /** MEDIA_MAX_BYTES. */
  maxBytes: number;
  /** Why a frame or a length could not be had; the message is sent without. */
  onUnreadable: (err: unknown, what: 'probe' | 'first frame') => void;
}

export function createMediaPreparation(parts: MediaParts): MediaPreparation {
  const { outbound, clock, maxBytes } = parts;
  const imageGate = createGate(Math.min(availableParallelism(), maxPicturesAtOnce));
  const programGate = createGate(availableParallelism());

  const fetched = async (url: string, path: string, signal: StopSignal, onGrowth?: OnGrowth): Promise<number> => {
    try {
      const options = { maxBytes, signal, ...(onGrowth && { onGrowth }) };
      return (await outbound.download(url, path, options)).size;
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      const reason = `error parser file from url ${shownUrl(url)}: ${error.message}`;
      throw new RequestError(500, reason, undefined, { cause: error });
    }
  };

  /** A picture from a URL, as JPEG. */
  const picture = async (url: string, path: string, maxSide: number, signal: StopSignal): Promise<number> => {
    await fetched(url, `${path}.source`, signal);
    const size = await imageGate(signal, () => makeJpeg(`${path}.source`, path, maxSide));
    signal.throwIfAborted();
    return size;
  };

  /** A program's work on a file; undefined where it can't do it, which is no reason not to send the file. */
  const tried = async <T>(
    what: 'probe' | 'first frame',
    signal: StopSignal,
    work: (signal: StopSignal) => Promise<T>,
  ): Promise<T | undefined> => {
    try {
      return await programGate(signal, () => withLimit(clock, programLimitMs, signal, work));
    } catch (error) {
      signal.throwIfAborted();
      parts.onUnreadable(error, what);
      return undefined;
    }
  };

  const probed = async (path: string, container: string | undefined, signal: StopSignal): Promise<Probe> => {
    const { ffprobe } = await parts.programs();
    if (container === undefined || ffprobe === undefined) return {};
    return (await tried('probe', signal, (limited) => probeFile(ffprobe, path, container, limited))) ?? {};
  };

  const image = async (
    { url }: { url: string },
    folder: string,
    signal: StopSignal,
  ): Promise<PreparedMedia['image']> => {
    const path = join(folder, 'image');
    const size = await picture(url, path, maxImageSide, signal);
    return { kind: 'photo', file: jpeg(path, size, 'image.jpg') };
  };

  const video = async (
    { url, mimetype, duration, thumbnail }: Extract<MediaRequest, { type: 'video' }>,
    folder: string,
    signal: StopSignal,
  ): Promise<PreparedMedia['video']> => {
    const path = join(folder, 'video');
    const thumbnailPath = join(folder, 'thumbnail');
    const given = thumbnail ? await picture(thumbnail, thumbnailPath, maxThumbnailSide, signal) : undefined;
    const size = await fetched(url, path, signal);
    const container = await containerOf(path);
    const probe = await probed(path, container, signal);
    const thumbnailSize = given ?? (await firstFrame(path, thumbnailPath, container, probe, signal));
    return {
      kind: 'video',
      file: { path, size, name: nameFromUrl(url, 'video', mimetype), mimetype },
      duration: probe.duration ?? duration,
      // As Telegram has it where nobody knows.
      width: probe.picture?.width ?? 0,
      height: probe.picture?.height ?? 0,
      ...(thumbnailSize === undefined ? {} : { thumbnail: jpeg(thumbnailPath, thumbnailSize, 'thumbnail.jpg') }),
    };
  };

  const firstFrame = async (
    source: string,
    target: string,
    container: string | undefined,
    { picture: shown }: Probe,
    signal: StopSignal,
  ): Promise<number | undefined> => {
    const { ffmpeg } = await parts.programs();
    if (ffmpeg === undefined || container === undefined || shown === undefined) return undefined;
    const frame = { container, stream: shown.stream, maxSide: maxThumbnailSide };
    return tried('first frame', signal, async (limited) => {
      await takeFirstFrame(ffmpeg, source, target, frame, limited);
      const { size } = await stat(target);
      if (size === 0) throw new Error('the video has no frame');
      return size;
    });
  };

  const audio = async (
    { url, mimetype, duration }: Extract<MediaRequest, { type: 'audio' }>,
    folder: string,
    signal: StopSignal,
  ): Promise<PreparedMedia['audio']> => {
    const path = join(folder, 'audio');
    const size = await fetched(url, path, signal);
    const { title, performer, ...probe } = await probed(path, await containerOf(path), signal);
    return {
      kind: 'audio',
      file: { path, size, name: nameFromUrl(url, 'audio', mimetype), mimetype },
      duration: probe.duration ?? duration,
      ...(title === undefined ? {} : { title }),
      ...(performer === undefined ? {} : { performer }),
    };
  };

  /** Nothing is made of it: what is there of it may be sent before the rest is. */
  const withDocument = <T>(
    { url, name, mimetype }: DocumentRequest,
    folder: string,
    signal: StopSignal,
    use: (document: PreparedMedia['document']) => Promise<T>,
  ): Promise<T> => {
    const path = join(folder, 'document');
    return withGrowingFile(
      (stop, onGrowth) => fetched(url, path, stop, onGrowth),
      signal,
      (growing) => use({ kind: 'document', file: { path, name: tidyName(name), mimetype, ...growing } }),
    );
  };

  const prepare = (
    request: Exclude<MediaRequest, DocumentRequest>,
    folder: string,
    signal: StopSignal,
  ): Promise<OutgoingMedia> => {
    switch (request.type) {
      case 'image':
        return image(request, folder, signal);
      case 'video':
        return video(request, folder, signal);
      case 'audio':
        return audio(request, folder, signal);
    }
  };

  return {
    withPrepared: <R extends MediaRequest, T>(
      request: R,
      signal: StopSignal,
      use: (media: PreparedMedia[R['type']]) => Promise<T>,
    ): Promise<T> =>
      withTemporaryFolder(parts.folder, async (folder) => {
        const lend = (media: OutgoingMedia): Promise<T> => {
          signal.throwIfAborted();
          return use(media as PreparedMedia[R['type']]);
        };
        if (request.type === 'document') return withDocument(request, folder, signal, lend);
        return lend(await prepare(request, folder, signal));
      }),
  };
}

const jpeg = (path: string, size: number, name: string): OutgoingFile => ({ path, size, name, mimetype: 'image/jpeg' });
