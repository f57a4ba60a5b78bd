import type { LightAbortSignal } from '../../actors/kit/light-abort.ts';
import type { Clock, Randomness } from '../../actors/ports/clock.ts';
import type { MediaPreparation } from '../media/outgoing/prepare.ts';
import type { Recipient } from '../recipients/recipient.ts';
import { resolveRecipient } from '../recipients/resolve-recipient.ts';
import type { TelegramAccount } from '../telegram/port/account.ts';
import type { BeginSend, OutgoingMedia, SendMark } from '../telegram/port/outgoing.ts';
import type { OutgoingMessage } from '../telegram/port/text.ts';
import { contactMedia } from './contact-media.ts';
import type { Message } from './content.ts';
import { format } from './format.ts';
import { locationMedia } from './location-media.ts';
import { withSendTimeout } from './send-timeout.ts';

export interface SendMessageDeps {
  account: TelegramAccount;
  media: MediaPreparation;
  clock: Clock;
  randomness: Randomness;
}

export interface SendMessageOptions {
  /** Asked right before Telegram is called; a number is drawn where there is none. */
  begin?: BeginSend | undefined;
  /** By a former request for the same: it may have been sent. */
  begun?: SendMark | undefined;
  /** Ends the send. */
  until?: LightAbortSignal | undefined;
}

/**
 * Sends a message and returns its ID in the receiving chat.
 * @throws {RequestError} the receiver is wrong, a file can't be had, or the time is up.
 * @throws {TelegramError} {@link NotConnectedError}
 */
export function sendMessage(
  parts: SendMessageDeps,
  receiver: Recipient,
  message: Message,
  { begin = drawn(parts), begun, until }: SendMessageOptions = {},
): Promise<number> {
  const { account, clock, media } = parts;
  return withSendTimeout(clock, until, async (signal) => {
    // Before a file is fetched: a wrong receiver costs nothing.
    const peer = await resolveRecipient(account, receiver, signal);
    const { content } = message;
    if (content.type === 'text') {
      const { text, entities, replyTo, silent } = outgoing(message);
      const { randomId, begunAt } = await begin();
      return account.sendText(peer, { text, entities, replyTo, silent, randomId, begunAt }, signal);
    }
    // Its files need not be fetched twice, and may be gone by now.
    const sent = begun && (await account.sentBefore(peer, begun.randomId, signal));
    if (sent !== undefined) return sent;
    const send = (carried: OutgoingMedia): Promise<number> =>
      account.sendMedia(peer, carried, outgoing(captioned(message)), begin, signal);
    if (content.type === 'location') return send(locationMedia(content));
    if (content.type === 'contact') return send(contactMedia(content));
    return media.withPrepared(content, signal, send);
  });
}

/** A number that nobody keeps: whoever asks again means another message. */
export function drawn({ randomness, clock }: Pick<SendMessageDeps, 'randomness' | 'clock'>): BeginSend {
  const mark = { randomId: randomness.bytes(8).readBigInt64BE(), begunAt: clock.now() };
  return () => Promise.resolve(mark);
}

/** Only what is looked at has a caption. */
function captioned(message: Message): Message {
  const isCaptioned = ['image', 'video', 'document'].includes(message.content.type);
  return isCaptioned ? message : { ...message, text: '' };
}

function outgoing(message: Message): OutgoingMessage {
  const { text, entities } = format(message);
  const { replyTo, silent } = message;
  return { text, entities, replyTo, silent };
}
