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

/** @throws as {@link readChatUpTo} */
export function switchChat(
  { account, clock }: Acting,
  chat: Recipient,
  which: ChatSwitch,
  isOn: boolean,
): Promise<void> {
  return withAnswerTimeout(
    clock,
    async (signal) => {
      const peer = await resolveOpenRecipient(account, chat, signal);
      await account.chatActions[which](peer, isOn, signal);
    },
    account.ended,
  );
}
