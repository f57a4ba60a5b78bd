import { mapConcurrent } from '../../actors/kit/map-concurrent.ts';
import type { Chat, ChatDetails } from '../telegram/port/chats.ts';
import { chatFields } from './chat-fields.ts';
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
export function listGroups(service: ChatService): Promise<Group[]> {
  return inTime(service, async (signal) => {
    const all = await service.account.chats.joined(signal);
    const groups = all.filter(({ kind }) => kind === 'group');
    const fields = chatFields(service);
    return mapConcurrent(groups, atOnce, async (chat) => {
      const [details, picture] = await Promise.all([fields.details(chat), fields.picture(chat)]);
      return group(chat, details, picture);
    });
  });
}

/** One joined group. @throws {GatewayError} 400 {@link TelegramError} {@link NotConnectedError} */
export function getGroup(service: ChatService, groupId: string): Promise<Group> {
  return inTime(service, (signal) =>
    withChat(service, 'group', groupId, signal, async (peer) => {
      const { account, cache } = service;
      const chat = await account.chats.get(peer, signal);
      const [details, picture] = await Promise.all([
        // For one group, the caller gets the error that refused its description.
        cache.details(account.chats, chat),
        chatFields(service).picture(chat),
      ]);
      return group(chat, details, picture);
    }),
  );
}

function group({ id, name, username, joined }: Chat, details: ChatDetails, picture: string): Group {
  const created = new Date(details.joined ?? joined).toISOString();
  return { id, name, username, description: details.description, picture, created };
}
