import type { Method } from '../../method.ts';
import { blockedPeerMethods } from './blocked-peers.ts';
import { nameMethods } from './names.ts';
import { profilePhotoMethods } from './profile-photos.ts';

/** What accounts say about themselves, and whom they block. */
export const profileMethods: Record<string, Method> = {
  ...blockedPeerMethods,
  ...nameMethods,
  ...profilePhotoMethods,
};
