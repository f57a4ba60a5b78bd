import { execFile } from 'node:child_process';
import type { LightAbortSignal } from '../../../actors/kit/light-abort.ts';
import { inputLimits, limitedFfmpeg, programEnvironment } from './input-limits.ts';

/** ffprobe's answer about a whole file is a few KB. */
const maxAnswerBytes = 1024 * 1024;
/** More than a month is damage, not a duration. */
const maxDurationSeconds = 31 * 24 * 3600;
/** Wider than any real video: pixels of such a shape are damage too. */
const maxSide = 65_535;

/** A tag can be as long as the file; a title is not. */
const maxTagLength = 255;

/** The properties of an audio or video file. */
export interface Probe {
  /** Seconds. */
  duration?: number;
  title?: string;
  performer?: string;
  hasSound?: boolean;
  picture?: {
    /** Index of the stream in the file. */
    stream: number;
    /** FFmpeg's name of its codec. */
    codec: string;
    /** Pixels as shown: rotated, and with square pixels. */
    width: number;
    height: number;
  };
}

interface ProbedStream {
  index?: number;
  codec_type?: string;
  codec_name?: string;
  width?: number;
  height?: number;
  duration?: string;
  sample_aspect_ratio?: string;
  tags?: Record<string, string>;
  disposition?: { attached_pic?: number };
  side_data_list?: { rotation?: number | string }[];
}

interface ProbeAnswer {
  streams?: ProbedStream[];
  format?: { duration?: string; tags?: Record<string, string> };
}

const entries = [
  'format=duration',
  'format_tags=title,artist',
  'stream=index,codec_type,codec_name,width,height,duration,sample_aspect_ratio',
  'stream_tags=rotate,title,artist',
  'stream_disposition=attached_pic',
  'stream_side_data=rotation',
].join(':');

/**
 * Runs ffprobe, which is killed with the signal. (fluent-ffmpeg's way of running it gives no control of the process.)
 * @param container see `container.ts`
 * @throws {Error} ffprobe cannot read the file
 */
export async function probeFile(
  ffprobe: string,
  source: string,
  container: string,
  signal: LightAbortSignal,
): Promise<Probe> {
  const answer = await new Promise<string>((resolve, reject) => {
    const { command, args } = limitedFfmpeg(ffprobe);
    const child = execFile(
      command,
      [...args, ...inputLimits(container), '-show_entries', entries, '-of', 'json', source],
      { maxBuffer: maxAnswerBytes, killSignal: 'SIGKILL', env: programEnvironment() },
      (error, output) => {
        signal.removeEventListener('abort', kill);
        if (error === null) resolve(output);
        else reject(error);
      },
    );
    const kill = (): void => void child.kill('SIGKILL');
    signal.addEventListener('abort', kill, { once: true });
  });
  return readAnswer(JSON.parse(answer) as ProbeAnswer);
}

function readAnswer({ streams = [], format = {} }: ProbeAnswer): Probe {
  const shown = streams.find(
    ({ codec_type: type, disposition }) => type === 'video' && disposition?.attached_pic !== 1,
  );
  const duration = [format.duration, shown?.duration, streams[0]?.duration].map(Number).find(isDuration);
  // Ogg has its tags in the stream.
  const tags = { ...streams.find(({ codec_type: type }) => type === 'audio')?.tags, ...format.tags };
  const title = tag(tags, 'title');
  const performer = tag(tags, 'artist');
  const picture = shown === undefined ? undefined : pictureOf(shown);
  return {
    hasSound: streams.some(({ codec_type: type }) => type === 'audio'),
    ...(duration === undefined ? {} : { duration }),
    ...(title === undefined ? {} : { title }),
    ...(performer === undefined ? {} : { performer }),
    ...(picture === undefined ? {} : { picture }),
  };
}

const isDuration = (seconds: number): boolean => seconds > 0 && seconds <= maxDurationSeconds;

/** Names of tags come in upper or lower case. */
function tag(tags: Record<string, string>, name: string): string | undefined {
  const found = Object.entries(tags).find(([key, value]) => key.toLowerCase() === name && value.trim() !== '');
  return found === undefined ? undefined : Array.from(found[1].trim()).slice(0, maxTagLength).join('');
}

function pictureOf({
  index = 0,
  codec_name: codec = '',
  width = 0,
  height = 0,
  ...stream
}: ProbedStream): Probe['picture'] {
  if (!(width > 0 && height > 0)) return undefined;
  const [across = 1, down = 1] = (stream.sample_aspect_ratio ?? '1:1').split(':').map(Number);
  const stretched = Math.round((width * across) / down);
  const shownWidth = stretched >= 1 && stretched <= maxSide ? stretched : width;
  const rotation = Number(
    stream.side_data_list?.find((item) => item.rotation !== undefined)?.rotation ?? stream.tags?.['rotate'] ?? 0,
  );
  const isOnItsSide = Math.abs(rotation % 180) === 90;
  return isOnItsSide
    ? { stream: index, codec, width: height, height: shownWidth }
    : { stream: index, codec, width: shownWidth, height };
}
