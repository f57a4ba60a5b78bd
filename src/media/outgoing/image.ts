import { open } from 'node:fs/promises';
import sharp, { type Metadata } from 'sharp';
import { GatewayError } from '../../errors/gateway-error.ts';

/** What is kept of a picture: nothing outlives its send, and memory is for the ones being made. */
sharp.cache(false);
/** Pictures are made side by side already, in processes of their own: `pictures.ts`. */
sharp.concurrency(1);

/** Twice what the largest camera of a phone makes (200 megapixels are 16,320 × 12,240), and libvips' own bound. */
const maxPixels = 0x3fff ** 2;
/** For those that cannot be decoded line by line: a whole one has to fit. 40 megapixels of a progressive JPEG do. */
const maxDecodedBytes = 120 * 1024 * 1024;
const timeoutSeconds = 30;
/** Between size and the marks that it leaves; Telegram encodes its smaller sizes from it. */
const quality = 87;
const white = '#ffffff';

/** The kinds that are taken (MS3), by how a file of them begins, in hex; all others never reach a decoder. */
const beginnings: readonly RegExp[] = [/^ffd8ff/, /^89504e470d0a1a0a/, /^52494646.{8}57454250/];
const longestBeginning = 12;
const kinds: ReadonlySet<string> = new Set(['jpeg', 'png', 'webp']);

/**
 * Makes a JPEG of a picture, whatever it was said to be: upright, on white, within a square, in sRGB, without its
 * metadata. Of an animation the first frame.
 * @param maxSide pixels; smaller pictures stay as they are. @returns the JPEG's size in bytes.
 * @throws {GatewayError} `error compress image: …` where it is none, or damaged, or too large.
 */
export async function makeJpeg(source: string, target: string, maxSide: number): Promise<number> {
  try {
    await mustBeginLikeAPicture(source);
    const image = sharp(source, {
      limitInputPixels: maxPixels,
      failOn: 'error',
      sequentialRead: true,
      autoOrient: true,
    });
    mustFit(await image.metadata());
    const { size } = await image
      .resize({ width: maxSide, height: maxSide, fit: 'inside', withoutEnlargement: true })
      .flatten({ background: white })
      .toColourspace('srgb')
      .jpeg({ quality })
      .timeout({ seconds: timeoutSeconds })
      .toFile(target);
    return size;
  } catch (error) {
    if (error instanceof GatewayError) throw error;
    throw notCompressed(whyNot(error), error);
  }
}

async function mustBeginLikeAPicture(source: string): Promise<void> {
  const file = await open(source);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(longestBeginning), 0, longestBeginning, 0);
    const beginning = buffer.toString('hex', 0, bytesRead);
    if (!beginnings.some((kind) => kind.test(beginning))) throw notCompressed('it is not a JPG, PNG or WebP');
  } finally {
    await file.close();
  }
}

/** Before anything is decoded: how much memory it will take. */
function mustFit(metadata: Metadata): void {
  const { format, width, height } = metadata;
  if (!kinds.has(format)) throw notCompressed('it is not a JPG, PNG or WebP');
  const pixels = width * height;
  if (pixels > maxPixels || pixels * bytesHeldPerPixel(metadata) > maxDecodedBytes) {
    throw notCompressed('it has too many pixels');
  }
}

/** Of the whole picture, while it is decoded; 0 for what is read line by line. */
function bytesHeldPerPixel({ format, isProgressive, chromaSubsampling, channels, depth }: Metadata): number {
  if (format === 'webp') return 4;
  if (!isProgressive) return 0;
  if (format === 'png') return channels * (depth === 'ushort' ? 2 : 1);
  // A progressive JPEG is kept as its coefficients, 16 bits each.
  return 2 * (chromaSubsampling === '4:2:0' ? 1.5 : channels);
}

const notCompressed = (reason: string, cause?: unknown): GatewayError =>
  new GatewayError(500, `error compress image: ${reason}`, undefined, { cause });

/** libvips' words name files and its own parts: they are for the log. */
function whyNot(error: unknown): string {
  const message = error instanceof Error ? error.message : '';
  if (/pixel limit|exceeds/i.test(message)) return 'it has too many pixels';
  return /timeout/i.test(message) ? 'it took too long' : 'it is damaged';
}
