import type { FormattedText } from '../../telegram/port/text.ts';
import { linkEntity } from './link-entity.ts';
import { assemble, type Style, type Token } from './markup.ts';

/** The same mark opens and closes. It is the dialect of the message field of Telegram's apps. */
const marks: Record<string, Style> = {
  '**': { type: 'bold' },
  __: { type: 'italic' },
  '~~': { type: 'strikethrough' },
  '||': { type: 'spoiler' },
};

/** A block of code, code, a mark, the beginning of a link, its end. */
const markup = /```([\s\S]+?)```|`([^`\n]+)`|(\*\*|__|~~|\|\|)|(\[)|\]\(([^()\s]+(?:\([^()\s]*\)[^()\s]*)*)\)/g;
/** The first line of a block names its language if it is one word. */
const language = /^([\w+#-]+)\n(?=[\s\S])/;

/**
 * Markdown to text and entities: `**bold**`, `__italic__`, `~~struck~~`, `||spoiler||`, `` `code` ``,
 * ```` ```language⏎code``` ````, `[text](url)`, `[name](tg://user?id=1001)`. Marks nest; inside code nothing is markup.
 * There is no escape: a mark without a partner stays as it is.
 */
export function parseMarkdown(source: string): FormattedText {
  const tokens: Token[] = [];
  let end = 0;
  for (const match of source.matchAll(markup)) {
    if (match.index > end) tokens.push({ kind: 'text', shown: source.slice(end, match.index) });
    tokens.push(tokenOf(match));
    end = match.index + match[0].length;
  }
  // Stryker disable next-line ConditionalExpression,EqualityOperator: an empty text behind the last mark is none
  if (end < source.length) tokens.push({ kind: 'text', shown: source.slice(end) });
  return assemble(tokens);
}

function tokenOf([whole, block, code, mark, bracket, url]: RegExpExecArray): Token {
  if (block !== undefined) return blockToken(block);
  if (code !== undefined) return { kind: 'styled', shown: code, style: { type: 'code' } };
  if (mark !== undefined) return { kind: 'either', name: mark, source: whole, style: marks[mark] as Style };
  if (bracket !== undefined) return { kind: 'open', name: 'link', source: whole };
  return { kind: 'close', name: 'link', source: whole, style: linkEntity(url ?? '') };
}

function blockToken(block: string): Token {
  const named = language.exec(block)?.[1];
  const lines = named === undefined ? block.replace(/^\n/, '') : block.slice(named.length + 1);
  // The line feeds beside the fences belong to the fences. A block of nothing but line feeds keeps them.
  const shown = lines.replace(/\n$/, '') || block;
  return { kind: 'styled', shown, style: { type: 'pre', language: named ?? '' } };
}
