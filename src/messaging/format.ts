import type { FormattedText } from '../telegram/port/text.ts';
import type { MarkedText } from './content.ts';
import { parseHtml } from './html.ts';
import { parseMarkdown } from './markdown.ts';

/** The text as Telegram takes it: plain, with its markup as entities. */
export function format({ text, parseMode }: MarkedText): FormattedText {
  if (parseMode === 'markdown') return parseMarkdown(text);
  if (parseMode === 'html') return parseHtml(text);
  return { text, entities: [] };
}
