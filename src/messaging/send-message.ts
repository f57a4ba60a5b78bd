import type { Clock, Randomness } from '../../actors/clock.ts';
import type { MediaPreparation } from '../media/prepare.ts';
import type { Receiver } from '../receivers/receiver.ts';
import { resolveReceiver } from '../receivers/resolve-receiver.ts';
import type { StopSignal } from '../stop-signal.ts';
import type { OutgoingMedia } from '../telegram/port/outgoing.ts';
import type { OutgoingText, TelegramAccount } from '../telegram/port.ts';
import { contactFrom } from './contact.ts';
import type { Message } from './content.ts';
import { format } from './format.ts';
import type { BeginSend } from './keyed-sends.ts';
import { placeFrom } from './place.ts';
import { withinSendTime } from './send-time.ts';

export interface SendParts {
  account: TelegramAccount;
  media: MediaPreparation;
  clock: Clock;
  randomness: Randomness;
}

export interface SendOptions {
  /** Asked right before Telegram is called; a number is drawn where there is none. */
  begin?: BeginSend | undefined;
  /** Ends the send. */
  until?: StopSignal | undefined;
}

/**
 * Sends a message and returns its ID in the receiving chat.
 * @throws {RequestError} the receiver is wrong, a file can't be had, or the time is up.
 * @throws {TelegramError} {@link NotConnectedError}
 */
export function sendMessage(
  parts: SendParts,
  receiver: Receiver,
  message: Message,
  { begin, until }: SendOptions = {},
): Promise<number> {
  const { account, clock, media } = parts;
  return withinSendTime(clock, until, async (signal) => {
    // Before a file is fetched: a wrong receiver costs nothing.
    const peer = await resolveReceiver(account, receiver, signal);
    const { content } = message;
    if (content.type === 'text') {
      const randomId = begin === undefined ? drawn(parts) : await begin();
      return account.sendText(peer, outgoing(message, randomId), signal);
    }
    const send = async (carried: OutgoingMedia): Promise<number> => {
      const randomId = begin === undefined ? drawn(parts) : await begin();
      return account.sendMedia(peer, carried, outgoing(captioned(message), randomId), signal);
    };
    if (content.type === 'location') return send(placeFrom(content));
    if (content.type === 'contact') return send(contactFrom(content));
    return media.withPrepared(content, signal, send);
  });
}

const drawn = ({ randomness }: SendParts): bigint => randomness.bytes(8).readBigInt64BE();

/** Only what is looked at has a caption. */
function captioned(message: Message): Message {
  const isCaptioned = ['image', 'video', 'document'].includes(message.content.type);
  return isCaptioned ? message : { ...message, text: '' };
}

function outgoing(message: Message, randomId: bigint): OutgoingText {
  const { replyTo, silent } = message;
  return {
    ...format(message),
    randomId,
    ...(replyTo === undefined ? {} : { replyTo }),
    ...(silent === undefined ? {} : { silent }),
  };
}
