import type { ChatMember } from '../telegram/port/chats.ts';
import { type ChatService, inTime, withChat } from './chat-service.ts';

/** GR3 */
const mostMembers = 10_000;

/**
 * The members of a joined group, as the interface has them, at most 10,000. One without a name goes by username, phone or
 * ID. @throws {RequestError} 400 {@link TelegramError} {@link NotConnectedError}
 */
export function listMembers(directory: ChatService, groupId: string): Promise<ChatMember[]> {
  return inTime(directory, (signal) =>
    withChat(directory, 'group', groupId, signal, async (peer) => {
      const members = await directory.account.chats.members(peer, mostMembers, signal);
      return members.map(({ id, name, username, phone }) => ({
        id,
        name: name || username || phone || id,
        username,
        phone,
      }));
    }),
  );
}
