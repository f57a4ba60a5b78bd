import type { ChatMessage } from '../telegram/port/chat-message.ts';
import type { Chat } from '../telegram/port/chats.ts';
import { type ChatService, inTime, withChat } from './chat-service.ts';
import { type LinkTo, type MessageContent, messageContent } from './message-content.ts';

/** A channel message of the interface. */
export type ChannelMessage = { id: string; serverId: number; url: string; created: string } & MessageContent;

export interface ChannelMessages {
  docs: ChannelMessage[];
  /** CH2 */
  before: number;
}

/** PL1 */
const linkHost = 'https://t.me';

/**
 * A page of a joined channel's messages older than `before`, newest first; 0 means the newest.
 * @throws {GatewayError} 400 {@link TelegramError} {@link NotConnectedError}
 */
export function listChannelMessages(
  service: ChatService,
  channelId: string,
  before: number,
  linkTo: LinkTo,
): Promise<ChannelMessages> {
  return inTime(service, (signal) =>
    withChat(service, 'channel', channelId, signal, async (peer) => {
      const page = await service.account.chats.history(peer, before, signal);
      const docs = page.messages.map((message) => channelMessage(page.chat, message, linkTo));
      return { docs, before: page.before };
    }),
  );
}

export function channelMessage(
  chat: Pick<Chat, 'id' | 'username'>,
  message: ChatMessage,
  linkTo: LinkTo,
): ChannelMessage {
  const { id, created } = message;
  return {
    id: String(id),
    serverId: id,
    url: messageLink(chat, id),
    ...messageContent(message, linkTo),
    created: new Date(created).toISOString(),
  };
}

/** The link to a message of a private channel, which works for its members only. */
function messageLink({ id, username }: Pick<Chat, 'id' | 'username'>, messageId: number): string {
  const place = username === '' ? `c/${id.slice('-100'.length)}` : username;
  return `${linkHost}/${place}/${messageId}`;
}
