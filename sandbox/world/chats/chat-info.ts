import { RpcError } from '../../rpc.ts';
import type { Change } from '../notices.ts';
import type { ChatRow } from '../state/rows.ts';
import type { World } from '../world.ts';
import { placeAction, putChat, tell } from './tell-members.ts';

/** Characters of a title that Telegram keeps, and of a description that it takes. */
const maxTitleLength = 128;
const maxAboutLength = 255;
/** Seconds between two messages that slow mode can be set to: https://core.telegram.org/method/channels.toggleSlowMode */
const slowModes = new Set([0, 5, 10, 30, 60, 300, 900, 3_600]);

/** The title as it is stored. @throws {RpcError} 400 CHAT_TITLE_EMPTY */
export function normalizedTitle(title: string): string {
  const trimmed = title.trim().slice(0, maxTitleLength);
  if (trimmed === '') throw new RpcError(400, 'CHAT_TITLE_EMPTY');
  return trimmed;
}

/** @throws {RpcError} 400 CHAT_ABOUT_TOO_LONG */
export function requireAboutLength(about: string): void {
  if (about.length > maxAboutLength) throw new RpcError(400, 'CHAT_ABOUT_TOO_LONG');
}

/** @throws {RpcError} 400 CHAT_TITLE_EMPTY, CHAT_NOT_MODIFIED */
export function setTitle(world: World, chat: ChatRow, by: number | undefined, title: string): Change {
  const normalized = normalizedTitle(title);
  if (normalized === chat.title) throw new RpcError(400, 'CHAT_NOT_MODIFIED');
  chat.title = normalized;
  world.tables.chats.put(chat);
  return placeAction(world, chat, by, { _: 'messageActionChatEditTitle', title: normalized });
}

/** `photo`: the ID of a file; undefined removes the photo. @throws {RpcError} 400 CHAT_NOT_MODIFIED */
export function setPhoto(world: World, chat: ChatRow, by: number | undefined, photo: number | undefined): Change {
  if (photo === chat.photo) throw new RpcError(400, 'CHAT_NOT_MODIFIED');
  if (photo === undefined) delete chat.photo;
  else chat.photo = photo;
  world.tables.chats.put(chat);
  const action =
    photo === undefined
      ? { _: 'messageActionChatDeletePhoto' }
      : { _: 'messageActionChatEditPhoto', photo: { _: 'photo', id: BigInt(photo) } };
  return placeAction(world, chat, by, action);
}

/** @throws {RpcError} 400 CHAT_ABOUT_NOT_MODIFIED, CHAT_ABOUT_TOO_LONG */
export function setAbout(world: World, chat: ChatRow, about: string): Change {
  requireAboutLength(about);
  if (about === chat.about) throw new RpcError(400, 'CHAT_ABOUT_NOT_MODIFIED');
  chat.about = about;
  world.tables.chats.put(chat);
  return tell(world, chat, 'chat');
}

/** An empty username removes it. */
export function setUsername(world: World, chat: ChatRow, username: string): Change {
  if (username === '') delete chat.username;
  else chat.username = username;
  world.tables.chats.put(chat);
  return tell(world, chat, 'chat');
}

/** `seconds` between two messages of a member; 0 turns it off. @throws {RpcError} 400 SECONDS_INVALID, CHAT_NOT_MODIFIED */
export function toggleSlowMode(world: World, chat: ChatRow, seconds: number): Change {
  if (!slowModes.has(seconds)) throw new RpcError(400, 'SECONDS_INVALID');
  if (seconds === (chat.slowmodeSeconds ?? 0)) throw new RpcError(400, 'CHAT_NOT_MODIFIED');
  return setSlowMode(world, chat, seconds);
}

/** As {@link toggleSlowMode}, with any number of seconds. */
export function setSlowMode(world: World, chat: ChatRow, seconds: number): Change {
  if (seconds === 0) delete chat.slowmodeSeconds;
  else chat.slowmodeSeconds = seconds;
  world.tables.chats.put(chat);
  return tell(world, chat, 'chat');
}

export function setMembersHidden(world: World, chat: ChatRow, isHidden: boolean): Change {
  if (isHidden) chat.membersHidden = true;
  else delete chat.membersHidden;
  world.tables.chats.put(chat);
  return tell(world, chat, 'chat');
}

/** What ordinary members may not do from now on: flags of `chatBannedRights`. @throws {RpcError} 400 CHAT_NOT_MODIFIED */
export function setDefaultBanned(world: World, chat: ChatRow, rights: readonly string[]): Change {
  if (sameRights(chat.defaultBanned, rights)) throw new RpcError(400, 'CHAT_NOT_MODIFIED');
  chat.defaultBanned = [...rights];
  delete chat.readOnly;
  return tell(world, putChat(world, chat), 'defaultRights');
}

/** Lets only administrators write, or everyone. */
export function setReadOnly(world: World, chat: ChatRow, isReadOnly: boolean): Change {
  delete chat.defaultBanned;
  if (isReadOnly) chat.readOnly = true;
  else delete chat.readOnly;
  return tell(world, putChat(world, chat), 'defaultRights');
}

const sameRights = (a: readonly string[] | undefined, b: readonly string[]): boolean =>
  a !== undefined && a.length === b.length && a.every((right) => b.includes(right));
