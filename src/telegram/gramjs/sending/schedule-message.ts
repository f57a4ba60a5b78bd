import { Api } from 'telegram/tl/index.js';
import type { LightAbortSignal } from '../../../../actors/kit/light-abort.ts';
import type { KnownPeer } from '../../peer-cache.ts';
import { TelegramError } from '../../port/errors.ts';
import type { BeginSend, OutgoingMedia, QueuedSend, ScheduledMessage } from '../../port/outgoing.ts';
import type { Peer } from '../../port/peer.ts';
import { inputPeer } from '../peers/input-peer.ts';
import { knownPeer } from '../peers/known-peer.ts';
import { long } from '../peers/text-entities.ts';
import { carries } from './carries.ts';
import { findBatch } from './find-by-random-id.ts';
import { inputMedia } from './input-media.ts';
import { randomIdsFrom } from './random-ids.ts';
import { albumRequest, storeMedia } from './send-album.ts';
import { againIfLost } from './send-media.ts';
import { messageFields } from './send-once.ts';
import type { Sending } from './sending.ts';

type ScheduleRequest = Api.messages.SendMessage | Api.messages.SendMedia | Api.messages.SendMultiMedia;

/**
 * Puts a message into Telegram's queue of a chat, once (https://core.telegram.org/api/scheduled-messages). What is due
 * within seconds Telegram sends at once.
 * @param media none for a text, several for an album, whose first message has the text
 * @throws {TelegramError} {@link NotConnectedError} reading a file failed
 */
export function scheduleMessage(
  sending: Sending,
  to: Peer,
  media: readonly OutgoingMedia[],
  message: ScheduledMessage,
  begin: BeginSend,
  signal: LightAbortSignal,
): Promise<QueuedSend> {
  const peer = knownPeer(sending.book, to);
  const count = Math.max(1, media.length);
  return againIfLost(async () => {
    const uploaded = await uploadAll(sending, peer, media, signal);
    const { randomId } = await begin();
    const randomIds = count === 1 ? [randomId] : randomIdsFrom(randomId, count);
    const request = requestOf(sending, peer, uploaded, message, randomIds);
    for (const each of randomIds) sending.sent.begin(each, peer.id, true);
    try {
      return await putOnce(sending, { peer, to, media, message, randomIds, request }, signal);
    } finally {
      for (const _ of randomIds) sending.sent.end(peer.id);
    }
  });
}

interface Put {
  peer: KnownPeer;
  to: Peer;
  media: readonly OutgoingMedia[];
  message: ScheduledMessage;
  randomIds: readonly bigint[];
  request: ScheduleRequest;
}

async function putOnce(sending: Sending, put: Put, signal: LightAbortSignal): Promise<QueuedSend> {
  const { peer, to, randomIds, request } = put;
  const { sent } = sending;
  try {
    const updates = await sending.order.run(peer.id, (onWait) => {
      signal.throwIfAborted();
      return sending.call(request as Api.messages.SendMessage, signal, undefined, onWait);
    });
    const queued = queuedIn(updates, randomIds);
    if (!queued.isWaiting)
      for (const [place, id] of queued.ids.entries()) sent.remember(randomIds[place] as bigint, id);
    return queued;
  } catch (error) {
    if (!(error instanceof TelegramError && error.errorName === 'RANDOM_ID_DUPLICATE')) throw error;
    // D9: it was put there before, and the answer was lost. It may have left since.
    const waiting = await findWaiting(sending, put, signal);
    if (waiting !== undefined) return { ids: waiting, isWaiting: true };
    const ids = await findBatch(sending, to, randomIds[0] as bigint, randomIds.length, signal);
    if (ids === undefined) throw error;
    return { ids, isWaiting: false };
  }
}

async function uploadAll(
  sending: Sending,
  peer: KnownPeer,
  media: readonly OutgoingMedia[],
  signal: LightAbortSignal,
): Promise<Api.TypeInputMedia[]> {
  const uploaded: Api.TypeInputMedia[] = [];
  for (const each of media) {
    const isAlone = media.length === 1;
    uploaded.push(
      isAlone
        ? await inputMedia(each, (file) => sending.upload(file, signal))
        : await storeMedia(sending, peer, each, signal),
    );
  }
  return uploaded;
}

function requestOf(
  sending: Sending,
  peer: KnownPeer,
  uploaded: readonly Api.TypeInputMedia[],
  message: ScheduledMessage,
  randomIds: readonly bigint[],
): ScheduleRequest {
  const scheduleDate = scheduleDateOf(message);
  const [first] = uploaded;
  if (uploaded.length > 1) return albumRequest(sending, peer, uploaded, message, randomIds, scheduleDate);
  const mark = { randomId: randomIds[0] as bigint, begunAt: 0 };
  const fields = { ...messageFields(sending, peer, { ...message, ...mark }), scheduleDate };
  return first === undefined
    ? new Api.messages.SendMessage(fields)
    : new Api.messages.SendMedia({ ...fields, media: first });
}

/** Telegram's dates are whole seconds; a message is not sent before its time. */
const scheduleDateOf = ({ sendAt }: ScheduledMessage): number => Math.ceil(sendAt / 1000);

/** @throws {Error} Telegram does not say under which IDs */
function queuedIn(updates: Api.TypeUpdates, randomIds: readonly bigint[]): QueuedSend {
  if (updates instanceof Api.UpdateShortSentMessage) return { ids: [updates.id], isWaiting: false };
  const all = updates instanceof Api.Updates || updates instanceof Api.UpdatesCombined ? updates.updates : [];
  const named = all.filter((update) => update instanceof Api.UpdateMessageID);
  const ids = randomIds.flatMap(
    (randomId) => named.find((update) => String(update.randomId) === randomId.toString())?.id ?? [],
  );
  if (ids.length < randomIds.length) throw new Error('telegram took the message but did not say under which ID');
  return { ids, isWaiting: all.some((update) => update instanceof Api.UpdateNewScheduledMessage) };
}

/** The messages of the queue that have this content and time, the first ones put there; undefined unless it has all. */
async function findWaiting(
  { call }: Sending,
  { peer, media, message, randomIds }: Put,
  signal: LightAbortSignal,
): Promise<number[] | undefined> {
  const request = new Api.messages.GetScheduledHistory({ peer: inputPeer(peer), hash: long(0n) });
  const history = await call(request, signal);
  const waiting = 'messages' in history ? history.messages : [];
  const due = waiting
    .filter((each): each is Api.Message => each instanceof Api.Message && each.date === scheduleDateOf(message))
    .toSorted((a, b) => a.id - b.id);
  const ids: number[] = [];
  for (const place of randomIds.keys()) {
    const text = place === 0 ? message.text.trim() : '';
    const content = media[place];
    const found = due.find(
      (each) =>
        each.id > (ids.at(-1) ?? 0) &&
        each.message.trim() === text &&
        (content === undefined || carries(each, content)),
    );
    if (found === undefined) return undefined;
    ids.push(found.id);
  }
  return ids;
}
