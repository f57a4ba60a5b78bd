import { Api } from 'telegram/tl/index.js';
import type { Chat } from '../../port/chats.ts';
import { knownPeerOf } from '../peers/peers-in-updates.ts';

/** A group or channel as features see it; undefined if the account is not in it, or sees too little of it. */
export function joinedChat(entity: Api.TypeChat): Chat | undefined {
  const known = knownPeerOf(entity);
  if (known === undefined || known.kind === 'user' || known.left) return undefined;
  if (!(entity instanceof Api.Chat || entity instanceof Api.Channel)) return undefined;
  const { title, photo, date, creator, adminRights } = entity;
  return {
    kind: known.kind,
    id: known.id,
    name: title,
    username: entity instanceof Api.Channel ? usernameOf(entity) : '',
    ...(photo instanceof Api.ChatPhoto && { photo: { id: photo.photoId.toString(), dc: photo.dcId } }),
    joined: date * 1000,
    isAdmin: creator === true || Boolean(adminRights),
  };
}

/** A chat with several usernames has them in a list (https://core.telegram.org/api/fragment). */
export function usernameOf({ username, usernames }: Api.Channel | Api.User): string {
  return username || (usernames ?? []).find(({ active }) => active)?.username || '';
}
