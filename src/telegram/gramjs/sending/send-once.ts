import { Api } from 'telegram/tl/index.js';
import type { LightAbortSignal } from '../../../../actors/kit/light-abort.ts';
import type { KnownPeer } from '../../peer-cache.ts';
import type { OutgoingText } from '../../port/account.ts';
import { TelegramError } from '../../port/errors.ts';
import { inputPeer } from '../peers/input-peer.ts';
import { long, messageEntities } from '../peers/text-entities.ts';
import { findByContent } from './find-by-content.ts';
import { findBatch, findByRandomId } from './find-by-random-id.ts';
import { replyField } from './reply-to.ts';
import type { BatchDispatch, Dispatch, Sending } from './sending.ts';

/** The fields of a request that every type of message has. */
export function messageFields(
  { book }: Sending,
  peer: KnownPeer,
  { text, entities, randomId, replyTo, topic, silent }: OutgoingText,
): Pick<Api.messages.SendMessage, 'peer' | 'message' | 'randomId'> {
  return {
    peer: inputPeer(peer),
    message: text,
    randomId: long(randomId),
    ...(entities.length > 0 && { entities: messageEntities(entities, book) }),
    ...replyField({ replyTo, topic }),
    ...(silent === true && { silent }),
  };
}

/**
 * Sends a message and never sends it twice: Telegram accepts a random ID once. If the answer to that was lost, the
 * message is found again.
 * @returns its message ID
 * @throws {TelegramError} {@link NotConnectedError}
 */
export async function sendWithRandomId(
  sending: Sending,
  dispatch: Dispatch,
  signal: LightAbortSignal,
): Promise<number> {
  const { sent } = sending;
  const { peer, randomId } = dispatch;
  sent.begin(randomId, peer.id);
  try {
    const id = await idOfSent(sending, dispatch, signal);
    if (id === undefined) throw new Error('telegram sent the message but did not say under which ID');
    sent.remember(randomId, id);
    return id;
  } finally {
    sent.end(peer.id);
  }
}

async function idOfSent(sending: Sending, dispatch: Dispatch, signal: LightAbortSignal): Promise<number | undefined> {
  const { peer, randomId, request } = dispatch;
  try {
    const updates = await sending.order.run(peer.id, (onWait) => {
      signal.throwIfAborted();
      return sending.call(request as Api.messages.SendMessage, signal, undefined, onWait);
    });
    return messageIdIn(updates, randomId);
  } catch (error) {
    if (!(error instanceof TelegramError && error.errorName === 'RANDOM_ID_DUPLICATE')) throw error;
    // D9: it was sent before; the answer was lost.
    const named = await findByRandomId(sending, peer, randomId, signal);
    const id = named ?? (await findByContent(sending, dispatch, signal))?.id;
    if (id === undefined) throw error;
    return id;
  }
}

/**
 * Sends several messages with one request, all of them or none, and never twice. If the answer was lost, the messages
 * are found again.
 * @returns their message IDs, in their order
 * @throws {TelegramError} {@link NotConnectedError}
 */
export async function sendBatch(
  sending: Sending,
  dispatch: BatchDispatch,
  signal: LightAbortSignal,
): Promise<number[]> {
  const { sent } = sending;
  const { peer, randomIds } = dispatch;
  for (const randomId of randomIds) sent.begin(randomId, peer.id);
  try {
    const ids = await idsOfBatch(sending, dispatch, signal);
    for (const [place, id] of ids.entries()) sent.remember(randomIds[place] as bigint, id);
    return ids;
  } finally {
    for (const _ of randomIds) sent.end(peer.id);
  }
}

async function idsOfBatch(sending: Sending, dispatch: BatchDispatch, signal: LightAbortSignal): Promise<number[]> {
  const { peer, randomIds, request } = dispatch;
  try {
    const updates = await sending.order.run(peer.id, (onWait) => {
      signal.throwIfAborted();
      return sending.call(request as Api.messages.SendMultiMedia, signal, undefined, onWait);
    });
    const ids = randomIds.flatMap((randomId) => messageIdIn(updates, randomId) ?? []);
    if (ids.length === randomIds.length) return ids;
    throw new Error('telegram sent the messages but did not say under which IDs');
  } catch (error) {
    if (!(error instanceof TelegramError && error.errorName === 'RANDOM_ID_DUPLICATE')) throw error;
    const ids = await findSentBatch(sending, dispatch, signal);
    if (ids === undefined) throw error;
    return ids;
  }
}

/** The messages of a batch that was sent before; undefined unless all are found. */
async function findSentBatch(
  sending: Sending,
  { peer, randomIds, begunAt, matches }: BatchDispatch,
  signal: LightAbortSignal,
): Promise<number[] | undefined> {
  const named = await findBatch(sending, peer, randomIds[0] as bigint, randomIds.length, signal);
  if (named !== undefined) return named;
  const found: Api.Message[] = [];
  for (const [place, randomId] of randomIds.entries()) {
    const matchesHere = (message: Api.Message): boolean => matches(message, place, found[0]);
    const message = await findByContent(sending, { peer, randomId, begunAt, matches: matchesHere }, signal);
    if (message === undefined) return undefined;
    found.push(message);
  }
  return found.map(({ id }) => id);
}

/** The ID of the sent message in Telegram's answer. */
function messageIdIn(updates: Api.TypeUpdates, randomId: bigint): number | undefined {
  if (updates instanceof Api.UpdateShortSentMessage) return updates.id;
  if (!(updates instanceof Api.Updates || updates instanceof Api.UpdatesCombined)) return undefined;
  const wanted = randomId.toString();
  const named = updates.updates.find(
    (update): update is Api.UpdateMessageID =>
      update instanceof Api.UpdateMessageID && update.randomId?.toString() === wanted,
  );
  return named?.id;
}
