import type { AbortableWork } from '../../../actors/kit/timeout.ts';
import type { Recipient } from '../../recipients/recipient.ts';
import { resolveOpenRecipient } from '../../recipients/resolve-recipient.ts';
import { chatOf, inTurn } from '../pace/in-turn.ts';
import { drawn, type SendMessageDeps, type SendMessageOptions } from '../send-message.ts';
import { withSendTimeout } from '../send-timeout.ts';
import { messageNotFound } from './message-actions.ts';

export interface ForwardRequest {
  from: Recipient;
  /** Up to 100. */
  messageIds: readonly number[];
  to: Recipient;
  /** As copies: they do not say where they come from. */
  dropAuthor: boolean;
  /** The topic of a forum, if the receiver is one. */
  topic?: number | undefined;
}

/**
 * Forwards messages of one chat to another, all or none, and returns their IDs there (MX2.9).
 * @throws {GatewayError} 400: a chat or message is wrong; 500: the time is up. @throws {TelegramError}
 * {@link NotConnectedError}
 */
export function forward(
  deps: Pick<SendMessageDeps, 'account' | 'clock' | 'randomness' | 'pace'>,
  { from, messageIds, to, dropAuthor, topic }: ForwardRequest,
  { begin = drawn(deps), begun, until, left }: SendMessageOptions = {},
): Promise<number[]> {
  const { account, clock, pace } = deps;
  const send: AbortableWork<number[]> = async (signal, pause) => {
    const receiver = await resolveOpenRecipient(account, to, signal);
    // The originals may be gone by now.
    const sent = begun && (await account.batchSentBefore(receiver, begun.randomId, messageIds.length, signal));
    if (sent !== undefined) return sent;
    const source = await resolveOpenRecipient(account, from, signal);
    const paced = { messages: messageIds.length, chat: chatOf(account, receiver), begin, begun };
    try {
      return await inTurn(pace, paced, { signal, pause, left }, (beginInTurn) =>
        account.forward(receiver, { from: source, messageIds, dropAuthor, topic }, beginInTurn, signal),
      );
    } catch (error) {
      throw messageNotFound(error);
    }
  };
  return withSendTimeout(clock, send, until, account.ended);
}
