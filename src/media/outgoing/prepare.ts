import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { FairTurn } from '../../../actors/kit/fair-gate.ts';
import type { LightAbortSignal } from '../../../actors/kit/light-abort.ts';
import type { OutgoingFile, OutgoingMedia } from '../../telegram/port/outgoing.ts';
import type { ConvertedType } from './convert/conversion.ts';
import { type ConvertedMedia, prepareConverted } from './convert/prepare-converted.ts';
import { mimeTypeOf, tidyName } from './file-name.ts';
import { type Growing, withGrowingFile } from './growing-file.ts';
import type { MediaSource } from './media-source.ts';
import { createMediaSteps, type MediaSteps, type MediaStepsDeps } from './media-steps.ts';
import { prepareAll } from './prepare-all.ts';
import { withTemporaryFolder } from './temporary-folder.ts';
import type { TemporarySpace } from './temporary-space.ts';

/** The interface's own limit. */
const maxImageSide = 2560;
/** Telegram's limit for thumbnails (core.telegram.org/api/files, "Uploading thumbnails"). */
const maxThumbnailSide = 320;

/** The validated media of a request; durations in seconds. */
export type MediaRequest = MediaSource &
  (
    | { type: 'image' }
    | { type: 'video'; mimetype: string; duration: number; thumbnail?: string | undefined }
    | { type: 'audio'; mimetype: string; duration: number }
    | { type: 'document'; name: string; mimetype: string }
    | { type: ConvertedType }
  );

type RequestOf<T extends MediaRequest['type']> = Extract<MediaRequest, { type: T }>;
type OutgoingKind<K extends OutgoingMedia['kind']> = Extract<OutgoingMedia, { kind: K }>;

/** The prepared media. */
export interface PreparedMedia extends ConvertedMedia {
  image: OutgoingKind<'photo'>;
  video: OutgoingKind<'video'>;
  audio: OutgoingKind<'audio'>;
  document: OutgoingKind<'document'>;
}

/** For one send. */
export interface MediaPreparation {
  /**
   * Fetches the files of a request and converts them for Telegram. The files exist while `use` runs and are removed
   * afterwards in any case.
   * @param maxBytes the largest file that the account may send; the setting limits it too
   * @throws {GatewayError} `error parser file from url …`, `error compress image: …`, 400 `file not found`, and 429 or
   * 503: no room (NB2)
   * @throws the signal's reason
   */
  withPrepared<R extends MediaRequest, T>(
    request: R,
    signal: LightAbortSignal,
    use: (media: PreparedMedia[R['type']]) => Promise<T>,
    maxBytes?: number,
  ): Promise<T>;
  /** The same for the files of an album, which count as one send; the media stand in the order of the requests. */
  withAlbum<T>(
    requests: readonly MediaRequest[],
    signal: LightAbortSignal,
    use: (album: readonly OutgoingMedia[]) => Promise<T>,
    maxBytes?: number,
  ): Promise<T>;
}

/** For all sends. */
export interface MediaPreparations {
  /** @param turn whose send it is, and its batch: see {@link FairTurn} */
  of(turn: FairTurn): MediaPreparation;
}

export interface MediaPreparationDeps extends MediaStepsDeps {
  /** The parent of the temporary folders: see `temporary-folder.ts`. */
  folder: string;
  space: TemporarySpace;
}

export function createMediaPreparations(deps: MediaPreparationDeps): MediaPreparations {
  const stepsOf = createMediaSteps(deps);
  return { of: (turn) => createMediaPreparation(deps, stepsOf, turn) };
}

function createMediaPreparation(
  { folder: root, space }: MediaPreparationDeps,
  stepsOf: ReturnType<typeof createMediaSteps>,
  turn: FairTurn,
): MediaPreparation {
  return {
    withPrepared: <R extends MediaRequest, T>(
      request: R,
      signal: LightAbortSignal,
      use: (media: PreparedMedia[R['type']]) => Promise<T>,
      maxBytes = Infinity,
    ): Promise<T> =>
      space.lend(turn, (room) =>
        withTemporaryFolder(root, async (folder) => {
          const lend = (media: OutgoingMedia): Promise<T> => {
            signal.throwIfAborted();
            return use(media as PreparedMedia[R['type']]);
          };
          const steps = stepsOf({ turn, maxBytes, room });
          if (request.type === 'document') return withDocument(steps, request, folder, signal, lend);
          return lend(await prepare(steps, request, folder, signal));
        }),
      ),
    withAlbum: (requests, signal, use, maxBytes = Infinity) =>
      space.lend(turn, (room) =>
        withTemporaryFolder(root, async (folder) => {
          const steps = stepsOf({ turn, maxBytes, room });
          const album = await prepareAll(requests, signal, async (request, place, stop) => {
            const own = join(folder, String(place));
            await mkdir(own);
            return prepare(steps, request, own, stop);
          });
          return use(album);
        }),
      ),
  };
}

