import { crc32, deflateSync } from 'node:zlib';

/** PNG's number for a kind of pixels, and the samples of one (section 11.2.1 of its specification). */
const kinds = { grey: [0, 1], rgb: [2, 3], rgba: [6, 4] } as const;

interface PngOptions {
  color?: keyof typeof kinds;
  /** Bits of a sample. */
  depth?: number;
  /** Lines that are really there. */
  rows?: number;
  interlaced?: boolean;
  /** Chunks before the pixels. */
  extra?: Buffer[];
}

/** A PNG that says it has that many pixels, of zeros. By default a pixel is one bit. */
export function png(
  width: number,
  height: number,
  { color = 'grey', depth = color === 'grey' ? 1 : 8, rows = height, interlaced = false, extra = [] }: PngOptions = {},
): Buffer {
  const [number, samples] = kinds[color];
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([depth, number, 0, 0, interlaced ? 1 : 0], 8);
  const body = deflateSync(Buffer.alloc(rows * (1 + Math.ceil((width * samples * depth) / 8))), { level: 1 });
  const signature = Buffer.from('89504e470d0a1a0a', 'hex');
  return Buffer.concat([
    signature,
    pngChunk('IHDR', header),
    ...extra,
    pngChunk('IDAT', body),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

export function pngChunk(type: string, body: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type), body]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(body.length, 0);
  frame.writeUInt32BE(crc32(named), 4);
  return Buffer.concat([frame.subarray(0, 4), named, frame.subarray(4)]);
}
