/** Maximum block of memory that FFmpeg may allocate; enough to decode 8192 × 4320. */
const maxBlockBytes = 256 * 1024 * 1024;
/** Bytes of a file that are read to detect its streams. */
const probeBytes = 5_000_000;
const probeMicroseconds = 5_000_000;

/**
 * Limits of FFmpeg for files from outside: only that file, with its own demuxer, in bounded memory. A playlist inside
 * it, a reference to another file or a URL finds neither a demuxer nor a protocol.
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
