import { RpcError, type TlObject } from '../../../rpc.ts';
import { accessHash } from '../../../world/access-hash.ts';
import { storeProfilePhoto } from '../../../world/files/store-profile-photo.ts';
import { addPhotoOf, photosOf, removePhotosOf } from '../../../world/profile-photos.ts';
import type { FileRow } from '../../../world/state/file-rows.ts';
import { tellUserChange } from '../../../world/tell-user-change.ts';
import { inputUser } from '../../input/input-peer.ts';
import type { Caller, Method } from '../../method.ts';
import { tlPhoto } from '../../objects/tl-file.ts';
import { tlUser } from '../../objects/tl-user.ts';
import { pushChange } from '../../push/push-change.ts';

const maxPage = 100;

/** `max_id`: only photos older than the one with this ID. https://core.telegram.org/method/photos.getUserPhotos */
const getUserPhotos: Method = (params, caller) => {
  const { world, me } = caller;
  const user = inputUser(caller, params['user_id'] as TlObject);
  const before = params['max_id'] as bigint;
  const all = photosOf(world, user).filter(({ id }) => before === 0n || BigInt(id) < before);
  const offset = Math.max(0, Number(params['offset']));
  const limit = Math.min(maxPage, Number(params['limit']) || maxPage);
  const page = all.slice(offset, offset + limit).map((file) => tlPhoto(world, me.id, file));
  const users = [tlUser(world, me.id, user)];
  if (page.length === all.length) return { _: 'photos.photos', photos: page, users };
  return { _: 'photos.photosSlice', count: all.length, photos: page, users };
};

/** https://core.telegram.org/method/photos.uploadProfilePhoto */
const uploadProfilePhoto: Method = async (params, caller) => {
  const { world, me } = caller;
  const input = params['file'] as TlObject | undefined;
  if (!input) throw new RpcError(400, 'PHOTO_FILE_MISSING');
  const { blob, size } = world.uploads.take(me, input);
  const file = await storeProfilePhoto(world, {
    dc: me.dc,
    bytes: world.blobs.read(blob, 0, size),
    date: world.now(),
  });
  return setPhoto(caller, file);
};

/** Shows an older photo again, or none. https://core.telegram.org/method/photos.updateProfilePhoto */
const updateProfilePhoto: Method = (params, caller) => {
  const { world, me } = caller;
  const input = params['id'] as TlObject;
  if (input._ !== 'inputPhotoEmpty') return setPhoto(caller, requireOwnPhoto(caller, input));
  if (me.photo !== undefined) removePhotosOf(world, me.id, [me.photo]);
  pushChange(world, tellUserChange(world, me.id, 'user'), caller.call.sessionId);
  const user = world.tables.users.get(me.id) ?? me;
  return { _: 'photos.photo', photo: { _: 'photoEmpty', id: 0n }, users: [tlUser(world, me.id, user)] };
};

/** Gives the IDs of those that were there. https://core.telegram.org/method/photos.deletePhotos */
const deletePhotos: Method = (params, caller) => {
  const { world, me, call } = caller;
  const wanted = new Set((params['id'] as TlObject[]).map((input) => String(input['id'])));
  const own = photosOf(world, me).filter(({ id }) => wanted.has(String(id)));
  removePhotosOf(
    world,
    me.id,
    own.map(({ id }) => id),
  );
  if (own.length > 0) pushChange(world, tellUserChange(world, me.id, 'user'), call.sessionId);
  return own.map(({ id }) => BigInt(id));
};

function setPhoto({ world, me, call }: Caller, file: FileRow): TlObject {
  const user = addPhotoOf(world, me.id, file.id);
  pushChange(world, tellUserChange(world, me.id, 'user'), call.sessionId);
  return { _: 'photos.photo', photo: tlPhoto(world, me.id, file), users: [tlUser(world, me.id, user)] };
}

function requireOwnPhoto({ world, me }: Caller, input: TlObject): FileRow {
  const file = photosOf(world, me).find(({ id }) => BigInt(id) === input['id']);
  if (!file || input['access_hash'] !== accessHash(world, me.id, 'file', file.id)) {
    throw new RpcError(400, 'PHOTO_ID_INVALID');
  }
  return file;
}

export const profilePhotoMethods: Record<string, Method> = {
  'photos.getUserPhotos': getUserPhotos,
  'photos.uploadProfilePhoto': uploadProfilePhoto,
  'photos.updateProfilePhoto': updateProfilePhoto,
  'photos.deletePhotos': deletePhotos,
};
