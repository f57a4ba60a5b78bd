import type { ChatMember } from '../telegram/port/chats.ts';
import { type ChatService, inTime, withChat } from './chat-service.ts';

/** GR3 */
const maxMembers = 10_000;

/**
 * The members of a joined group, up to 10,000. A member without a name gets its username, phone or ID.
 * @throws {GatewayError} 400 {@link TelegramError} {@link NotConnectedError}
 */
export function listMembers(service: ChatService, groupId: string): Promise<ChatMember[]> {
  return inTime(service, (signal) =>
    withChat(service, 'group', groupId, signal, async (peer) => {
      const members = await service.account.chats.members(peer, maxMembers, signal);
      return members.map(({ id, name, username, phone }) => ({
        id,
        name: name || username || phone || id,
        username,
        phone,
      }));
    }),
  );
}