function prepare(
  steps: MediaSteps,
  request: MediaRequest,
  folder: string,
  signal: LightAbortSignal,
): Promise<OutgoingMedia> {
  switch (request.type) {
    case 'image':
      return prepareImage(steps, request, folder, signal);
    case 'video':
      return prepareVideo(steps, request, folder, signal);
    case 'audio':
      return prepareAudio(steps, request, folder, signal);
    case 'document':
      return prepareDocument(steps, request, folder, signal);
    case 'voice':
    case 'videoNote':
    case 'animation':
    case 'sticker': {
      const fetch = (path: string, stop: LightAbortSignal): Promise<number> => steps.fetch(request, path, stop);
      return prepareConverted(request.type, steps, fetch, folder, signal);
    }
  }
}

async function prepareImage(
  { fetchPicture }: MediaSteps,
  source: RequestOf<'image'>,
  folder: string,
  signal: LightAbortSignal,
): Promise<PreparedMedia['image']> {
  const path = join(folder, 'image');
  const size = await fetchPicture(source, path, { maxSide: maxImageSide, isPhoto: true }, signal);
  return { kind: 'photo', file: jpeg(path, size, 'image.jpg') };
}

async function prepareVideo(
  { fetch, fetchPicture, nameOf, probe, firstFrame }: MediaSteps,
  request: RequestOf<'video'>,
  folder: string,
  signal: LightAbortSignal,
): Promise<PreparedMedia['video']> {
  const { mimetype, duration, thumbnail } = request;
  const path = join(folder, 'video');
  const thumbnailPath = join(folder, 'thumbnail');
  const wanted = { maxSide: maxThumbnailSide };
  const given = thumbnail ? await fetchPicture({ url: thumbnail }, thumbnailPath, wanted, signal) : undefined;
  const size = await fetch(request, path, signal);
  const probed = await probe(path, signal);
  const thumbnailSize = given ?? (await firstFrame(path, thumbnailPath, probed, maxThumbnailSide, signal));
  return {
    kind: 'video',
    file: { path, size, name: nameOf(request, 'video', mimetype), mimetype },
    duration: probed.duration ?? duration,
    // Telegram's value for unknown durations.
    width: probed.picture?.width ?? 0,
    height: probed.picture?.height ?? 0,
    ...(thumbnailSize === undefined ? {} : { thumbnail: jpeg(thumbnailPath, thumbnailSize, 'thumbnail.jpg') }),
  };
}

async function prepareAudio(
  { fetch, nameOf, probe }: MediaSteps,
  request: RequestOf<'audio'>,
  folder: string,
  signal: LightAbortSignal,
): Promise<PreparedMedia['audio']> {
  const { mimetype, duration } = request;
  const path = join(folder, 'audio');
  const size = await fetch(request, path, signal);
  const probed = await probe(path, signal);
  const { title, performer } = probed;
  return {
    kind: 'audio',
    file: { path, size, name: nameOf(request, 'audio', mimetype), mimetype },
    duration,
    ...(title === undefined ? {} : { title }),
    ...(performer === undefined ? {} : { performer }),
  };
}

async function prepareDocument(
  { fetch }: MediaSteps,
  request: RequestOf<'document'>,
  folder: string,
  signal: LightAbortSignal,
): Promise<PreparedMedia['document']> {
  const path = join(folder, 'document');
  return documentOf(request, path, { size: await fetch(request, path, signal) });
}

/** It is not converted: received parts may be sent before the rest arrives. */
function withDocument<T>(
  { fetch }: MediaSteps,
  request: RequestOf<'document'>,
  folder: string,
  signal: LightAbortSignal,
  use: (document: PreparedMedia['document']) => Promise<T>,
): Promise<T> {
  const path = join(folder, 'document');
  return withGrowingFile(
    (stop, onGrowth) => fetch(request, path, stop, onGrowth),
    signal,
    (growing) => use(documentOf(request, path, growing)),
  );
}

function documentOf(
  { name, mimetype }: RequestOf<'document'>,
  path: string,
  growing: Growing,
): PreparedMedia['document'] {
  const tidy = tidyName(name);
  return { kind: 'document', file: { path, name: tidy, mimetype: mimeTypeOf(tidy, mimetype), ...growing } };
}

const jpeg = (path: string, size: number, name: string): OutgoingFile => ({ path, size, name, mimetype: 'image/jpeg' });
