/** A block of memory that a file can make FFmpeg take; what decodes a picture of 8192 × 4320 fits. */
const maxBlockBytes = 256 * 1024 * 1024;
/** How much of a file is looked at to tell what is in it. */
const probeBytes = 5_000_000;
const probeMicroseconds = 5_000_000;

/**
 * What FFmpeg is held to when it reads a file from outside: that file alone, as what it is, in bounded memory. A
 * playlist inside of it, a reference to a track elsewhere or a URL finds neither a demuxer nor a protocol.
 */
export const inputLimits = (container: string): string[] =>
  Object.entries({
    '-v': 'error',
    '-max_alloc': String(maxBlockBytes),
    '-protocol_whitelist': 'file',
    '-format_whitelist': container,
    '-probesize': String(probeBytes),
    '-analyzeduration': String(probeMicroseconds),
    '-f': container,
  }).flat();
