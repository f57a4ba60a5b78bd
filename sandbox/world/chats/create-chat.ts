import { type Change, joinChanges } from '../notices.ts';
import type { ChatRow } from '../state/rows.ts';
import type { World } from '../world.ts';
import { newChat } from './add-chats.ts';
import { normalizedTitle, requireAboutLength } from './chat-info.ts';
import { placeAction, tell } from './tell-members.ts';

export interface NewChat {
  kind: 'basic' | 'supergroup' | 'channel';
  title: string;
  about?: string;
  /** The first members besides the creator. */
  members?: readonly number[];
  forum?: boolean;
}

/** Makes a chat as a user does. @throws {RpcError} 400 CHAT_TITLE_EMPTY, CHAT_ABOUT_TOO_LONG */
export function createChat(
  world: World,
  creator: number,
  { kind, title, about = '', members = [], forum }: NewChat,
): { chat: ChatRow; change: Change } {
  requireAboutLength(about);
  const chat = newChat(world, kind, creator, normalizedTitle(title));
  chat.about = about;
  for (const id of members) chat.members[String(id)] = { date: chat.date, inviter: creator };
  if (kind === 'basic') chat.defaultBanned = [];
  if (forum) chat.forum = true;
  world.tables.chats.put(chat);
  const action =
    kind === 'basic'
      ? { _: 'messageActionChatCreate', title: chat.title, users: [creator, ...members].map(BigInt) }
      : { _: 'messageActionChannelCreate', title: chat.title };
  const message = placeAction(world, chat, creator, action);
  const told = tell(world, chat, kind === 'basic' ? 'participants' : 'chat');
  return { chat, change: joinChanges(told, message) };
}
