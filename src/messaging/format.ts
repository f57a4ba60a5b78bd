import type { FormattedText } from '../telegram/port/text.ts';
import type { MarkedText } from './content.ts';
import { parseHtml } from './html.ts';
import { parseMarkdown } from './markdown.ts';

/** The text as Telegram wants it: without its marks, and what they meant. */
export function format({ text, parseMode }: MarkedText): FormattedText {
  if (parseMode === 'markdown') return parseMarkdown(text);
  if (parseMode === 'html') return parseHtml(text);
  return { text, entities: [] };
}
