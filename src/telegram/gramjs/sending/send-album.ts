import { Api } from 'telegram/tl/index.js';
import type { LightAbortSignal } from '../../../../actors/kit/light-abort.ts';
import type { KnownPeer } from '../../peer-cache.ts';
import type { BeginSend, OutgoingMedia } from '../../port/outgoing.ts';
import type { Peer } from '../../port/peer.ts';
import type { OutgoingMessage } from '../../port/text.ts';
import { inputPeer } from '../peers/input-peer.ts';
import { knownPeer } from '../peers/known-peer.ts';
import { long, messageEntities } from '../peers/text-entities.ts';
import { carries } from './carries.ts';
import { inputMedia } from './input-media.ts';
import { randomIdsFrom } from './random-ids.ts';
import { replyField } from './reply-to.ts';
import { againIfLost } from './send-media.ts';
import { sendBatch } from './send-once.ts';
import type { Sending } from './sending.ts';

/**
 * Sends an album, once: all of its messages or none (https://core.telegram.org/api/files#albums-grouped-media). The
 * first one has the caption. The send begins when all files are at Telegram.
 * @returns the message IDs in the order of the media
 * @throws {TelegramError} {@link NotConnectedError} reading a file failed
 */
export function sendAlbum(
  sending: Sending,
  to: Peer,
  album: readonly OutgoingMedia[],
  caption: OutgoingMessage,
  begin: BeginSend,
  signal: LightAbortSignal,
): Promise<number[]> {
  const peer = knownPeer(sending.book, to);
  return againIfLost(async () => {
    const stored: Api.TypeInputMedia[] = [];
    for (const media of album) stored.push(await storeMedia(sending, peer, media, signal));
    const { randomId, begunAt } = await begin();
    const randomIds = randomIdsFrom(randomId, album.length);
    const request = albumRequest(sending, peer, stored, caption, randomIds);
    const { text } = caption;
    const matches = (message: Api.Message, place: number, first: Api.Message | undefined): boolean =>
      message.message.trim() === (place === 0 ? text.trim() : '') &&
      carries(message, album[place] as OutgoingMedia) &&
      isInAlbumOf(message, first);
    return sendBatch(sending, { peer, randomIds, begunAt, request, matches }, signal);
  });
}

/**
 * The request that sends stored media as one album.
 * @param scheduleDate when Telegram sends it, in its seconds since 1970; undefined: now
 */
export function albumRequest(
  { book }: Sending,
  peer: KnownPeer,
  stored: readonly Api.TypeInputMedia[],
  { text, entities, replyTo, topic, silent }: OutgoingMessage,
  randomIds: readonly bigint[],
  scheduleDate?: number,
): Api.messages.SendMultiMedia {
  return new Api.messages.SendMultiMedia({
    peer: inputPeer(peer),
    multiMedia: stored.map(
      (media, place) =>
        new Api.InputSingleMedia({
          media,
          randomId: long(randomIds[place] as bigint),
          message: place === 0 ? text : '',
          // Stryker disable next-line ConditionalExpression,EqualityOperator: an empty list of entities is none
          ...(place === 0 && entities.length > 0 && { entities: messageEntities(entities, book) }),
        }),
    ),
    ...replyField({ replyTo, topic }),
    ...(silent === true && { silent }),
    ...(scheduleDate !== undefined && { scheduleDate }),
  });
}

/** @param first undefined if the message may be the first of its album */
function isInAlbumOf({ groupedId }: Api.Message, first: Api.Message | undefined): boolean {
  if (!groupedId) return false;
  return first === undefined || first.groupedId?.toString() === groupedId.toString();
}

/** Uploads a file and has Telegram store it without sending it: an album takes nothing else. */
export async function storeMedia(
  { call, upload }: Sending,
  peer: KnownPeer,
  media: OutgoingMedia,
  signal: LightAbortSignal,
): Promise<Api.TypeInputMedia> {
  const uploaded = await inputMedia(media, (file) => upload(file, signal));
  const request = new Api.messages.UploadMedia({ peer: inputPeer(peer), media: uploaded });
  const stored = await call(request, signal);
  if (stored instanceof Api.MessageMediaPhoto && stored.photo instanceof Api.Photo) {
    const { id, accessHash, fileReference } = stored.photo;
    return new Api.InputMediaPhoto({ id: new Api.InputPhoto({ id, accessHash, fileReference }) });
  }
  if (stored instanceof Api.MessageMediaDocument && stored.document instanceof Api.Document) {
    const { id, accessHash, fileReference } = stored.document;
    return new Api.InputMediaDocument({ id: new Api.InputDocument({ id, accessHash, fileReference }) });
  }
  throw new Error('telegram has stored a file of an album, and not said as what');
}
