import { Api } from 'telegram/tl/index.js';
import type { LightAbortSignal } from '../../../../actors/kit/light-abort.ts';
import { MessageNotFoundError } from '../../port/errors.ts';
import type { BeginSend, Forward } from '../../port/outgoing.ts';
import type { Peer } from '../../port/peer.ts';
import { messagesById } from '../chats/messages-by-id.ts';
import { inputPeer } from '../peers/input-peer.ts';
import { knownPeer } from '../peers/known-peer.ts';
import { long } from '../peers/text-entities.ts';
import { randomIdsFrom } from './random-ids.ts';
import { topMessageOf } from './reply-to.ts';
import { sendBatch } from './send-once.ts';
import type { Sending } from './sending.ts';

/**
 * Forwards messages of one chat to another, all of them or none, once.
 * @returns the message IDs there, in the order of the messages
 * @throws {MessageNotFoundError} the chat does not have all of them. {@link TelegramError} {@link NotConnectedError}
 */
export async function forwardMessages(
  sending: Sending,
  to: Peer,
  { from, messageIds, dropAuthor, topic }: Forward,
  begin: BeginSend,
  signal: LightAbortSignal,
): Promise<number[]> {
  const { book, call } = sending;
  const source = knownPeer(book, from);
  const peer = knownPeer(book, to);
  const found = await messagesById(call, source, messageIds, signal);
  const originals = messageIds.map((wanted) => {
    const original = found.find(({ id }) => id === wanted);
    if (original instanceof Api.Message) return original;
    throw new MessageNotFoundError(`${from.id} has no message ${wanted}`);
  });
  const { randomId, begunAt } = await begin();
  const randomIds = randomIdsFrom(randomId, messageIds.length);
  const topMsgId = topMessageOf(topic);
  const request = new Api.messages.ForwardMessages({
    fromPeer: inputPeer(source),
    id: [...messageIds],
    randomId: randomIds.map(long),
    toPeer: inputPeer(peer),
    ...(dropAuthor && { dropAuthor: true }),
    ...(topMsgId !== undefined && { topMsgId }),
  });
  const matches = (message: Api.Message, place: number): boolean =>
    isForwardOf(message, originals[place] as Api.Message, dropAuthor);
  return sendBatch(sending, { peer, randomIds, begunAt, request, matches }, signal);
}

/** Whether a message may be this one, forwarded. */
export function isForwardOf(message: Api.Message, original: Api.Message, dropAuthor: boolean): boolean {
  const hasOrigin = message.fwdFrom !== undefined && message.fwdFrom !== null;
  return hasOrigin !== dropAuthor && message.message === original.message && fileOf(message) === fileOf(original);
}

/** Files keep their IDs; of other media only the kind is compared. */
function fileOf({ media }: Api.Message): string {
  if (media instanceof Api.MessageMediaPhoto) return `photo ${String(media.photo?.id)}`;
  if (media instanceof Api.MessageMediaDocument) return `document ${String(media.document?.id)}`;
  // Telegram adds the preview of a link by itself.
  if (media === undefined || media === null || media instanceof Api.MessageMediaWebPage) return '';
  return media.className;
}
