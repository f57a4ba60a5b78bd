import { inParallel } from '../../actors/kit/map-concurrent.ts';
import type { Chat } from '../telegram/port/chats.ts';
import { chatParts } from './chat-parts.ts';
import { type Directory, inTime, withChat } from './chat-service.ts';

/** A channel as the interface has it. */
export interface Channel {
  id: string;
  name: string;
  username: string;
  /** Data URI, or empty. */
  picture: string;
  isOwner: boolean;
  created: string;
}

/** So many photos are fetched at once. */
const atOnce = 4;

/** All joined channels. @throws {TelegramError} {@link NotConnectedError} {@link RequestError} */
export function listChannels(directory: Directory): Promise<Channel[]> {
  return inTime(directory, async (signal) => {
    const all = await directory.account.chats.joined(signal);
    const channels = all.filter(({ kind }) => kind === 'channel');
    const parts = chatParts(directory);
    return inParallel(channels, atOnce, async (chat) => channel(chat, await parts.picture(chat)));
  });
}

/** One joined channel. @throws {RequestError} 400 {@link TelegramError} {@link NotConnectedError} */
export function getChannel(directory: Directory, channelId: string): Promise<Channel> {
  return inTime(directory, (signal) =>
    withChat(directory, 'channel', channelId, signal, async (peer) => {
      const chat = await directory.account.chats.get(peer, signal);
      return channel(chat, await chatParts(directory).picture(chat));
    }),
  );
}

function channel({ id, name, username, isAdmin, joined }: Chat, picture: string): Channel {
  return { id, name, username, picture, isOwner: isAdmin, created: new Date(joined).toISOString() };
}
