import type { LightAbortSignal } from '../../actors/kit/light-abort.ts';
import type { AbortableWork } from '../../actors/kit/timeout.ts';
import type { Clock, Randomness } from '../../actors/ports/clock.ts';
import type { MediaPreparation } from '../media/outgoing/prepare.ts';
import type { Recipient } from '../recipients/recipient.ts';
import { resolveRecipient } from '../recipients/resolve-recipient.ts';
import type { TelegramAccount } from '../telegram/port/account.ts';
import type { BeginSend, OutgoingMedia, SendMark } from '../telegram/port/outgoing.ts';
import type { OutgoingMessage } from '../telegram/port/text.ts';
import { contactMedia } from './contact-media.ts';
import type { Message, Poll, SingleMessage } from './content.ts';
import { locationMedia } from './location-media.ts';
import { type AccountPace, chatOf, inTurn } from './pace/in-turn.ts';
import { newRandomId } from './random-id.ts';
import { withSendTimeout } from './send-timeout.ts';
import { formatWithin, longCaption, longText } from './text-limits.ts';

export interface SendMessageDeps {
  account: TelegramAccount;
  media: MediaPreparation;
  clock: Clock;
  randomness: Randomness;
  /** Undefined: it never waits for a turn. */
  pace?: AccountPace | undefined;
}

export interface SendMessageOptions {
  /** Called right before Telegram. The default draws a number. */
  begin?: BeginSend | undefined;
  /** The number of an earlier request for the same message, which may have been sent. */
  begun?: SendMark | undefined;
  /** Ends the send. */
  until?: LightAbortSignal | undefined;
  /** Ends the wait for its turn (OS7). */
  left?: LightAbortSignal | undefined;
}

/**
 * Sends a message and returns its ID in the recipient's chat.
 * @throws {GatewayError} the recipient is wrong, a file cannot be fetched, or the time is up.
 * @throws {TelegramError} {@link NotConnectedError}
 */
export function sendMessage(
  deps: SendMessageDeps,
  recipient: Recipient,
  message: SingleMessage,
  { begin = drawn(deps), begun, until, left }: SendMessageOptions = {},
): Promise<number> {
  const { account, clock, pace } = deps;
  const send: AbortableWork<number> = async (signal, pause) => {
    // Before a file is fetched: a wrong recipient costs nothing.
    const peer = await resolveRecipient(account, recipient, signal);
    const { content } = message;
    const paced = (use: (begin: BeginSend) => Promise<number>): Promise<number> =>
      inTurn(pace, { messages: 1, chat: chatOf(account, peer), begin, begun }, { signal, pause, left }, use);
    if (content.type === 'text') {
      const outgoing = outgoingText(message, longText);
      return paced(async (beginInTurn) => {
        const { randomId, begunAt } = await beginInTurn();
        return account.sendText(peer, { ...outgoing, randomId, begunAt }, signal);
      });
    }
    // If it was sent, its files are not fetched again: they may be gone by now.
    const sent = begun && (await account.sentBefore(peer, begun.randomId, signal));
    if (sent !== undefined) return sent;
    const caption = outgoingText(captioned(message), longCaption);
    return paced((beginInTurn) =>
      withMediaOf(deps, content, signal, (carried) => account.sendMedia(peer, carried, caption, beginInTurn, signal)),
    );
  };
  return withSendTimeout(clock, send, until, account.ended);
}

/** Makes the media of one message, and lends it to `use`. @throws {GatewayError} a file cannot be fetched */
export function withMediaOf<T>(
  { account, media }: Pick<SendMessageDeps, 'account' | 'media'>,
  content: Exclude<SingleMessage['content'], { type: 'text' }>,
  signal: LightAbortSignal,
  use: (media: OutgoingMedia) => Promise<T>,
): Promise<T> {
  if (content.type === 'location') return use(locationMedia(content));
  if (content.type === 'contact') return use(contactMedia(content));
  if (content.type === 'poll') return use(pollMedia(content));
  return media.withPrepared(content, signal, use, account.maxUploadBytes);
}

/** A number that is not recorded: a repeated request is another message. */
export function drawn({ randomness, clock }: Pick<SendMessageDeps, 'randomness' | 'clock'>): BeginSend {
  const mark = { randomId: newRandomId(randomness), begunAt: clock.now() };
  return () => Promise.resolve(mark);
}

function pollMedia({ question, options, multiple, quiz }: Poll): OutgoingMedia {
  return { kind: 'poll', question, options, multiple, quiz };
}

const captionedTypes: ReadonlySet<string> = new Set(['image', 'video', 'document', 'voice', 'animation']);

/** Other types have no caption (MS5.3, MX1). */
export function captioned<M extends Message>(message: M): M {
  return captionedTypes.has(message.content.type) ? message : { ...message, text: '' };
}

/** The text or caption of a message, formatted. @throws {TelegramError} it is too long */
export function outgoingText(message: Message, tooLong: Parameters<typeof formatWithin>[1]): OutgoingMessage {
  const { text, entities } = formatWithin(message, tooLong);
  const { replyTo, topic, silent } = message;
  return { text, entities, replyTo, topic, silent };
}
