import { stat } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import type { LightAbortSignal } from '../../../actors/kit/light-abort.ts';
import { Semaphore } from '../../../actors/kit/semaphore.ts';
import { abortAfter } from '../../../actors/kit/timeout.ts';
import type { Clock } from '../../../actors/ports/clock.ts';
import { GatewayError } from '../../errors/gateway-error.ts';
import type { Outbound } from '../../outbound/outbound.ts';
import { OutboundError } from '../../outbound/outbound-error.ts';
import { shownUrl } from '../../outbound/request-url.ts';
import { containerOf } from './container.ts';
import type { FfmpegPrograms } from './ffmpeg-programs.ts';
import type { OnGrowth } from './growing-file.ts';
import { createPictures } from './pictures.ts';
import { type Probe, probeFile } from './probe.ts';
import { takeFirstFrame } from './video.ts';

/** At any number of processors: each image may take 200 MB. */
const maxPicturesAtOnce = 2;
/** Limit of each run of FFmpeg, from its start. */
const programLimitMs = 30_000;
const tookTooLong = (): Error => new Error(`took longer than ${programLimitMs} ms`);

export interface MediaStepsDeps {
  outbound: Outbound;
  clock: Clock;
  /** Searched when the first video or audio is sent. */
  programs: () => Promise<FfmpegPrograms>;
  /** MEDIA_MAX_BYTES. */
  maxBytes: number;
  /** Why a frame or a length could not be read; the message is sent without it. */
  onUnreadable: (err: unknown, what: 'probe' | 'first frame') => void;
}

/** The properties that FFmpeg reads from a file, and its demuxer. */
interface ProbedFile extends Probe {
  container: string | undefined;
}

/** The steps of media processing, each limited to what the machine can bear. Sizes in bytes, sides in pixels. */
export interface MediaSteps {
  /**
   * @param maxBytes a lower limit than the setting
   * @returns the size. @throws {GatewayError} `error parser file from url …`
   */
  fetch: (
    url: string,
    path: string,
    signal: LightAbortSignal,
    onGrowth?: OnGrowth,
    maxBytes?: number,
  ) => Promise<number>;
  /**
   * Downloads an image and converts it to JPEG; returns its size. @throws {GatewayError} also `error compress image: …`
   */
  fetchPicture: (url: string, path: string, maxSide: number, signal: LightAbortSignal) => Promise<number>;
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
}

export function createMediaSteps({ outbound, clock, programs, maxBytes, onUnreadable }: MediaStepsDeps): MediaSteps {
  const makePicture = createPictures();
  const pictures = new Semaphore(Math.min(availableParallelism(), maxPicturesAtOnce));
  const programRuns = new Semaphore(availableParallelism());

  /** Runs a program on a file; undefined if it fails. */
  const tried = async <T>(
    what: 'probe' | 'first frame',
    signal: LightAbortSignal,
    work: (signal: LightAbortSignal) => Promise<T>,
  ): Promise<T | undefined> => {
    try {
      return await programRuns.run(() => abortAfter(clock, programLimitMs, tookTooLong, work, signal), signal);
    } catch (error) {
      signal.throwIfAborted();
      onUnreadable(error, what);
      return undefined;
    }
  };

  const fetch: MediaSteps['fetch'] = async (url, path, signal, onGrowth, ownMaxBytes = Infinity) => {
    try {
      const options = { maxBytes: Math.min(maxBytes, ownMaxBytes), signal, ...(onGrowth && { onGrowth }) };
      return (await outbound.download(url, path, options)).size;
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      const reason = `error parser file from url ${shownUrl(url)}: ${error.message}`;
      throw new GatewayError(500, reason, undefined, { cause: error });
    }
  };

  return {
    fetch,
    async fetchPicture(url, path, maxSide, signal) {
      await fetch(url, `${path}.source`, signal);
      return pictures.run(() => makePicture({ source: `${path}.source`, target: path, maxSide }, signal), signal);
    },
    async probe(path, signal) {
      const container = await containerOf(path);
      const { ffprobe } = await programs();
      if (container === undefined || ffprobe === undefined) return { container };
      const probe = await tried('probe', signal, (limited) => probeFile(ffprobe, path, container, limited));
      return { container, ...probe };
    },
    async firstFrame(source, target, { container, picture }, maxSide, signal) {
      const { ffmpeg } = await programs();
      if (ffmpeg === undefined || container === undefined || picture === undefined) return undefined;
      const frame = { container, stream: picture.stream, maxSide };
      return tried('first frame', signal, async (limited) => {
        await takeFirstFrame(ffmpeg, source, target, frame, limited);
        const { size } = await stat(target);
        if (size === 0) throw new Error('the video has no frame');
        return size;
      });
    },
  };
}
