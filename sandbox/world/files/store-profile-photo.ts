import sharp from 'sharp';
import { RpcError } from '../../rpc.ts';
import type { FileRow, FileVariant } from '../state/file-rows.ts';
import type { World } from '../world.ts';
import { nextFileId } from './add-file.ts';
import { storeBytes } from './file-content.ts';
import { profileSizes } from './photo-sizes.ts';
import { maxPhotoBytes, readImageHeader } from './store-photo.ts';

/** The shorter side of a profile photo: https://core.telegram.org/method/photos.uploadProfilePhoto */
const minSidePixels = 160;

/**
 * Stores the photo of a user, group or channel: the square in its middle, in the three sizes of profile photos.
 * @throws {RpcError} 400 PHOTO_FILE_INVALID, IMAGE_PROCESS_FAILED, PHOTO_CROP_SIZE_SMALL
 */
export async function storeProfilePhoto(
  world: World,
  { dc, bytes, date }: { dc: number; bytes: Buffer; date: number },
): Promise<FileRow> {
  if (bytes.length > maxPhotoBytes) throw new RpcError(400, 'PHOTO_FILE_INVALID');
  const { width, height } = await readImageHeader(bytes);
  if (Math.min(width, height) < minSidePixels) throw new RpcError(400, 'PHOTO_CROP_SIZE_SMALL');
  const images = await Promise.all(
    profileSizes.map(async ([type, side]) => {
      const squared = sharp(bytes).flatten({ background: '#fff' }).resize(side, side, { fit: 'cover' });
      return { type, side, bytes: await squared.jpeg({ quality: 80 }).toBuffer() };
    }),
  ).catch(() => {
    throw new RpcError(400, 'IMAGE_PROCESS_FAILED');
  });
  const id = nextFileId(world);
  const sizes = images.map((image): FileVariant => {
    const content = storeBytes(world, id, image.type, image.bytes);
    return { type: image.type, width: image.side, height: image.side, content };
  });
  return world.tables.files.put({ id, kind: 'photo', date, dc, mime: 'image/jpeg', sizes });
}
