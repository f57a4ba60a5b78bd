import { mapConcurrent } from '../../actors/kit/map-concurrent.ts';
import type { Chat, ChatDetails } from '../telegram/port/chats.ts';
import { chatFields } from './chat-parts.ts';
import { type ChatService, inTime, withChat } from './chat-service.ts';

/** A group of the interface. */
export interface Group {
  id: string;
  name: string;
  username: string;
  description: string;
  /** A data URI, or empty. */
  picture: string;
  created: string;
}

/** Groups whose details are fetched at the same time. */
const atOnce = 4;

/**
 * All joined basic groups and supergroups. A description or photo that Telegram does not give, or not soon, is left
 * empty and comes with a later call.
 * @throws {TelegramError} {@link NotConnectedError} {@link GatewayError}
 */
export function listGroups(directory: ChatService): Promise<Group[]> {
  return inTime(directory, async (signal) => {
    const all = await directory.account.chats.joined(signal);
    const groups = all.filter(({ kind }) => kind === 'group');
    const parts = chatFields(directory);
    return mapConcurrent(groups, atOnce, async (chat) => {
      const [details, picture] = await Promise.all([parts.details(chat), parts.picture(chat)]);
      return group(chat, details, picture);
    });
  });
}

/** One joined group. @throws {GatewayError} 400 {@link TelegramError} {@link NotConnectedError} */
export function getGroup(directory: ChatService, groupId: string): Promise<Group> {
  return inTime(directory, (signal) =>
    withChat(directory, 'group', groupId, signal, async (peer) => {
      const { account, cache } = directory;
      const chat = await account.chats.get(peer, signal);
      const [details, picture] = await Promise.all([
        // For one group, the caller gets the error that refused its description.
        cache.details(account.chats, chat),
        chatFields(directory).picture(chat),
      ]);
      return group(chat, details, picture);
    }),
  );
}

function group({ id, name, username, joined }: Chat, details: ChatDetails, picture: string): Group {
  const created = new Date(details.joined ?? joined).toISOString();
  return { id, name, username, description: details.description, picture, created };
}
