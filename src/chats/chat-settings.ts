import { withAnswerTimeout } from '../errors/answer-timeout.ts';
import type { Recipient } from '../recipients/recipient.ts';
import { resolveOpenRecipient } from '../recipients/resolve-recipient.ts';
import type { ChatService } from './chat-service.ts';

type Acting = Pick<ChatService, 'account' | 'clock'>;

/** What can be turned on and off for a chat (CT3). */
export type ChatSwitch = 'archive' | 'mute' | 'pin';

/**
 * Marks a chat as read (CT3.1).
 * @param upTo message ID; undefined: all
 * @param topic of a forum; undefined: all of them
 * @throws {GatewayError} 400: the chat is wrong; 500: too slow. @throws {TelegramError} {@link NotConnectedError}
 */
export function readChatUpTo(
  { account, clock }: Acting,
  chat: Recipient,
  { upTo, topic }: { upTo: number | undefined; topic: number | undefined },
): Promise<void> {
  return withAnswerTimeout(
    clock,
    async (signal) => {
      const peer = await resolveOpenRecipient(account, chat, signal);
      await account.chatActions.read(peer, upTo, topic, signal);
    },
    account.ended,
  );
}

/**
 * @param topic of a forum; undefined: the chat itself. Only whole chats are archived.
 * @throws as {@link readChatUpTo}
 */
export function switchChat(
  { account, clock }: Acting,
  chat: Recipient,
  which: ChatSwitch,
  { isOn, topic }: { isOn: boolean; topic: number | undefined },
): Promise<void> {
  return withAnswerTimeout(
    clock,
    async (signal) => {
      const peer = await resolveOpenRecipient(account, chat, signal);
      if (which === 'archive') await account.chatActions.archive(peer, isOn, signal);
      else await account.chatActions[which](peer, isOn, topic, signal);
    },
    account.ended,
  );
}
