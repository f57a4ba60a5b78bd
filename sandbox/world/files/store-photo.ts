import sharp from 'sharp';
import { RpcError } from '../../rpc.ts';
import type { FileRow, FileVariant } from '../state/file-rows.ts';
import type { World } from '../world.ts';
import { nextFileId } from './add-file.ts';
import { storeBytes } from './file-content.ts';
import { messageSizesFor } from './photo-sizes.ts';

/** Limits that `messages.sendMedia` documents: https://core.telegram.org/method/messages.sendMedia */
export const maxPhotoBytes = 10_485_760;
const maxSidesSumPixels = 10_000;
const maxSidesRatio = 20;
/** A larger JPEG is scaled down. */
const maxSidePixels = 2560;

/**
 * Stores a given photo in all its sizes. A JPEG of up to 2560 pixels stays as it is: tests find the bytes that they
 * have sent. Every other image becomes a JPEG, as at Telegram.
 * @throws {RpcError} 400 PHOTO_SAVE_FILE_INVALID, IMAGE_PROCESS_FAILED, PHOTO_INVALID_DIMENSIONS
 */
export async function storePhoto(
  world: World,
  { dc, bytes, date }: { dc: number; bytes: Buffer; date: number },
): Promise<FileRow> {
  if (bytes.length > maxPhotoBytes) throw new RpcError(400, 'PHOTO_SAVE_FILE_INVALID');
  const { width, height, format } = await readImageHeader(bytes);
  const longerSide = Math.max(width, height);
  if (width + height > maxSidesSumPixels || longerSide / Math.min(width, height) > maxSidesRatio) {
    throw new RpcError(400, 'PHOTO_INVALID_DIMENSIONS');
  }
  const sizes = messageSizesFor(width, height);
  const images = await Promise.all(
    sizes.map(async ([type, side], index) => {
      const isLargest = index === sizes.length - 1;
      if (isLargest && format === 'jpeg' && longerSide <= maxSidePixels) return { type, width, height, bytes };
      const { data, info } = await sharp(bytes)
        .flatten({ background: '#fff' })
        .resize(side, side, { fit: 'inside', withoutEnlargement: true })
        .jpeg({ quality: 80 })
        .toBuffer({ resolveWithObject: true });
      return { type, width: info.width, height: info.height, bytes: data };
    }),
  ).catch(() => {
    throw new RpcError(400, 'IMAGE_PROCESS_FAILED');
  });
  const id = nextFileId(world);
  const variants = images.map((image): FileVariant => {
    const content = storeBytes(world, id, image.type, image.bytes);
    return { type: image.type, width: image.width, height: image.height, content };
  });
  return world.tables.files.put({ id, kind: 'photo', date, dc, mime: 'image/jpeg', sizes: variants });
}

/** @throws {RpcError} 400 IMAGE_PROCESS_FAILED */
export async function readImageHeader(bytes: Buffer): Promise<{ width: number; height: number; format: string }> {
  try {
    const { width, height, format } = await sharp(bytes).metadata();
    return { width, height, format };
  } catch {
    throw new RpcError(400, 'IMAGE_PROCESS_FAILED');
  }
}
