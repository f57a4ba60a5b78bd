import { waveformSampleRate } from './waveform.ts';

/** FFmpeg's options behind the input, for each kind of message that is made with it. */

/** `round_video_encoding` of Telegram's client configuration: pixels, bits a second. */
const round = { side: 384, videoBitrate: 1_000_000, audioBitrate: 64_000 } as const;
/** A video note is not longer, in seconds. */
export const maxVideoNoteSeconds = 60;
/** Frames and packets do not end on the second. */
export const secondsSlack = 0.5;
/** Wider animations are made smaller, in pixels. */
const maxAnimationSide = 1_280;
const voiceBitrate = 32_000;

/** By default one thread a core, with a stack each, which counts among the program's memory. */
const common = { '-map_metadata': '-1', '-map_chapters': '-1', '-filter_threads': '1', '-threads': '1' };
const h264 = { '-c:v': 'libx264', '-preset': 'veryfast', '-profile:v': 'main', '-pix_fmt': 'yuv420p' };
const mp4 = { '-movflags': '+faststart', '-f': 'mp4' };
/** As players show it: with square pixels. FFmpeg has turned the picture by itself. */
const squarePixels = 'scale=iw*max(sar\\,1):ih/min(sar\\,1),setsar=1';

const options = (...parts: Readonly<Record<string, string>>[]): string[] =>
  parts.flatMap((part) => Object.entries(part).flat());

/** A voice note, and its samples for the waveform on `pipe:1`. */
export const voiceOutput = (target: string): string[] => [
  ...options({ '-map': '0:a:0', ...common, '-ac': '1', '-ar': '48000', '-c:a': 'libopus' }),
  ...options({ '-b:a': String(voiceBitrate), '-application': 'voip', '-f': 'ogg' }),
  target,
  ...options({ '-map': '0:a:0', '-ac': '1', '-ar': String(waveformSampleRate), '-f': 's16le' }),
  'pipe:1',
];

/** A square video of Telegram's size, a second longer than it may be, so that a longer one is noticed. */
export const videoNoteOutput = (stream: number, target: string): string[] => [
  ...options({ '-map': `0:${stream}` }),
  ...options({ '-map': '0:a:0?', ...common, '-t': String(maxVideoNoteSeconds + 1), '-r': '30' }),
  '-vf',
  `${squarePixels},crop=min(iw\\,ih):min(iw\\,ih),scale=${round.side}:${round.side},setsar=1`,
  ...options(h264, {
    '-crf': '26',
    '-maxrate': String(round.videoBitrate),
    '-bufsize': String(2 * round.videoBitrate),
  }),
  ...options({ '-c:a': 'aac', '-b:a': String(round.audioBitrate), '-ac': '1', '-ar': '48000' }, mp4),
  target,
];

/** A video without sound. @param isH264 its picture stays as it is */
export const animationOutput = (stream: number, isH264: boolean, target: string): string[] => {
  const fit = `scale=min(${maxAnimationSide}\\,iw):min(${maxAnimationSide}\\,ih):force_original_aspect_ratio=decrease`;
  // H.264 in its usual form has even sides.
  const filter = `${squarePixels},${fit},scale=max(2\\,trunc(iw/2)*2):max(2\\,trunc(ih/2)*2)`;
  const picture = isH264 ? { '-c:v': 'copy' } : { '-vf': filter, ...h264, '-crf': '23' };
  return [...options({ '-map': `0:${stream}`, ...common }), '-an', ...options(picture, mp4), target];
};
