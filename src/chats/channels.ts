import { mapConcurrent } from '../../actors/kit/map-concurrent.ts';
import type { Chat } from '../telegram/port/chats.ts';
import { chatFields } from './chat-fields.ts';
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
export function listChannels(service: ChatService): Promise<Channel[]> {
  return inTime(service, async (signal) => {
    const all = await service.account.chats.joined(signal);
    const channels = all.filter(({ kind }) => kind === 'channel');
    const fields = chatFields(service);
    return mapConcurrent(channels, atOnce, async (chat) => channel(chat, await fields.picture(chat)));
  });
}

/** One joined channel. @throws {GatewayError} 400 {@link TelegramError} {@link NotConnectedError} */
export function getChannel(service: ChatService, channelId: string): Promise<Channel> {
  return inTime(service, (signal) =>
    withChat(service, 'channel', channelId, signal, async (peer) => {
      const chat = await service.account.chats.get(peer, signal);
      return channel(chat, await chatFields(service).picture(chat));
    }),
  );
}

function channel({ id, name, username, isAdmin, joined }: Chat, picture: string): Channel {
  return { id, name, username, picture, isOwner: isAdmin, created: new Date(joined).toISOString() };
}
