import { mapConcurrent } from '../../actors/kit/map-concurrent.ts';
import type { Chat } from '../telegram/port/chats.ts';
import { chatFields } from './chat-parts.ts';
import { type ChatService, inTime, withChat } from './chat-service.ts';

/** A channel of the interface. */
export interface Channel {
  id: string;
  name: string;
  username: string;
  /** A data URI, or empty. */
  picture: string;
  isOwner: boolean;
  created: string;
}

/** Photos fetched at the same time. */
const atOnce = 4;

/** All joined channels. @throws {TelegramError} {@link NotConnectedError} {@link GatewayError} */
export function listChannels(directory: ChatService): Promise<Channel[]> {
  return inTime(directory, async (signal) => {
    const all = await directory.account.chats.joined(signal);
    const channels = all.filter(({ kind }) => kind === 'channel');
    const parts = chatFields(directory);
    return mapConcurrent(channels, atOnce, async (chat) => channel(chat, await parts.picture(chat)));
  });
}

/** One joined channel. @throws {GatewayError} 400 {@link TelegramError} {@link NotConnectedError} */
export function getChannel(directory: ChatService, channelId: string): Promise<Channel> {
  return inTime(directory, (signal) =>
    withChat(directory, 'channel', channelId, signal, async (peer) => {
      const chat = await directory.account.chats.get(peer, signal);
      return channel(chat, await chatFields(directory).picture(chat));
    }),
  );
}

function channel({ id, name, username, isAdmin, joined }: Chat, picture: string): Channel {
  return { id, name, username, picture, isOwner: isAdmin, created: new Date(joined).toISOString() };
}
