import type { AbortableWork } from '../../actors/kit/timeout.ts';
import { GatewayError } from '../errors/gateway-error.ts';
import type { Recipient } from '../recipients/recipient.ts';
import { resolveRecipient } from '../recipients/resolve-recipient.ts';
import type { OutgoingMedia, QueuedSend, ScheduledMessage } from '../telegram/port/outgoing.ts';
import type { Message } from './content.ts';
import { chatOf, inTurn } from './pace/in-turn.ts';
import {
  captioned,
  drawn,
  outgoingText,
  type SendMessageDeps,
  type SendMessageOptions,
  withMediaOf,
} from './send-message.ts';
import { withSendTimeout } from './send-timeout.ts';
import { longAlbumCaption, longCaption, longText } from './text-limits.ts';

/** Telegram takes no later ones. */
const maxAheadMs = 365 * 86_400_000;

/**
 * Has Telegram send a message of any type later (MX1.15).
 * @throws {GatewayError} the time is past or too far ahead, the recipient is wrong, a file cannot be fetched, or the time
 * is up. {@link TelegramError} {@link NotConnectedError}
 */
export function scheduleSend(
  deps: SendMessageDeps,
  recipient: Recipient,
  message: Message & { sendAt: number },
  { begin = drawn(deps), begun, until, left }: SendMessageOptions = {},
): Promise<QueuedSend> {
  const { account, clock, media, pace } = deps;
  const { content, sendAt } = message;
  const count = content.type === 'album' ? content.items.length : 1;
  const send: AbortableWork<QueuedSend> = async (signal, pause) => {
    // One that was put there before may have left since.
    if (begun === undefined) requireLater(sendAt, clock.now());
    const peer = await resolveRecipient(account, recipient, signal);
    if (begun !== undefined) {
      const ids = await account.batchSentBefore(peer, begun.randomId, count, signal);
      if (ids !== undefined) return { ids, isWaiting: false };
      requireLater(sendAt, clock.now());
    }
    const paced = { messages: count, chat: chatOf(account, peer), begin, begun };
    return inTurn(pace, paced, { signal, pause, left }, (beginInTurn) => {
      const schedule = (carried: readonly OutgoingMedia[], text: ScheduledMessage): Promise<QueuedSend> =>
        account.schedule(peer, carried, text, beginInTurn, signal);
      if (content.type === 'text') return schedule([], { ...outgoingText(message, longText), sendAt });
      if (content.type === 'album') {
        const caption = { ...outgoingText(message, longAlbumCaption), sendAt };
        const use = (album: readonly OutgoingMedia[]): Promise<QueuedSend> => schedule(album, caption);
        return media.withAlbum(content.items, signal, use, account.maxUploadBytes);
      }
      const caption = { ...outgoingText(captioned(message), longCaption), sendAt };
      return withMediaOf(deps, content, signal, (carried) => schedule([carried], caption));
    });
  };
  return withSendTimeout(clock, send, until, account.ended);
}

/** @throws {GatewayError} 400 */
function requireLater(sendAt: number, now: number): void {
  if (sendAt <= now) throw new GatewayError(400, 'sendAt must be in the future');
  if (sendAt > now + maxAheadMs) throw new GatewayError(400, 'sendAt must be within a year');
}
