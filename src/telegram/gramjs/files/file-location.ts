import { Api } from 'telegram/tl/index.js';
import type { FileVariant } from '../../port/files.ts';

/** The location of a file and its properties. The location holds a reference that expires. */
export interface LocatedFile {
  /** See `RemoteFile`. */
  id: string;
  dc: number;
  location: Api.TypeInputFileLocation;
  size: number | undefined;
  mimetype: string | undefined;
  name: string;
}

/** Longer sides of previews in pixels, as the interface defines them. */
const imageThumbnail = 800;
const fileThumbnail = 320;

/** The file of a message or a story that a link refers to; undefined if it has none of that kind. */
export function fileIn({ media }: { media?: Api.TypeMessageMedia }, variant: FileVariant): LocatedFile | undefined {
  if (media instanceof Api.MessageMediaPhoto && media.photo instanceof Api.Photo) {
    if (variant !== 'photo' && variant !== 'thumb') return undefined;
    const sizes = picturesIn(media.photo.sizes);
    const size = variant === 'photo' ? largest(sizes) : nearest(sizes, imageThumbnail);
    return size && photoOf(media.photo, size);
  }
  if (media instanceof Api.MessageMediaDocument && media.document instanceof Api.Document) {
    if (variant === 'thumb') return thumbnailOf(media.document);
    if (variant !== 'file') return undefined;
    // A file that browsers cannot show is represented by its thumbnail.
    return isAnimatedSticker(media.document) ? thumbnailOf(media.document) : documentOf(media.document);
  }
  return undefined;
}

/** A size of a picture that can be downloaded: not the outline or the few blurred pixels inside the message. */
interface Picture {
  type: string;
  width: number;
  height: number;
  bytes: number;
}

function picturesIn(sizes: readonly Api.TypePhotoSize[] | null | undefined): Picture[] {
  return (sizes ?? []).flatMap((size) => {
    if (size instanceof Api.PhotoSize) return { ...sidesOf(size), bytes: size.size };
    if (size instanceof Api.PhotoCachedSize) return { ...sidesOf(size), bytes: size.bytes.length };
    // Each number is the end of a progressive pass over the picture.
    if (size instanceof Api.PhotoSizeProgressive) return { ...sidesOf(size), bytes: Math.max(...size.sizes) };
    return [];
  });
}

const sidesOf = ({ type, w, h }: { type: string; w: number; h: number }) => ({ type, width: w, height: h });

const largest = (pictures: readonly Picture[]): Picture | undefined =>
  pictures.toSorted((a, b) => b.width * b.height - a.width * a.height)[0];

function nearest(pictures: readonly Picture[], side: number): Picture | undefined {
  const distance = ({ width, height }: Picture): number => Math.abs(Math.max(width, height) - side);
  return pictures.toSorted((a, b) => distance(a) - distance(b))[0];
}

/** Telegram makes every size of a photo a JPEG (https://core.telegram.org/api/files#image-thumbnail-types). */
function photoOf({ id, accessHash, fileReference, dcId }: Api.Photo, { type, bytes }: Picture): LocatedFile {
  return {
    id: `p${id.toString()}_${type}`,
    dc: dcId,
    location: new Api.InputPhotoFileLocation({ id, accessHash, fileReference, thumbSize: type }),
    size: bytes,
    mimetype: 'image/jpeg',
    name: '',
  };
}

function documentOf({ id, accessHash, fileReference, dcId, size, mimeType, attributes }: Api.Document): LocatedFile {
  const named = attributes.find((attribute) => attribute instanceof Api.DocumentAttributeFilename);
  return {
    id: `d${id.toString()}`,
    dc: dcId,
    location: new Api.InputDocumentFileLocation({ id, accessHash, fileReference, thumbSize: '' }),
    size: size.toJSNumber(),
    mimetype: mimeType,
    name: named?.fileName ?? '',
  };
}

/** Usually JPEG for a video and WebP for a sticker; Telegram does not say. */
function thumbnailOf({ id, accessHash, fileReference, dcId, thumbs }: Api.Document): LocatedFile | undefined {
  const picture = nearest(picturesIn(thumbs), fileThumbnail);
  return (
    picture && {
      id: `d${id.toString()}_${picture.type}`,
      dc: dcId,
      location: new Api.InputDocumentFileLocation({ id, accessHash, fileReference, thumbSize: picture.type }),
      size: picture.bytes,
      mimetype: undefined,
      name: '',
    }
  );
}

const isAnimatedSticker = ({ attributes, mimeType }: Api.Document): boolean =>
  !mimeType.startsWith('image/') && attributes.some((attribute) => attribute instanceof Api.DocumentAttributeSticker);
