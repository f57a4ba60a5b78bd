import { stat } from 'node:fs/promises';
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
import type { FfmpegPrograms } from './ffmpeg-programs.ts';
import type { OnGrowth } from './growing-file.ts';
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
  /** Default: in processes of their own. */
  makePicture?: MakePicture | undefined;
}

/** The properties that FFmpeg reads from a file, and its demuxer. */
interface ProbedFile extends Probe {
  container: string | undefined;
}

/** The steps of media processing, each limited to what the machine can bear. Sizes in bytes, sides in pixels. */
export interface MediaSteps {
  /** @returns the size. @throws {GatewayError} `error parser file from url …`, and that there is no room (NB2) */
  fetch: (url: string, path: string, signal: LightAbortSignal, onGrowth?: OnGrowth) => Promise<number>;
  /**
   * Downloads an image and converts it to JPEG; returns its size. @throws {GatewayError} also `error compress image: …`
   */
  fetchPicture: (
    url: string,
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
    const fetch: MediaSteps['fetch'] = async (url, path, signal, onGrowth) => {
      try {
        const most = Math.min(maxBytes, ownMaxBytes, room.maxFileBytes);
        const options = { sessionId, maxBytes: most, signal, room: room.file(), ...(onGrowth && { onGrowth }) };
        return (await outbound.download(url, path, options)).size;
      } catch (error) {
        if (!(error instanceof OutboundError)) throw error;
        const reason = `error parser file from url ${shownUrl(url)}: ${error.message}`;
        throw new GatewayError(500, reason, undefined, { cause: error });
      }
    };

    return {
      fetch,
      async fetchPicture(url, path, wanted, signal) {
        const source = `${path}.source`;
        await fetch(url, source, signal);
        const size = await pictures.run(turn, () => makePicture({ source, target: path, ...wanted }, signal), signal);
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
