import type { FormattedText } from '../../telegram/port/text.ts';
import { linkEntity } from './link-entity.ts';
import { assemble, type Style, type Token } from './markup.ts';

const styles: Record<string, Style> = {
  b: { type: 'bold' },
  strong: { type: 'bold' },
  i: { type: 'italic' },
  em: { type: 'italic' },
  u: { type: 'underline' },
  ins: { type: 'underline' },
  s: { type: 'strikethrough' },
  strike: { type: 'strikethrough' },
  del: { type: 'strikethrough' },
  code: { type: 'code' },
  pre: { type: 'pre', language: '' },
  'tg-spoiler': { type: 'spoiler' },
};

/** Tags that have a style only with an attribute. */
const tagsWithAttribute: ReadonlySet<string> = new Set(['a', 'span', 'tg-emoji']);

/** A block of code with its language, both tags at once; any tag; a character written as an entity. */
const markup =
  /<pre>\s*<code(?:\s+class\s*=\s*["']?language-([^\s"'<>]+)["']?\s*)?>|<\/code>\s*<\/pre>|<(\/?)([a-z][a-z\d-]*)(\s[^<>]*)?>|&(?:#(\d{1,7})|#x([\da-f]{1,6})|(lt|gt|amp|quot|apos|nbsp));/gi;
const named: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'", nbsp: '\u00a0' };
const hrefPattern = /\shref\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'<>]+))/i;
const expandablePattern = /\sexpandable(?=[\s=/]|$)/i;
const emojiPattern = /\semoji-id\s*=\s*["']?(\d{1,19})(?=["'\s/]|$)/i;
const spoilerPattern = /\sclass\s*=\s*["']?tg-spoiler["'\s]?/i;

/**
 * Telegram's HTML to text and entities: b, strong, i, em, u, ins, s, strike, del, code, pre (with
 * `<code class="language-…">` inside), a, blockquote, `<blockquote expandable>`, tg-spoiler, `<span class="tg-spoiler">`,
 * `<tg-emoji emoji-id="…">`, and characters written as entities. Tags nest. Other tags, and tags without a partner, stay as they are. A line feed is a line break.
 */
export function parseHtml(source: string): FormattedText {
  const tokens: Token[] = [];
  /** Open blocks that began with both tags: only these end with both closing tags. */
  let blocks = 0;
  let end = 0;
  for (const match of source.matchAll(markup)) {
    if (match.index > end) tokens.push({ kind: 'text', shown: source.slice(end, match.index) });
    end = match.index + match[0].length;
    const [whole, language, slash, tag, attributes] = match;
    if (tag !== undefined) {
      tokens.push(tagToken(whole, slash === '/', tag.toLowerCase(), attributes ?? ''));
    } else if (whole.startsWith('&')) {
      tokens.push({ kind: 'text', shown: characterOf(match) });
    } else if (whole.startsWith('</')) {
      if (blocks > 0) tokens.push({ kind: 'close', name: 'block', source: whole });
      else tokens.push(...closingTags(whole));
      blocks = Math.max(0, blocks - 1);
    } else {
      tokens.push({ kind: 'open', name: 'block', source: whole, style: { type: 'pre', language: language ?? '' } });
      blocks += 1;
    }
  }
  // Stryker disable next-line ConditionalExpression,EqualityOperator: an empty text behind the last mark is none
  if (end < source.length) tokens.push({ kind: 'text', shown: source.slice(end) });
  return assemble(tokens);
}

function tagToken(source: string, isClosing: boolean, tag: string, attributes: string): Token {
  const style = styles[tag] ?? attributeStyle(tag, attributes);
  if (isClosing && (style !== undefined || tagsWithAttribute.has(tag))) return { kind: 'close', name: tag, source };
  if (isClosing || style === undefined) return { kind: 'text', shown: source };
  return { kind: 'open', name: tag, source, style };
}

/** The style that a tag has by its attribute. A link without `href`, an emoji without its ID and any other span have none. */
function attributeStyle(tag: string, attributes: string): Style | undefined {
  if (tag === 'blockquote') return { type: expandablePattern.test(attributes) ? 'expandableBlockquote' : 'blockquote' };
  const id = tag === 'tg-emoji' ? emojiPattern.exec(attributes)?.[1] : undefined;
  if (id !== undefined) return { type: 'customEmoji', id };
  if (tag === 'span' && spoilerPattern.test(attributes)) return { type: 'spoiler' };
  if (tag !== 'a') return undefined;
  const [, double, single, bare] = hrefPattern.exec(attributes) ?? [];
  const url = double ?? single ?? bare ?? '';
  return url === '' ? undefined : linkEntity(url.replaceAll('&amp;', '&'));
}

/** `</code></pre>`, with any blanks between them, as two tags. */
function closingTags(source: string): Token[] {
  const [code = '', blanks = '', pre = ''] = source.split(/(?<=>)(\s*)(?=<)/);
  return [
    { kind: 'close', name: 'code', source: code },
    ...(blanks === '' ? [] : [{ kind: 'text', shown: blanks } as const]),
    { kind: 'close', name: 'pre', source: pre },
  ];
}

/** The character, or the entity as written if there is no such character. */
function characterOf([whole, , , , , decimal, hex, name]: RegExpExecArray): string {
  if (name !== undefined) return named[name.toLowerCase()] ?? whole;
  const point = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
  const isScalar = point > 0 && point <= 0x10ffff && !(point >= 0xd800 && point <= 0xdfff);
  return isScalar ? String.fromCodePoint(point) : whole;
}
