import type { FormattedText, TextEntity } from '../../telegram/port/text.ts';
import { linkEntity } from './link-entity.ts';
import { assemble, type Style, type Token } from './markup.ts';

/** The same mark opens and closes. It is the dialect of the message field of Telegram's apps. */
const marks: Record<string, Style> = {
  '**': { type: 'bold' },
  __: { type: 'italic' },
  '~~': { type: 'strikethrough' },
  '||': { type: 'spoiler' },
};

/** A block of code, code, a custom emoji, a mark, the beginning of a link, its end. */
const markup =
  /```([\s\S]+?)```|`([^`\n]+)`|!\[([^[\]\n]+)\]\(tg:\/\/emoji\?id=(\d{1,19})\)|(\*\*|__|~~|\|\|)|(\[)|\]\(([^()\s]+(?:\([^()\s]*\)[^()\s]*)*)\)/g;
/** The first line of a block names its language if it is one word. */
const language = /^([\w+#-]+)\n(?=[\s\S])/;

/** A block of code, in which nothing is a quote; or lines that begin with `>`, the first one of an expandable quote with `**>`. */
const blocks = /```[\s\S]+?```|^(\*\*)?(>[^\n]*(?:\n>[^\n]*)*)/gm;

/**
 * Markdown to text and entities: `**bold**`, `__italic__`, `~~struck~~`, `||spoiler||`, `` `code` ``,
 * ```` ```language⏎code``` ````, `[text](url)`, `[name](tg://user?id=1001)`, `![👍](tg://emoji?id=5368324170671202286)`,
 * `> quote` (each line), `**> expandable quote` (its first line). Marks nest, but none begins inside a quote and ends
 * outside; inside code nothing is markup. There is no escape: a mark without a partner stays as it is.
 */
export function parseMarkdown(source: string): FormattedText {
  const parts: FormattedText[] = [];
  let end = 0;
  for (const match of source.matchAll(blocks)) {
    const [whole, expandable, quoted] = match;
    const quote = quoted === undefined ? undefined : parseQuote(quoted, expandable !== undefined);
    if (quote === undefined) continue;
    parts.push(parseMarks(source.slice(end, match.index)), quote);
    end = match.index + whole.length;
  }
  parts.push(parseMarks(source.slice(end)));
  return joined(parts);
}

/** @returns undefined for a quote of nothing */
function parseQuote(lines: string, isExpandable: boolean): FormattedText | undefined {
  const { text, entities } = parseMarks(withoutEndMark(lines.replaceAll(/^> ?/gm, ''), isExpandable));
  if (text.trim() === '') return undefined;
  const type = isExpandable ? 'expandableBlockquote' : 'blockquote';
  return { text, entities: [{ type, offset: 0, length: text.length }, ...entities] };
}

/** The Bot API ends an expandable quote with `||`: here it may. Marks of spoilers come in pairs. */
function withoutEndMark(quote: string, isExpandable: boolean): string {
  const isMarked = isExpandable && quote.endsWith('||') && quote.split('||').length % 2 === 0;
  return isMarked ? quote.slice(0, -2) : quote;
}

function joined(parts: readonly FormattedText[]): FormattedText {
  let text = '';
  const entities: TextEntity[] = [];
  for (const part of parts) {
    for (const entity of part.entities) entities.push({ ...entity, offset: entity.offset + text.length });
    text += part.text;
  }
  return { text, entities };
}

function parseMarks(source: string): FormattedText {
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

function tokenOf([whole, block, code, emoji, emojiId, mark, bracket, url]: RegExpExecArray): Token {
  if (block !== undefined) return blockToken(block);
  if (code !== undefined) return { kind: 'styled', shown: code, style: { type: 'code' } };
  if (emoji !== undefined) return { kind: 'styled', shown: emoji, style: { type: 'customEmoji', id: emojiId ?? '' } };
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
