import { type Static, type TObject, Type } from 'typebox';
import type { MediaSource } from '../../media/outgoing/media-source.ts';
import { shortText, url } from '../shared/fields.ts';
import { keywords } from '../shared/keywords.ts';

/** The interface's limit for bytes inside a request (MX1.11). */
const maxDataBytes = 10 * 1024 * 1024;

/** The fields of every media object that say where its bytes come from: exactly one of them (MX1.10). */
export const sourceFields = {
  url: Type.Optional(url),
  data: Type.Optional(Type.String(keywords({ base64Bytes: maxDataBytes }))),
  file: Type.Optional(shortText),
};

/** The keywords of an object with {@link sourceFields}. */
export const sourceKeywords = { exactlyOne: ['url', 'data', 'file'] } as const;

/** The picture of an account or chat, if it has to change. */
export const pictureField = Type.Optional(Type.Object(sourceFields, keywords(sourceKeywords)));

/** Limit of a body with media objects: their bytes in base64, and as much as other bodies have. */
export const mediaBodyLimit = Math.ceil(maxDataBytes / 3) * 4 + 256 * 1024;

/** The source of a valid media object. An empty text counts as missing. */
export function sourceOf({ url: from, data, file }: Static<TObject<typeof sourceFields>>): MediaSource {
  if (from) return { url: from };
  if (data) return { data };
  if (file) return { file };
  throw new Error('a media object was let through without its source');
}
