import ffmpeg from 'fluent-ffmpeg';
import type { LightAbortSignal } from '../../../actors/kit/light-abort.ts';
import { inputLimits, limitedFfmpeg } from './input-limits.ts';

/** 8192 × 4320, the largest that any level of H.264 or H.265 in use has. */
const maxPixels = 8192 * 4320;
/** FFmpeg's scale from 2 (best) to 31. */
const quality = 4;

export interface FirstFrame {
  /** See `container.ts`. */
  container: string;
  /** Index of the stream in the file. */
  stream: number;
  /** Pixels; smaller frames stay as they are. */
  maxSide: number;
}

/**
 * Converts the first frame of a video to an upright JPEG. FFmpeg is killed with the signal. @throws {Error} it fails
 */
export function takeFirstFrame(
  program: string,
  source: string,
  target: string,
  { container, stream, maxSide }: FirstFrame,
  signal: LightAbortSignal,
): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    // fluent-ffmpeg passes on the gateway's environment: the limited command drops it.
    const limited = limitedFfmpeg(program);
    const command = ffmpeg({ stdoutLines: 20 })
      .setFfmpegPath(limited.command)
      .input(source)
      .inputOptions(
        // The first words of the command line.
        ...limited.args,
        ...inputLimits(container),
        '-max_pixels',
        String(maxPixels),
        '-an',
        '-sn',
        '-dn',
      )
      .outputOptions(
        ...Object.entries({
          // By default one a core, with a stack each, which count among the program's memory.
          '-filter_threads': '1',
          '-map': `0:${stream}`,
          '-map_metadata': '-1',
          '-frames:v': '1',
          // Square pixels first, as players show them.
          '-vf': `scale=iw*max(sar\\,1):ih/min(sar\\,1),setsar=1,${fitInto(maxSide)}`,
          '-pix_fmt': 'yuvj420p',
          '-q:v': String(quality),
          '-f': 'mjpeg',
        }).flat(),
      )
      .output(target);
    // fluent-ffmpeg would first list FFmpeg's formats and encoders, in processes that cannot be killed. The needed
    // ones are built in.
    Object.assign(command, {
      _checkCapabilities: (done: () => void) => done(),
      availableEncoders: (done: (error: null, encoders: object) => void) => done(null, {}),
    });
    const kill = (): void => void command.kill('SIGKILL');
    const settle = (): void => signal.removeEventListener('abort', kill);
    command
      .on('start', () => {
        if (signal.aborted) kill();
      })
      .on('end', () => {
        settle();
        resolve();
      })
      .on('error', (error: Error) => {
        settle();
        reject(error);
      });
    signal.addEventListener('abort', kill, { once: true });
    command.run();
  });
}

const fitInto = (side: number): string =>
  `scale=min(${side}\\,iw):min(${side}\\,ih):force_original_aspect_ratio=decrease`;
