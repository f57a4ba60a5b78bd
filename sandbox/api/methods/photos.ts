import type { TlObject } from '../../rpc.ts';
import { inputUser } from '../input/input-peer.ts';
import type { Method } from '../method.ts';
import { tlPhoto } from '../objects/tl-file.ts';
import { tlUser } from '../objects/tl-user.ts';

/** Everyone has one profile photo here, or none. `max_id` is a photo's ID, and leaves out that one and newer. */
const getUserPhotos: Method = (params, caller) => {
  const { world, me } = caller;
  const user = inputUser(caller, params['user_id'] as TlObject);
  const file = user.photo === undefined ? undefined : world.tables.files.get(user.photo);
  const before = params['max_id'] as bigint;
  const shown = file && Number(params['offset']) <= 0 && (before === 0n || BigInt(file.id) < before);
  return {
    _: 'photos.photos',
    photos: shown ? [tlPhoto(world, me.id, file)] : [],
    users: [tlUser(world, me.id, user)],
  };
};

export const photoMethods: Record<string, Method> = { 'photos.getUserPhotos': getUserPhotos };
