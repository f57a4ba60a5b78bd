import { GatewayError } from '../errors/gateway-error.ts';
import { resolveChatId } from '../recipients/resolve-recipient.ts';
import { MessageNotFoundError } from '../telegram/port/errors.ts';
import { type ReadMessage, seenMessageObject } from './chat-messages.ts';
import { type ChatService, inTime } from './chat-service.ts';
import type { LinkTo } from './message-content.ts';

/** Telegram's date of a message that waits until its recipient is online. */
const whenOnline = 0x7f_ff_ff_fe;

/** A message of the queue; its ID is no message ID. `sendAt`: empty if it waits for its recipient. */
type WaitingMessage = ReadMessage & { sendAt: string };

/**
 * The messages that Telegram will send to a chat, the first to leave first (MX1.17).
 * @throws {GatewayError} 400 {@link TelegramError} {@link NotConnectedError}
 */
export function listScheduled(
  service: ChatService,
  chatId: string,
  linkTo: LinkTo,
): Promise<{ docs: WaitingMessage[] }> {
  // The chat has other messages under these IDs.
  const profilesOnly: LinkTo = (ref, ext) => (ref.variant === 'profile' ? linkTo(ref, ext) : '');
  return inTime(service, async (signal) => {
    const { account } = service;
    const peer = await resolveChatId(account, chatId, signal);
    const waiting = await account.reading.scheduled(peer, signal);
    return {
      docs: waiting.map((each) => ({
        ...seenMessageObject(each, profilesOnly),
        sendAt: each.message.created === whenOnline * 1000 ? '' : new Date(each.message.created).toISOString(),
      })),
    };
  });
}

/** @throws {GatewayError} 400: no such chat, or its queue has no such message. And as {@link listScheduled} */
export function deleteScheduled(service: ChatService, chatId: string, scheduledId: number): Promise<void> {
  return inTime(service, async (signal) => {
    const { account } = service;
    const peer = await resolveChatId(account, chatId, signal);
    try {
      await account.messageActions.deleteScheduled(peer, scheduledId, signal);
    } catch (error) {
      if (!(error instanceof MessageNotFoundError)) throw error;
      throw new GatewayError(400, 'message not found', undefined, { cause: error });
    }
  });
}
