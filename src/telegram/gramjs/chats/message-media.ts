import { Api } from 'telegram/tl/index.js';
import type { MessageMedia } from '../../port/chat-message.ts';
import { pollMedia } from './poll-media.ts';

/** The media of a message; undefined for a plain text. A web page preview is no media. */
export function messageMedia(media: Api.TypeMessageMedia | undefined): MessageMedia | undefined {
  if (media === undefined || media === null) return undefined;
  if (media instanceof Api.MessageMediaEmpty || media instanceof Api.MessageMediaWebPage) return undefined;
  return knownMedia(media) ?? { kind: 'unsupported' };
}

/** Undefined for unsupported media, and for media that could be viewed once and is gone. */
function knownMedia(media: Api.TypeMessageMedia): MessageMedia | undefined {
  if (media instanceof Api.MessageMediaPhoto) {
    // https://core.telegram.org/api/files#image-thumbnail-types: photos are JPEG, in several sizes.
    return media.photo instanceof Api.Photo
      ? { kind: 'photo', mimetype: 'image/jpeg', hasThumbnail: hasPicture(media.photo.sizes) }
      : undefined;
  }
  if (media instanceof Api.MessageMediaDocument) {
    return media.document instanceof Api.Document ? documentMedia(media.document) : undefined;
  }
  if (media instanceof Api.MessageMediaPoll) return pollMedia(media);
  if (media instanceof Api.MessageMediaVenue) {
    const place = placeOf(media.geo);
    return place && { kind: 'venue', ...place, title: media.title, address: media.address };
  }
  if (media instanceof Api.MessageMediaGeo || media instanceof Api.MessageMediaGeoLive) {
    const place = placeOf(media.geo);
    return place && { kind: 'location', ...place };
  }
  if (media instanceof Api.MessageMediaContact) {
    return {
      kind: 'contact',
      phone: media.phoneNumber,
      name: [media.firstName, media.lastName].filter(Boolean).join(' '),
      userId: media.userId.isZero() ? '' : media.userId.toString(),
    };
  }
  return undefined;
}

/** A file is what its attributes say. Animated stickers and GIFs also have the attributes of a video. */
function documentMedia({ attributes, mimeType: mimetype, size, thumbs = [] }: Api.Document): MessageMedia {
  const file = {
    mimetype,
    name: attributeOf(attributes, Api.DocumentAttributeFilename)?.fileName ?? '',
    size: size.toJSNumber(),
  };
  const hasThumbnail = hasPicture(thumbs);
  if (attributeOf(attributes, Api.DocumentAttributeSticker) !== undefined) {
    return { kind: 'sticker', ...file, isAnimated: !mimetype.startsWith('image/'), hasThumbnail };
  }
  const video = attributeOf(attributes, Api.DocumentAttributeVideo);
  if (video !== undefined || attributeOf(attributes, Api.DocumentAttributeAnimated) !== undefined) {
    return { kind: 'video', ...file, duration: video?.duration ?? 0, hasThumbnail };
  }
  const audio = attributeOf(attributes, Api.DocumentAttributeAudio);
  if (audio !== undefined) return { kind: audio.voice ? 'voice' : 'audio', ...file, duration: audio.duration };
  return { kind: 'document', ...file };
}

function attributeOf<A extends Api.TypeDocumentAttribute>(
  attributes: readonly Api.TypeDocumentAttribute[],
  kind: new (...args: never[]) => A,
): A | undefined {
  return attributes.find((attribute): attribute is A => attribute instanceof kind);
}

/** A preview image, beyond the outline or the few blurred pixels inside the message. */
function hasPicture(sizes: readonly Api.TypePhotoSize[] | null): boolean {
  return (sizes ?? []).some(
    (size) =>
      size instanceof Api.PhotoSize || size instanceof Api.PhotoSizeProgressive || size instanceof Api.PhotoCachedSize,
  );
}

function placeOf(geo: Api.TypeGeoPoint): { latitude: number; longitude: number } | undefined {
  return geo instanceof Api.GeoPoint ? { latitude: geo.lat, longitude: geo.long } : undefined;
}
