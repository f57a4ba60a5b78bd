import jsqr from 'jsqr';
import sharp from 'sharp';

/** Enough for a screenshot; protects against decompression bombs. */
const maxPixels = 40_000_000;

/** The text of the QR code in an image of any common format; undefined if there is none. */
export async function readQrImage(image: Buffer): Promise<string | undefined> {
  try {
    const picture = sharp(image, { limitInputPixels: maxPixels }).flatten({ background: '#ffffff' }).ensureAlpha();
    const { data, info } = await picture.raw().toBuffer({ resolveWithObject: true });
    const pixels = new Uint8ClampedArray(data.buffer, data.byteOffset, data.length);
    return jsqr.default(pixels, info.width, info.height)?.data || undefined;
  } catch {
    return undefined;
  }
}
