import { Type } from 'typebox';
import { keywords } from './keywords.ts';

/** Characters of a text that is neither a message nor a URL: no more than an answer or a log line can carry. */
export const maxTextLength = 256;
const maxUrlLength = 2_048;

/** `type/subtype`, with or without parameters (RFC 9110, 8.3.1). */
const mimeTypePattern = String.raw`^[\w!#$&^.+\-]+/[\w!#$&^.+\-]+ *(;[\x20-\x7e]*)?$`;

export const url = Type.String({ maxLength: maxUrlLength, ...keywords({ httpUrl: true }) });
export const proxyUrl = Type.String({ maxLength: maxUrlLength, ...keywords({ proxyUrl: true, emptyCounts: true }) });
export const shortText = Type.String({ maxLength: maxTextLength });
export const filledText = Type.String({ maxLength: maxTextLength, ...keywords({ blankIsEmpty: true }) });
export const mimeType = Type.String({
  maxLength: maxTextLength,
  ...keywords({ pattern: mimeTypePattern, is: 'a mime type' }),
});
/** As people write it; Telegram takes any three digits and more. */
export const phoneNumber = Type.String({
  maxLength: maxTextLength,
  ...keywords({ pattern: String.raw`^(\D*\d){3}`, is: 'a phone number' }),
});
export const positive = Type.Number(keywords({ positive: true }));
