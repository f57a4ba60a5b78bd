import { stat, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { FairGate, type FairTurn, GateFullError } from '../../../actors/kit/fair-gate.ts';
import type { LightAbortSignal } from '../../../actors/kit/light-abort.ts';
import { abortAfter } from '../../../actors/kit/timeout.ts';
import type { Clock } from '../../../actors/ports/clock.ts';
import { GatewayError } from '../../errors/gateway-error.ts';
import type { Outbound } from '../../outbound/outbound.ts';
import { OutboundError } from '../../outbound/outbound-error.ts';
import { shownUrl } from '../../outbound/request-url.ts';
import { containerOf } from './container.ts';
import { type Convert, type ConvertedType, createConversions, mustHavePrograms } from './convert/conversion.ts';
import type { FfmpegPrograms } from './ffmpeg-programs.ts';
import { nameFromUrl, nameOr } from './file-name.ts';
import type { OnGrowth } from './growing-file.ts';
import type { MediaSource, Uploads } from './media-source.ts';
import { createPictures, type MakePicture, type PictureTask } from './pictures.ts';
import { type Probe, probeFile } from './probe.ts';
import type { SendRoom } from './temporary-space.ts';
import { takeFirstFrame } from './video.ts';

/** At any number of processors: each image may take 200 MB, its process 300 (NB4.1). */
const maxPicturesAtOnce = 2;
/** Of one session (NB1.2): as many as it may send at a time (NB2). */
const maxWaitingPerSession = 8;
/** Of all sessions (NB1.3): pictures of 40 megapixels take a second each, a send has 240 (MS6). */
const maxWaiting = 200;
/** Limit of each run of FFmpeg, from its start. */
const programLimitMs = 30_000;
const tooLarge = (maxBytes: number): GatewayError => new GatewayError(400, `file is larger than ${maxBytes} bytes`);
const tookTooLong = (): Error => new Error(`took longer than ${programLimitMs} ms`);

export interface MediaStepsDeps {
  outbound: Outbound;
  uploads: Uploads;
  clock: Clock;
  /** Searched when the first video or audio is sent. */
  programs: () => Promise<FfmpegPrograms>;
  /** MEDIA_MAX_BYTES. */
  maxBytes: number;
  /** Why a frame or a length could not be read; the message is sent without it. */
  onUnreadable: (err: unknown, what: 'probe' | 'first frame') => void;
  /** Default: in processes of their own. */
  makePicture?: MakePicture | undefined;
}

/** The properties that FFmpeg reads from a file, and its demuxer. */
export interface ProbedFile extends Probe {
  container: string | undefined;
}

/** The steps of media processing, each limited to what the machine can bear. Sizes in bytes, sides in pixels. */
export interface MediaSteps {
  /**
   * Writes the bytes of a source to `path`. `onGrowth` is called for a download alone.
   * @returns the size
   * @throws {GatewayError} `error parser file from url …`, 400 `file not found`, and that there is no room (NB2)
   */
  fetch: (source: MediaSource, path: string, signal: LightAbortSignal, onGrowth?: OnGrowth) => Promise<number>;
  /** The name of a source, if it has one with an extension; else the kind's, with the extension of the mime type. */
  nameOf: (source: MediaSource, kind: 'video' | 'audio', mimetype: string) => string;
  /**
   * Fetches an image and converts it to JPEG; returns its size. @throws {GatewayError} also `error compress image: …`
   */
  fetchPicture: (
    source: MediaSource,
    path: string,
    wanted: Pick<PictureTask, 'maxSide' | 'isPhoto'>,
    signal: LightAbortSignal,
  ) => Promise<number>;
  /** Returns nothing for an unreadable file, which is sent all the same. */
  probe: (path: string, signal: LightAbortSignal) => Promise<ProbedFile>;
  /** The first frame of a video as JPEG; returns its size, or undefined if there is none. */
  firstFrame: (
    source: string,
    target: string,
    probed: ProbedFile,
    maxSide: number,
    signal: LightAbortSignal,
  ) => Promise<number | undefined>;
  /** @throws {GatewayError} `error convert …`: a program that the type needs is not installed */
  mustConvert: (type: ConvertedType) => Promise<void>;
  convert: Convert;
}

/** What a send may use. */
export interface SendLimits {
  turn: FairTurn;
  /** The largest file that its account may send. */
  maxBytes: number;
  room: SendRoom;
}

/** @returns the steps of a send */
export function createMediaSteps({
  outbound,
  uploads,
  clock,
  programs,
  maxBytes,
  onUnreadable,
  makePicture = createPictures(),
}: MediaStepsDeps): (limits: SendLimits) => MediaSteps {
  const limits = { maxWaitingPerSession, maxWaiting };
  const pictures = new FairGate({
    what: 'pictures',
    places: Math.min(availableParallelism(), maxPicturesAtOnce),
    ...limits,
  });
  const conversions = createConversions(clock, programs);
  const programRuns = new FairGate({ what: 'videos and sounds', places: availableParallelism(), ...limits });

  /** Runs a program on a file; undefined if it fails. @throws {GateFullError} @throws the signal's reason */
  const tried = async <T>(
    turn: FairTurn,
    what: 'probe' | 'first frame',
    signal: LightAbortSignal,
    work: (signal: LightAbortSignal) => Promise<T>,
  ): Promise<T | undefined> => {
    try {
      return await programRuns.run(turn, () => abortAfter(clock, programLimitMs, tookTooLong, work, signal), signal);
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof GateFullError) throw error;
      onUnreadable(error, what);
      return undefined;
    }
  };

  return ({ turn, maxBytes: ownMaxBytes, room }) => {
    const { sessionId } = turn;
    const maxFileBytes = Math.min(maxBytes, ownMaxBytes, room.maxFileBytes);
    const download = async (url: string, path: string, signal: LightAbortSignal, onGrowth?: OnGrowth) => {
      try {
        const options = { sessionId, maxBytes: maxFileBytes, signal, room: room.file(), ...(onGrowth && { onGrowth }) };
        return (await outbound.download(url, path, options)).size;
      } catch (error) {
        if (!(error instanceof OutboundError)) throw error;
        const reason = `error parser file from url ${shownUrl(url)}: ${error.message}`;
        throw new GatewayError(500, reason, undefined, { cause: error });
      }
    };
    const write = async (data: string, path: string): Promise<number> => {
      const bytes = Buffer.from(data, 'base64');
      if (bytes.length > maxFileBytes) throw tooLarge(maxFileBytes);
      await room.file().write(bytes.length);
      await writeFile(path, bytes);
      return bytes.length;
    };
    /** The kept file is on the same disk: nothing is copied, and it may expire meanwhile. */
    const link = async (id: string, path: string): Promise<number> => {
      const { size } = await uploads.link(sessionId, id, path);
      if (size > maxFileBytes) throw tooLarge(maxFileBytes);
      return size;
    };
    const fetch: MediaSteps['fetch'] = (source, path, signal, onGrowth) => {
      if ('url' in source) return download(source.url, path, signal, onGrowth);
      return 'data' in source ? write(source.data, path) : link(source.file, path);
    };

    return {
      fetch,
      nameOf(source, kind, mimetype) {
        if ('url' in source) return nameFromUrl(source.url, kind, mimetype);
        const name = 'file' in source ? uploads.find(sessionId, source.file)?.name : undefined;
        return nameOr(name ?? '', kind, mimetype);
      },
      async fetchPicture(from, path, wanted, signal) {
        const source = `${path}.source`;
        await fetch(from, source, signal);
        const size = await pictures.run(turn, () => makePicture({ source, target: path, ...wanted }, signal), signal);
        await room.file().write(size);
        return size;
      },
      async mustConvert(type) {
        mustHavePrograms(type, await programs());
      },
      async convert(conversion, signal) {
        const size = await conversions(turn)(conversion, signal);
        await room.file().write(size);
        return size;
      },
      async probe(path, signal) {
        const container = await containerOf(path);
        const { ffprobe } = await programs();
        if (container === undefined || ffprobe === undefined) return { container };
        const probe = await tried(turn, 'probe', signal, (limited) => probeFile(ffprobe, path, container, limited));
        return { container, ...probe };
      },
      async firstFrame(source, target, { container, picture }, maxSide, signal) {
        const { ffmpeg } = await programs();
        if (ffmpeg === undefined || container === undefined || picture === undefined) return undefined;
        const frame = { container, stream: picture.stream, maxSide };
        return tried(turn, 'first frame', signal, async (limited) => {
          await takeFirstFrame(ffmpeg, source, target, frame, limited);
          const { size } = await stat(target);
          if (size === 0) throw new Error('the video has no frame');
          return size;
        });
      },
    };
  };
}
