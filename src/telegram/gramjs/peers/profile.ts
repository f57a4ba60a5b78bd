import bigInt from 'big-integer';
import { Api } from 'telegram/tl/index.js';
import type { Account } from '../../../../actors/ports/telegram-session.ts';

/** The account's own user, as clients see it. */
export function accountOf(user: Api.User): Account {
  const usernames = [
    user.username,
    ...(user.usernames ?? []).filter(({ active }) => active).map((name) => name.username),
  ];
  return {
    id: user.id.toString(),
    name: [user.firstName, user.lastName].filter(Boolean).join(' '),
    username: usernames.find(Boolean) ?? '',
    phone: (user.phone ?? '').replace(/\D/g, ''),
  };
}

/** The location of the small profile photo, and its data centre. */
export interface SmallPhoto {
  /** Telegram's ID of the photo; a new photo has a new ID. */
  id: string;
  dc: number;
  request: Api.upload.GetFile;
}

/** One part of a file: enough for any small photo (160 px), and a size that Telegram accepts. */
const photoBytes = 512 * 1024;

export function smallPhotoOf(user: Api.User): SmallPhoto | undefined {
  const { photo } = user;
  if (!(photo instanceof Api.UserProfilePhoto)) return undefined;
  const location = new Api.InputPeerPhotoFileLocation({ peer: new Api.InputPeerSelf(), photoId: photo.photoId });
  return {
    id: photo.photoId.toString(),
    dc: photo.dcId,
    request: new Api.upload.GetFile({ location, offset: bigInt.zero, limit: photoBytes }),
  };
}

/** A data URI; empty if the answer holds no picture. */
export function pictureOf(file: Api.upload.TypeFile): string {
  if (!(file instanceof Api.upload.File) || file.bytes.length === 0) return '';
  const bytes = Buffer.from(file.bytes);
  const isPng = bytes.subarray(1, 4).toString('latin1') === 'PNG';
  return `data:image/${isPng ? 'png' : 'jpeg'};base64,${bytes.toString('base64')}`;
}
