import type { FileRow } from './state/file-rows.ts';
import type { UserRow } from './state/rows.ts';
import type { World } from './world.ts';

/** A user's profile photos: the one that is shown first, then the older ones. */
export function photosOf(world: World, user: UserRow): FileRow[] {
  return photoIds(user).flatMap((id) => world.tables.files.get(id) ?? []);
}

/** Shows this photo. The ones before it are kept. */
export function addPhotoOf(world: World, userId: number, photo: number): UserRow {
  const user = requireUser(world, userId);
  const older = photoIds(user).filter((id) => id !== photo);
  return world.tables.users.put({ ...user, photo, olderPhotos: older });
}

/** Removes photos. If the one that is shown is among them, the latest of the others is shown. */
export function removePhotosOf(world: World, userId: number, photos: readonly number[]): UserRow {
  const { photo: _photo, olderPhotos: _older, ...user } = requireUser(world, userId);
  const [photo, ...olderPhotos] = photoIds(requireUser(world, userId)).filter((id) => !photos.includes(id));
  return world.tables.users.put(photo === undefined ? user : { ...user, photo, olderPhotos });
}

function photoIds({ photo, olderPhotos = [] }: UserRow): number[] {
  return photo === undefined ? [] : [photo, ...olderPhotos];
}

function requireUser(world: World, userId: number): UserRow {
  const user = world.tables.users.get(userId);
  if (!user) throw new Error(`there is no user ${userId}`);
  return user;
}
