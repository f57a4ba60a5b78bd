import type { TlObject } from '../../rpc.ts';
import { inputUser } from '../input/input-peer.ts';
import type { Method } from '../method.ts';
import { tlPhoto } from '../objects/tl-file.ts';
import { tlUser } from '../objects/tl-user.ts';

/** Users have one profile photo or none. `max_id`: only photos older than the one with this ID. */
const getUserPhotos: Method = (params, caller) => {
  const { world, me } = caller;
  const user = inputUser(caller, params['user_id'] as TlObject);
  const file = user.photo === undefined ? undefined : world.tables.files.get(user.photo);
  const before = params['max_id'] as bigint;
  const isInPage = file && Number(params['offset']) <= 0 && (before === 0n || BigInt(file.id) < before);
  return {
    _: 'photos.photos',
    photos: isInPage ? [tlPhoto(world, me.id, file)] : [],
    users: [tlUser(world, me.id, user)],
  };
};

export const photoMethods: Record<string, Method> = { 'photos.getUserPhotos': getUserPhotos };
