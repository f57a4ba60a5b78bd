import { stat } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { FairGate, type FairTurn, GateFullError } from '../../../../actors/kit/fair-gate.ts';
import type { LightAbortSignal } from '../../../../actors/kit/light-abort.ts';
import { abortAfter } from '../../../../actors/kit/timeout.ts';
import type { Clock } from '../../../../actors/ports/clock.ts';
import { GatewayError } from '../../../errors/gateway-error.ts';
import type { FfmpegPrograms } from '../ffmpeg-programs.ts';
import { runFfmpeg } from './run-ffmpeg.ts';

/** The types of messages whose files are converted, or read, before they are sent. */
export type ConvertedType = 'voice' | 'videoNote' | 'animation' | 'sticker';

/** Limit of a conversion: a minute of a large video takes half of it on one core. */
const maxSeconds = 120;
/** At any number of processors; one of them is left for other sessions. */
const minPlaces = 2;
/** As pictures: see `media-steps.ts`. */
const limits = { maxWaitingPerSession: 8, maxWaiting: 200 } as const;

/** One file to convert. */
interface Conversion {
  type: ConvertedType;
  source: string;
  /** See `container.ts`; undefined for unknown content. */
  container: string | undefined;
  /** The file that it makes. */
  target: string;
  /** FFmpeg's options behind the input. */
  output: readonly string[];
  /** What FFmpeg writes to `pipe:1`. */
  onOutput?: (bytes: Buffer) => void;
}

/**
 * Converts a file with FFmpeg and returns the size of what it made, in bytes.
 * @throws {GatewayError} `error convert …`. @throws {GateFullError} @throws the signal's reason
 */
export type Convert = (conversion: Conversion, signal: LightAbortSignal) => Promise<number>;

/** The error for a file that cannot become a message of its type. */
export const notConverted = (type: ConvertedType, reason: string, cause?: unknown): GatewayError =>
  new GatewayError(500, `error convert ${type}: ${reason}`, undefined, { cause });

/** The programs that a type needs. A sticker stays as it is. */
const needed: Readonly<Record<ConvertedType, readonly (keyof FfmpegPrograms)[]>> = {
  voice: ['ffmpeg'],
  videoNote: ['ffmpeg', 'ffprobe'],
  animation: ['ffmpeg', 'ffprobe'],
  sticker: [],
};

/** @throws {GatewayError} a program that the type needs is not there */
export function mustHavePrograms(type: ConvertedType, programs: FfmpegPrograms): void {
  for (const name of needed[type]) {
    if (programs[name] === undefined) throw notConverted(type, `${name} is not installed`);
  }
}

/** @returns the conversions of a session, which share their places with those of all others */
export function createConversions(clock: Clock, programs: () => Promise<FfmpegPrograms>): (turn: FairTurn) => Convert {
  const places = Math.max(minPlaces, availableParallelism());
  const runs = new FairGate({ what: 'conversions', places, placesPerSession: places - 1, ...limits });
  return (turn) => async (conversion, signal) => {
    const { type, target, container } = conversion;
    if (container === undefined) throw notConverted(type, 'it is of no known format');
    const { ffmpeg: program = 'ffmpeg' } = await programs();
    const run = { ...conversion, container, program, maxCpuSeconds: maxSeconds };
    const tookTooLong = (): Error => notConverted(type, `it takes longer than ${maxSeconds} s`);
    const convert = (stop: LightAbortSignal): Promise<void> => runFfmpeg(run, stop);
    try {
      await runs.run(turn, () => abortAfter(clock, maxSeconds * 1000, tookTooLong, convert, signal), signal);
      return (await stat(target)).size;
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof GateFullError || error instanceof GatewayError) throw error;
      throw notConverted(type, 'it cannot be read', error);
    }
  };
}
