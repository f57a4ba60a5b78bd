import { open } from 'node:fs/promises';
import sharp, { type Metadata } from 'sharp';
import { GatewayError } from '../../errors/gateway-error.ts';
import { TelegramError } from '../../telegram/port/errors.ts';

/** libvips' cache: off, because nothing is used twice and memory is for the images in progress. */
sharp.cache(false);
/** Images are already processed in parallel, in processes of their own: `pictures.ts`. */
sharp.concurrency(1);

/** Twice the largest phone camera (200 megapixels are 16,320 × 12,240), and libvips' own limit. */
const maxPixels = 0x3fff ** 2;
/**
 * What decoding may hold of an image. 40 megapixels of a progressive JPEG fit. The process takes 80 MB by itself, and of the
 * pictures at this limit that were measured none made it 300.
 */
const maxDecodedBytes = 140 * 1024 * 1024;
/** Lines of a PNG that libvips holds while it makes an image smaller: as measured, 900 to 1,500. */
const linesHeld = 1600;
/** Telegram takes no photo that is longer (core.telegram.org/bots/api, `sendPhoto`). */
const maxSidesRatio = 20;
const timeoutSeconds = 30;
/** A compromise of size and artefacts; Telegram encodes its smaller sizes from it. */
const quality = 87;
const white = '#ffffff';

/** The accepted formats (MS3) by their first bytes, in hex. No other file reaches a decoder. */
const signatures: readonly RegExp[] = [/^ffd8ff/, /^89504e470d0a1a0a/, /^52494646.{8}57454250/];
const maxSignatureBytes = 12;
const kinds: ReadonlySet<string> = new Set(['jpeg', 'png', 'webp']);

/**
 * Converts an image of any declared type to JPEG: upright, on white, within a square, in sRGB, without metadata. Of an
 * animation the first frame.
 * @param maxSide pixels; smaller images keep their size
 * @param isPhoto Telegram's limits of photos apply to it
 * @returns the JPEG's size in bytes
 * @throws {GatewayError} `error compress image: …` it is no image, damaged, or too large; Telegram's
 * `400: PHOTO_INVALID_DIMENSIONS …` it is too long for a photo
 */
export async function makeJpeg(source: string, target: string, maxSide: number, isPhoto = false): Promise<number> {
  try {
    await mustHaveKnownSignature(source);
    const image = sharp(source, {
      limitInputPixels: maxPixels,
      failOn: 'error',
      sequentialRead: true,
      autoOrient: true,
    });
    const metadata = await image.metadata();
    if (!kinds.has(metadata.format)) throw notCompressed('it is not a JPG, PNG or WebP');
    if (isPhoto) mustNotBeTooLong(metadata);
    mustFit(metadata);
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

async function mustHaveKnownSignature(source: string): Promise<void> {
  const file = await open(source);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(maxSignatureBytes), 0, maxSignatureBytes, 0);
    const signature = buffer.toString('hex', 0, bytesRead);
    if (!signatures.some((kind) => kind.test(signature))) throw notCompressed('it is not a JPG, PNG or WebP');
  } finally {
    await file.close();
  }
}

/** Estimates, before decoding, the memory that decoding needs. */
function mustFit(metadata: Metadata): void {
  const { width, height } = metadata;
  if (width * height > maxPixels || bytesHeld(metadata) > maxDecodedBytes) {
    throw notCompressed('it has too many pixels');
  }
}

function bytesHeld({ format, isProgressive, chromaSubsampling, channels, depth, width, height }: Metadata): number {
  const pixels = width * height;
  if (format === 'webp') return 4 * pixels;
  if (format === 'png') {
    const line = width * channels * (depth === 'ushort' ? 2 : 1);
    return line * ((isProgressive ? height : 0) + Math.min(height, linesHeld));
  }
  // A plain JPEG is made smaller while it is read. A progressive one is held as its coefficients, 16 bits each.
  return isProgressive ? 2 * pixels * (chromaSubsampling === '4:2:0' ? 1.5 : channels) : 0;
}

/** Telegram would refuse it after the whole work. */
function mustNotBeTooLong({ width, height }: Metadata): void {
  if (Math.max(width, height) <= maxSidesRatio * Math.min(width, height)) return;
  throw new GatewayError(500, new TelegramError(400, 'PHOTO_INVALID_DIMENSIONS', 'messages.SendMedia').message);
}

const notCompressed = (reason: string, cause?: unknown): GatewayError =>
  new GatewayError(500, `error compress image: ${reason}`, undefined, { cause });

/** libvips' messages name files and internals: they are for the log. */
function whyNot(error: unknown): string {
  const message = error instanceof Error ? error.message : '';
  if (/pixel limit|exceeds/i.test(message)) return 'it has too many pixels';
  return /timeout/i.test(message) ? 'it took too long' : 'it is damaged';
}
