import { Api } from 'telegram/tl/index.js';
import type { LightAbortSignal } from '../../../../actors/kit/light-abort.ts';
import { TelegramError } from '../../port/errors.ts';
import type { BeginSend, OutgoingMedia } from '../../port/outgoing.ts';
import type { Peer } from '../../port/peer.ts';
import type { OutgoingMessage } from '../../port/text.ts';
import { knownPeer } from '../peers/known-peer.ts';
import { inputMedia } from './input-media.ts';
import { messageFields, sendWithRandomId } from './send-once.ts';
import type { Sending } from './sending.ts';

/** Telegram lost parts of the uploaded file, or all of it (https://core.telegram.org/api/files#uploading-files). */
const partMissing = /^FILE_PART(?:_(?:\d+_)?MISSING|S_INVALID)$/;

/**
 * Sends one message with media, once. The send begins when its files are at Telegram; an earlier failure is no send. A
 * file that Telegram lost meanwhile is uploaded again, with the same random ID.
 * @returns its message ID
 * @throws {TelegramError} {@link NotConnectedError} reading the file failed
 */
export async function sendMedia(
  sending: Sending,
  to: Peer,
  media: OutgoingMedia,
  caption: OutgoingMessage,
  begin: BeginSend,
  signal: LightAbortSignal,
): Promise<number> {
  const peer = knownPeer(sending.book, to);
  const send = async (): Promise<number> => {
    const uploaded = await inputMedia(media, (file) => sending.upload(file, signal));
    const mark = await begin();
    const request = new Api.messages.SendMedia({
      ...messageFields(sending, peer, { ...caption, ...mark }),
      media: uploaded,
    });
    const matches = (candidate: Api.Message): boolean =>
      candidate.message.trim() === caption.text.trim() && carries(candidate, media);
    return sendWithRandomId(sending, { ...mark, peer, request, matches }, signal);
  };
  try {
    return await send();
  } catch (error) {
    if (!(error instanceof TelegramError && partMissing.test(error.errorName))) throw error;
    return send();
  }
}

/** Telegram stores coordinates with fewer digits. */
const sameDegrees = 1e-4;

/** Whether a message may be the one sent with these media. */
function carries({ media }: Api.Message, sent: OutgoingMedia): boolean {
  switch (sent.kind) {
    case 'photo':
      return media instanceof Api.MessageMediaPhoto;
    case 'video':
    case 'audio':
    case 'document':
      return media instanceof Api.MessageMediaDocument && isFile(media.document, sent.file);
    case 'location':
      return media instanceof Api.MessageMediaGeo && isAt(media.geo, sent);
    case 'venue':
      return media instanceof Api.MessageMediaVenue && media.title === sent.title && isAt(media.geo, sent);
    case 'contact':
      return media instanceof Api.MessageMediaContact && digits(media.phoneNumber) === digits(sent.phone);
  }
}

function isFile(document: Api.TypeDocument | undefined, { name, size }: { name: string; size: number }): boolean {
  if (!(document instanceof Api.Document) || document.size.toString() !== String(size)) return false;
  return document.attributes.some(
    (attribute) => attribute instanceof Api.DocumentAttributeFilename && attribute.fileName === name,
  );
}

function isAt(geo: Api.TypeGeoPoint, { latitude, longitude }: { latitude: number; longitude: number }): boolean {
  if (!(geo instanceof Api.GeoPoint)) return false;
  return Math.abs(geo.lat - latitude) < sameDegrees && Math.abs(geo.long - longitude) < sameDegrees;
}

const digits = (phone: string): string => phone.replace(/\D/g, '');
