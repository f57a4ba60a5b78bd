import type { Clock, Randomness } from '../../actors/clock.ts';
import { withDeadline } from '../deadline.ts';
import { RequestError } from '../errors.ts';
import type { Receiver } from '../receivers/receiver.ts';
import { resolveReceiver } from '../receivers/resolve-receiver.ts';
import type { FormattedText, TelegramAccount } from '../telegram/port.ts';
import { parseHtml } from './html.ts';
import { parseMarkdown } from './markdown.ts';

/** The interface's own limit (MS6). */
const sendTimeoutSeconds = 240;

export interface TextMessage {
  text: string;
  /** Undefined: sent as it is. */
  parseMode: 'markdown' | 'html' | undefined;
  /** Message ID in the receiving chat. */
  replyTo: number | undefined;
  silent: boolean | undefined;
}

/**
 * Sends a text and returns its message ID in the receiving chat.
 * @throws {RequestError} the receiver is wrong, or the time is up. @throws {TelegramError} @throws {NotConnectedError}
 */
export async function sendText(
  { account, clock, randomness }: { account: TelegramAccount; clock: Clock; randomness: Randomness },
  receiver: Receiver,
  { text, parseMode, replyTo, silent }: TextMessage,
): Promise<number> {
  const late = (): RequestError => new RequestError(500, `send timeout after ${sendTimeoutSeconds}s`);
  return withDeadline(clock, sendTimeoutSeconds * 1000, late, async (signal) => {
    const peer = await resolveReceiver(account, receiver, signal);
    return account.sendText(
      peer,
      {
        ...format(text, parseMode),
        randomId: randomness.bytes(8).readBigInt64BE(),
        ...(replyTo === undefined ? {} : { replyTo }),
        ...(silent === undefined ? {} : { silent }),
      },
      signal,
    );
  });
}

function format(text: string, parseMode: TextMessage['parseMode']): FormattedText {
  if (parseMode === 'markdown') return parseMarkdown(text);
  if (parseMode === 'html') return parseHtml(text);
  return { text, entities: [] };
}
