import jsqr from 'jsqr';
import sharp from 'sharp';

/** Room for a screenshot, none for a bomb. */
const maxPixels = 40_000_000;

/** The text of the QR code in an image of any usual format; undefined where there is none. */
export async function readQr(image: Buffer): Promise<string | undefined> {
  try {
    const picture = sharp(image, { limitInputPixels: maxPixels }).flatten({ background: '#ffffff' }).ensureAlpha();
    const { data, info } = await picture.raw().toBuffer({ resolveWithObject: true });
    const pixels = new Uint8ClampedArray(data.buffer, data.byteOffset, data.length);
    return jsqr.default(pixels, info.width, info.height)?.data || undefined;
  } catch {
    return undefined;
  }
}
