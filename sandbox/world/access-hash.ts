import type { World } from './world.ts';

/** What an access hash opens: a user, a channel, or a file. */
export type HashedKind = 'user' | 'channel' | 'file';

/** Differs from viewer to viewer; never zero, which clients take for none. */
export function accessHash(world: World, viewer: number, kind: HashedKind, id: number): bigint {
  return world.derive('access', viewer, kind, id).readBigInt64LE() | 1n;
}

/** What a `min` user or channel carries: good for its photo, for nothing else. */
export function minAccessHash(world: World, viewer: number, kind: HashedKind, id: number): bigint {
  return world.derive('min access', viewer, kind, id).readBigInt64LE() | 1n;
}
