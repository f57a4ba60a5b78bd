import type { FormattedText, TextEntity } from '../../telegram/port/text.ts';
import type { MarkedText } from '../content.ts';
import { parseHtml } from './html.ts';
import { parseMarkdown } from './markdown.ts';

/** Telegram keeps this many formatting entities of a message (TDLib, `MessageEntity.cpp`: "server-side limit"). */
const maxEntities = 100;

/**
 * The text as Telegram takes it: plain, with its markup as entities. It is trimmed, since Telegram removes blanks at both
 * ends without moving the entities, and has the first 100 of its entities.
 */
export function format({ text, parseMode }: MarkedText): FormattedText {
  if (parseMode === 'markdown') return trimmed(parseMarkdown(text));
  if (parseMode === 'html') return trimmed(parseHtml(text));
  return { text: text.trim(), entities: [] };
}

function trimmed({ text: whole, entities }: FormattedText): FormattedText {
  const text = whole.trim();
  const removed = whole.length - whole.trimStart().length;
  const clip = (entity: TextEntity): TextEntity[] => {
    const start = Math.max(0, entity.offset - removed);
    const end = Math.min(text.length, entity.offset + entity.length - removed);
    return end > start ? [{ ...entity, offset: start, length: end - start }] : [];
  };
  return { text, entities: entities.flatMap(clip).slice(0, maxEntities) };
}
