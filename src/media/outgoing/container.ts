import { type FileHandle, open } from 'node:fs/promises';

/** Enough for three packets of an MPEG transport stream. */
const sniffedBytes = 512;
const tsPacketBytes = 188;

/** The first bytes of a file, in hex, and FFmpeg's demuxer for it. */
const beginnings: readonly (readonly [RegExp, string])[] = [
  // A box of its size and one of these names: ftyp, moov, mdat, wide, free, skip, pnot.
  [/^.{8}(?:66747970|6d6f6f76|6d646174|77696465|66726565|736b6970|706e6f74)/, 'mov'],
  [/^1a45dfa3/, 'matroska'],
  // RIFF, of the kinds AVI and WAVE.
  [/^52494646.{8}41564920/, 'avi'],
  [/^52494646.{8}57415645/, 'wav'],
  // OggS, FLV, GIF8, fLaC.
  [/^4f676753/, 'ogg'],
  [/^464c5601/, 'flv'],
  [/^47494638/, 'gif'],
  [/^664c6143/, 'flac'],
  [/^000001ba/, 'mpeg'],
  [/^3026b2758e66cf11/, 'asf'],
  // FORM, of the kinds AIFF and AIFC; caff; #!AMR.
  [/^464f524d.{8}414946[46][36]/, 'aiff'],
  [/^63616666/, 'caf'],
  [/^2321414d52/, 'amr'],
  // The bits that frames of MPEG sound begin with; layer 0 is AAC's.
  [/^ff(?:f[0189])/, 'aac'],
  [/^ff[ef]/, 'mp3'],
];

/**
 * The name of the only demuxer that may read a file, by its content; undefined for unknown content. Lists that name
 * other files (HLS, DASH, concat, SDP) are never among them.
 */
export async function containerOf(path: string): Promise<string | undefined> {
  const file = await open(path);
  try {
    const head = await read(file, 0);
    const tagBytes = id3Bytes(head);
    const beginning = tagBytes === undefined ? head : await read(file, tagBytes);
    const text = beginning.toString('hex');
    const known = beginnings.find(([pattern]) => pattern.test(text))?.[1];
    return known ?? (isTransportStream(beginning) ? 'mpegts' : undefined);
  } finally {
    await file.close();
  }
}

async function read(file: FileHandle, position: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(sniffedBytes), 0, sniffedBytes, position);
  return buffer.subarray(0, bytesRead);
}

/** The length of an ID3v2 tag, 7 bits a byte (id3.org, ID3v2.4 section 3.1), which music files may begin with. */
function id3Bytes(head: Buffer): number | undefined {
  if (head.length < 10 || head.toString('latin1', 0, 3) !== 'ID3') return undefined;
  return 10 + head.subarray(6, 10).reduce((size, byte) => (size << 7) | (byte & 0x7f), 0);
}

const isTransportStream = (head: Buffer): boolean =>
  [0, tsPacketBytes, 2 * tsPacketBytes].every((at) => head[at] === 0x47);
