import type { LightAbortSignal } from '../../../actors/kit/light-abort.ts';
import type { Clock } from '../../../actors/ports/clock.ts';
import { withAnswerTimeout } from '../../errors/answer-timeout.ts';
import type { Recipient } from '../../recipients/recipient.ts';
import { resolveOpenRecipient } from '../../recipients/resolve-recipient.ts';
import type { TelegramAccount } from '../../telegram/port/account.ts';
import type { MessageActions } from '../../telegram/port/message-actions.ts';
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
 * error.
 * @throws {GatewayError} 400: the chat is wrong; 500: too slow. @throws {TelegramError} {@link NotConnectedError}
 */
export function editMessage(
  deps: ActionDeps,
  { chat, messageId }: MessageRef,
  text: MarkedText,
  { begin, begun }: SendMessageOptions,
): Promise<void> {
  return inChat(deps, chat, async (actions, peer, signal) => {
    const formatted = formatWithin(text, longEdit);
    await begin?.();
    await actions.edit(peer, messageId, formatted, begun !== undefined, signal);
  });
}

/** Those that the chat does not have are passed over (MX2.2). @throws as {@link editMessage} */
export function deleteMessages(
  deps: ActionDeps,
  { chat, messageIds, forEveryone }: { chat: Recipient; messageIds: readonly number[]; forEveryone: boolean },
): Promise<void> {
  return inChat(deps, chat, (actions, peer, signal) => actions.delete(peer, messageIds, forEveryone, signal));
}

/** @param emoji empty: the account's reaction is taken back (MX2.3) @throws as {@link editMessage} */
export function reactTo(deps: ActionDeps, { chat, messageId }: MessageRef, emoji: string): Promise<void> {
  return inChat(deps, chat, (actions, peer, signal) => actions.react(peer, messageId, emoji, signal));
}

/** @throws as {@link editMessage} */
export function pinMessage(deps: ActionDeps, { chat, messageId }: MessageRef, isPinned: boolean): Promise<void> {
  return inChat(deps, chat, (actions, peer, signal) => actions.pin(peer, messageId, isPinned, signal));
}

/** Resolves the chat and does something to its messages, within the time of a response. */
function inChat<T>(
  { account, clock }: ActionDeps,
  chat: Recipient,
  act: (actions: MessageActions, peer: Peer, signal: LightAbortSignal) => Promise<T>,
): Promise<T> {
  const work = async (signal: LightAbortSignal): Promise<T> =>
    act(account.messageActions, await resolveOpenRecipient(account, chat, signal), signal);
  return withAnswerTimeout(clock, work, account.ended);
}
