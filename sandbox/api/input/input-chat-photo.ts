import { RpcError, type TlObject } from '../../rpc.ts';
import { maxPhotoBytes } from '../../world/files/store-photo.ts';
import { storeProfilePhoto } from '../../world/files/store-profile-photo.ts';
import type { Caller } from '../method.ts';
import { inputMedia } from './input-media.ts';

/**
 * Reads an `InputChatPhoto`: the ID of the photo's file; undefined for no photo. Videos are not stored.
 * @throws {RpcError} 400 PHOTO_INVALID, PHOTO_FILE_MISSING, PHOTO_CROP_SIZE_SMALL, IMAGE_PROCESS_FAILED, …
 */
export async function inputChatPhoto(caller: Caller, input: TlObject): Promise<number | undefined> {
  const { world, me } = caller;
  if (input._ === 'inputChatPhotoEmpty') return undefined;
  if (input._ === 'inputChatPhoto') {
    const known = input['id'] as TlObject;
    if (known._ !== 'inputPhoto') return undefined;
    const media = await inputMedia(caller, { _: 'inputMediaPhoto', id: known });
    if (media.kind !== 'photo') throw new RpcError(400, 'PHOTO_INVALID');
    return media.file;
  }
  if (!input['file']) throw new RpcError(400, 'PHOTO_FILE_MISSING');
  const { blob, size } = world.uploads.take(me, input['file'] as TlObject);
  const bytes = world.blobs.read(blob, 0, Math.min(size, maxPhotoBytes + 1));
  return (await storeProfilePhoto(world, { dc: me.dc, bytes, date: world.now() })).id;
}
