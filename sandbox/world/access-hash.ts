import type { World } from './world.ts';

/** What an access hash gives access to. */
export type HashedKind = 'user' | 'channel' | 'file';

/** Each viewer has another hash. It is never zero: clients read that as no hash. */
export function accessHash(world: World, viewer: number, kind: HashedKind, id: number): bigint {
  return world.derive('access', viewer, kind, id).readBigInt64LE() | 1n;
}

/** The hash of a `min` user or channel. It gives access to the photo only: https://core.telegram.org/api/min */
export function minAccessHash(world: World, viewer: number, kind: HashedKind, id: number): bigint {
  return world.derive('min access', viewer, kind, id).readBigInt64LE() | 1n;
}
