import { TelegramError } from '../telegram/port/errors.ts';
import type { FormattedText } from '../telegram/port/text.ts';
import type { MarkedText } from './content.ts';
import { format } from './formatting/format.ts';

/** Telegram's limit for texts, and for captions of premium accounts, in characters (`message_length_max`). */
const maxCharacters = 4_096;
/** With its markup: links and nested marks take many times the letters that are shown (MS6.3). */
const maxMarkedBytes = 64 * 1024;

/** What Telegram answers to a text that is too long for a request. */
interface TooLong {
  error: string;
  request: string;
}

export const longText: TooLong = { error: 'MESSAGE_TOO_LONG', request: 'messages.SendMessage' };
export const longCaption: TooLong = { error: 'MEDIA_CAPTION_TOO_LONG', request: 'messages.SendMedia' };
export const longAlbumCaption: TooLong = { error: 'MEDIA_CAPTION_TOO_LONG', request: 'messages.SendMultiMedia' };
export const longStoryCaption: TooLong = { error: 'MEDIA_CAPTION_TOO_LONG', request: 'stories.SendStory' };

/**
 * The text as Telegram takes it ({@link format}). A longer one than Telegram ever takes is refused as Telegram does it, and
 * without asking: formatting 256 KB of marks would hold up the whole process (MS6.3).
 * @throws {TelegramError}
 */
export function formatWithin(marked: MarkedText, { error, request }: TooLong): FormattedText {
  if (Buffer.byteLength(marked.text) > maxMarkedBytes) throw new TelegramError(400, error, request);
  const formatted = format(marked);
  if (charactersOf(formatted.text) > maxCharacters) throw new TelegramError(400, error, request);
  return formatted;
}

/** An emoji beyond the basic plane is one character, and has a length of two. */
const charactersOf = (text: string): number => (text.length > maxCharacters ? Array.from(text).length : text.length);
