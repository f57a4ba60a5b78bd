import sharp from 'sharp';
import { RpcError } from '../../rpc.ts';
import type { FileRow, FileVariant } from '../state/rows.ts';
import type { World } from '../world.ts';
import { messageSizes, nextFileId } from './add-file.ts';
import { keepBytes } from './file-content.ts';

/** What `messages.sendMedia` is documented to refuse. */
export const maxPhotoBytes = 10_485_760;
const maxSidesSum = 10_000;
const maxRatio = 20;
const longestSide = 2560;

/**
 * A photo of given bytes in all its sizes. A JPEG of up to 2560 pixels stays as it is, so that a test finds what it
 * sent; everything else is made a JPEG, as Telegram does with every photo.
 * @throws {RpcError} 400 PHOTO_SAVE_FILE_INVALID, IMAGE_PROCESS_FAILED, PHOTO_INVALID_DIMENSIONS
 */
export async function addGivenPhoto(world: World, of: { dc: number; bytes: Buffer; date: number }): Promise<FileRow> {
  const { dc, bytes, date } = of;
  if (bytes.length > maxPhotoBytes) throw new RpcError(400, 'PHOTO_SAVE_FILE_INVALID');
  const { width, height, format } = await imageFacts(bytes);
  if (width + height > maxSidesSum || Math.max(width, height) / Math.min(width, height) > maxRatio) {
    throw new RpcError(400, 'PHOTO_INVALID_DIMENSIONS');
  }
  const longer = Math.max(width, height);
  const fitting = messageSizes.filter((_size, index) => index === 0 || (messageSizes[index - 1]?.[1] ?? 0) < longer);
  const made = await Promise.all(
    fitting.map(async ([type, side], index) => {
      const isLargest = index === fitting.length - 1;
      if (isLargest && format === 'jpeg' && longer <= longestSide) return { type, width, height, bytes };
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
  const sizes = made.map(({ bytes: own, ...size }): FileVariant => {
    return { ...size, content: keepBytes(world, id, size.type, own) };
  });
  return world.files.put({ id, kind: 'photo', date, dc, mime: 'image/jpeg', sizes });
}

/** @throws {RpcError} 400 IMAGE_PROCESS_FAILED */
export async function imageFacts(bytes: Buffer): Promise<{ width: number; height: number; format: string }> {
  try {
    const { width, height, format } = await sharp(bytes).metadata();
    return { width, height, format };
  } catch {
    throw new RpcError(400, 'IMAGE_PROCESS_FAILED');
  }
}
