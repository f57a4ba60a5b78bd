import { Api } from 'telegram/tl/index.js';
import type { OutgoingMedia } from '../../port/outgoing.ts';

/** Telegram stores coordinates with fewer digits. */
const sameDegrees = 1e-4;

/** Whether a message may be the one sent with these media. */
export function carries({ media }: Api.Message, sent: OutgoingMedia): boolean {
  switch (sent.kind) {
    case 'photo':
      return media instanceof Api.MessageMediaPhoto;
    case 'video':
    case 'audio':
    case 'document':
    case 'sticker':
    case 'voice':
    case 'videoNote':
    case 'animation':
      return media instanceof Api.MessageMediaDocument && isFile(media.document, sent.file);
    case 'location':
      return media instanceof Api.MessageMediaGeo && isAt(media.geo, sent);
    case 'venue':
      return media instanceof Api.MessageMediaVenue && media.title === sent.title && isAt(media.geo, sent);
    case 'contact':
      return media instanceof Api.MessageMediaContact && digits(media.phoneNumber) === digits(sent.phone);
    case 'poll':
      return media instanceof Api.MessageMediaPoll && media.poll.question.text === sent.question.trim();
  }
}

function isFile(document: Api.TypeDocument | undefined, { name, size }: { name: string; size: number }): boolean {
  if (!(document instanceof Api.Document) || document.size.toString() !== String(size)) return false;
  return document.attributes.some(
    (attribute) => attribute instanceof Api.DocumentAttributeFilename && attribute.fileName === name,
  );
}

function isAt(geo: Api.TypeGeoPoint, { latitude, longitude }: { latitude: number; longitude: number }): boolean {
  // Stryker disable next-line ConditionalExpression: a point without numbers is near no place either
  if (!(geo instanceof Api.GeoPoint)) return false;
  return Math.abs(geo.lat - latitude) < sameDegrees && Math.abs(geo.long - longitude) < sameDegrees;
}

const digits = (phone: string): string => phone.replace(/\D/g, '');
