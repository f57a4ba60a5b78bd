import type { AbortableWork } from '../../actors/kit/timeout.ts';
import type { Recipient } from '../recipients/recipient.ts';
import { resolveRecipient } from '../recipients/resolve-recipient.ts';
import type { AlbumMessage } from './content.ts';
import { chatOf, inTurn } from './pace/in-turn.ts';
import { drawn, outgoingText, type SendMessageDeps, type SendMessageOptions } from './send-message.ts';
import { withSendTimeout } from './send-timeout.ts';
import { longAlbumCaption } from './text-limits.ts';

/**
 * Sends an album, all of its messages or none, and returns their IDs in the order of its items (MX1).
 * @throws {GatewayError} the recipient is wrong, a file cannot be fetched, or the time is up.
 * @throws {TelegramError} {@link NotConnectedError}
 */
export function sendAlbumMessage(
  deps: SendMessageDeps,
  recipient: Recipient,
  message: AlbumMessage,
  { begin = drawn(deps), begun, until, left }: SendMessageOptions = {},
): Promise<number[]> {
  const { account, clock, media, pace } = deps;
  const { items } = message.content;
  const send: AbortableWork<number[]> = async (signal, pause) => {
    const peer = await resolveRecipient(account, recipient, signal);
    const sent = begun && (await account.batchSentBefore(peer, begun.randomId, items.length, signal));
    if (sent !== undefined) return sent;
    const caption = outgoingText(message, longAlbumCaption);
    const paced = { messages: items.length, chat: chatOf(account, peer), begin, begun };
    return inTurn(pace, paced, { signal, pause, left }, (beginInTurn) =>
      media.withAlbum(
        items,
        signal,
        (album) => account.sendAlbum(peer, album, caption, beginInTurn, signal),
        account.maxUploadBytes,
      ),
    );
  };
  return withSendTimeout(clock, send, until, account.ended);
}
