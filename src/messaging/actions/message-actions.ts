import type { LightAbortSignal } from '../../../actors/kit/light-abort.ts';
import type { Clock } from '../../../actors/ports/clock.ts';
import { withAnswerTimeout } from '../../errors/answer-timeout.ts';
import { GatewayError } from '../../errors/gateway-error.ts';
import type { Recipient } from '../../recipients/recipient.ts';
import { resolveOpenRecipient } from '../../recipients/resolve-recipient.ts';
import type { TelegramAccount } from '../../telegram/port/account.ts';
import { MessageNotFoundError } from '../../telegram/port/errors.ts';
import type { Peer } from '../../telegram/port/peer.ts';
import type { MarkedText } from '../content.ts';
import type { SendMessageOptions } from '../send-message.ts';
import { formatWithin } from '../text-limits.ts';

export interface ActionDeps {
  account: TelegramAccount;
  clock: Clock;
}

/** A message that is there. */
export interface MessageRef {
  chat: Recipient;
  messageId: number;
}

/** What Telegram answers to a text that is too long. */
const longEdit = { error: 'MESSAGE_TOO_LONG', request: 'messages.EditMessage' };

/**
 * Gives a message another text or caption (MX2.1). With a key, a repeated request whose first one was carried out is no
 * error, and does not undo an edit that was made since.
 * @throws {GatewayError} 400: the chat is wrong; 500: too slow. @throws {TelegramError} {@link NotConnectedError}
 */
export function editMessage(
  deps: ActionDeps,
  { chat, messageId }: MessageRef,
  text: MarkedText,
  { begin, begun }: SendMessageOptions,
): Promise<void> {
  return inChat(deps, chat, async ({ messageActions }, peer, signal) => {
    const formatted = formatWithin(text, longEdit);
    await begin?.();
    await messageActions.edit(peer, messageId, formatted, begun?.begunAt, signal);
  });
}

/** Those that the chat does not have are passed over (MX2.2). @throws as {@link editMessage} */
export function deleteMessages(
  deps: ActionDeps,
  { chat, messageIds, forEveryone }: { chat: Recipient; messageIds: readonly number[]; forEveryone: boolean },
): Promise<void> {
  return inChat(deps, chat, ({ messageActions }, peer, signal) =>
    messageActions.delete(peer, messageIds, forEveryone, signal),
  );
}

/** @param emoji empty: the account's reaction is taken back (MX2.3) @throws as {@link editMessage} */
export function reactTo(deps: ActionDeps, { chat, messageId }: MessageRef, emoji: string): Promise<void> {
  return inChat(deps, chat, ({ messageActions }, peer, signal) => messageActions.react(peer, messageId, emoji, signal));
}

/** @throws as {@link editMessage} */
export function pinMessage(deps: ActionDeps, { chat, messageId }: MessageRef, isPinned: boolean): Promise<void> {
  return inChat(deps, chat, ({ messageActions }, peer, signal) =>
    messageActions.pin(peer, messageId, isPinned, signal),
  );
}

/**
 * Resolves the chat and does something to its messages, within the time of a response.
 * @throws {GatewayError} 400 `message not found`, and as {@link resolveOpenRecipient}; 500: too slow. And what `act` throws.
 */
export function inChat<T>(
  { account, clock }: ActionDeps,
  chat: Recipient,
  act: (account: TelegramAccount, peer: Peer, signal: LightAbortSignal) => Promise<T>,
): Promise<T> {
  const work = async (signal: LightAbortSignal): Promise<T> => {
    const peer = await resolveOpenRecipient(account, chat, signal);
    try {
      return await act(account, peer, signal);
    } catch (error) {
      throw messageNotFound(error);
    }
  };
  return withAnswerTimeout(clock, work, account.ended);
}

/** The error for the caller: a message that is not there is a 400; every other error stays as it is. */
export const messageNotFound = (error: unknown): unknown =>
  error instanceof MessageNotFoundError
    ? new GatewayError(400, 'message not found', undefined, { cause: error })
    : error;
