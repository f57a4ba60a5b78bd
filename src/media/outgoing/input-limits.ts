import { searchPath } from '../../config/config.ts';
import { limitedCommand } from './limited-program.ts';

/** Maximum block of memory that FFmpeg may allocate; enough to decode 8192 × 4320. */
const maxBlockBytes = 256 * 1024 * 1024;
/** Bytes of a file that are read to detect its streams. */
const probeBytes = 5_000_000;
const probeMicroseconds = 5_000_000;
/** All of its memory. A frame of 8192 × 4320 has been seen to take 461 MB. */
const maxProgramBytes = 1024 * 1024 * 1024;
/** CPU seconds after which FFmpeg ends. The gateway kills it after 30 s of its clock. */
const maxProgramSeconds = 30;

/** The decoders of what people film, record and edit. FFmpeg has some 500 more, of games and devices of the past. */
const decoders = {
  video: 'h264 hevc av1 libdav1d libaom-av1 vp8 vp9 libvpx libvpx-vp9 mpeg4 mpeg2video mpeg1video mpegvideo h263 mjpeg',
  older: 'theora wmv1 wmv2 wmv3 vc1 msmpeg4v1 msmpeg4v2 msmpeg4 flv vp6 vp6a vp6f svq3 dvvideo prores rawvideo',
  covers: 'png bmp gif webp',
  sound:
    'aac aac_latm aac_fixed mp3 mp3float mp2 mp2float mp1 mp1float vorbis libvorbis opus libopus flac alac ac3 eac3',
  olderSound: 'dca truehd mlp wmav1 wmav2 wmapro wmalossless amrnb amrwb libopencore_amrnb libopencore_amrwb speex',
  flashSound: 'libspeex nellymoser adpcm_swf adpcm_ms adpcm_ima_wav adpcm_ima_qt gsm gsm_ms libgsm libgsm_ms',
  plainSound: 'pcm_s16le pcm_s16be pcm_s24le pcm_s24be pcm_s32le pcm_s32be pcm_u8 pcm_s8 pcm_f32le pcm_f32be',
  otherSound: 'pcm_f64le pcm_mulaw pcm_alaw pcm_dvd pcm_bluray',
  // ffprobe reads nothing of a file with a stream that it may not decode.
  subtitles: 'mov_text srt subrip ass ssa webvtt text dvbsub dvdsub pgssub xsub cc_dec libzvbi_teletextdec',
};

/**
 * Limits of FFmpeg for files from outside: only that file, with its own demuxer and known decoders, in bounded memory. A
 * playlist inside it, a reference to another file or a URL finds neither a demuxer nor a protocol.
 */
export const inputLimits = (container: string): string[] =>
  Object.entries({
    '-v': 'error',
    '-max_alloc': String(maxBlockBytes),
    '-protocol_whitelist': 'file',
    '-format_whitelist': container,
    '-codec_whitelist': Object.values(decoders).join(' ').replaceAll(' ', ','),
    '-threads': '1',
    '-probesize': String(probeBytes),
    '-analyzeduration': String(probeMicroseconds),
    '-f': container,
  }).flat();

/**
 * What FFmpeg and ffprobe know of the gateway's environment, which holds secrets: where programs are. The bundled ones
 * have a C library of their own, which crashes with the character sets of the system's (a text in a transport stream
 * makes it look for one); here it finds none.
 */
export const programEnvironment = (): Record<string, string> => ({
  PATH: searchPath(),
  GCONV_PATH: '/dev/null',
});

/** The command that runs FFmpeg or ffprobe within its limits. */
export const limitedFfmpeg = (
  program: string,
  maxCpuSeconds = maxProgramSeconds,
): { command: string; args: string[] } =>
  limitedCommand(program, {
    maxBytes: maxProgramBytes,
    maxCpuSeconds,
    environment: programEnvironment(),
  });
