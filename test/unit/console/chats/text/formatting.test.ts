import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { movedEntities } from '../../../../../console/chats/text/moved-entities.ts';
import { textHtml } from '../../../../../console/chats/text/text-html.ts';
import { type Entity, type TextNode, textTree } from '../../../../../console/chats/text/text-tree.ts';
import { entityObject } from '../../../../../src/chats/entity-object.ts';
import { format } from '../../../../../src/messaging/formatting/format.ts';

/** What the console shows of formatting, and how an edit keeps it. */

const styles: Omit<Entity, 'offset' | 'length'>[] = [
  { type: 'bold' },
  { type: 'italic' },
  { type: 'underline' },
  { type: 'strikethrough' },
  { type: 'spoiler' },
  { type: 'code' },
  { type: 'pre', language: '' },
  { type: 'pre', language: 'c++' },
  { type: 'blockquote' },
  { type: 'expandable_blockquote' },
  { type: 'text_link', url: 'https://example.org/?a=1&b=2' },
  { type: 'text_mention', userId: '1001' },
  { type: 'custom_emoji', customEmojiId: '5368324170671202286' },
];
const bold = (offset: number, length: number): Entity => ({ type: 'bold', offset, length });
/** As the gateway reads it. */
const readBack = (html: string): { text: string; entities: Entity[] } => {
  const { text, entities } = format({ text: html, parseMode: 'html' });
  return { text, entities: entities.map(entityObject) };
};
/** Which styles each character has. */
const stylesOf = (text: string, entities: readonly Entity[]): string[] =>
  Array.from({ length: text.length }, (_, place) =>
    entities
      .filter(({ offset, length }) => offset <= place && place < offset + length)
      .map(({ offset: _offset, length: _length, ...style }) => JSON.stringify(style))
      .toSorted()
      .join(),
  );

describe('the HTML of a formatted text', () => {
  it.each(styles)('[CO6.6] is read back as it was: %j', (style) => {
    const text = 'a <b>&amp; "c" d';
    const entities = [{ ...style, offset: 2, length: 9 }];
    expect(readBack(textHtml(text, entities))).toEqual({ text, entities });
  });

  it('[CO6.6] is read back as it was, whatever is nested in what, or crosses it', () => {
    const piece = fc.record({
      style: fc.constantFrom(...styles.filter(({ type }) => type !== 'pre' && type !== 'code')),
      offset: fc.nat(9),
      length: fc.integer({ min: 1, max: 6 }),
    });
    fc.assert(
      fc.property(
        fc.stringMatching(/^[a&<>"'/;]{10,16}$/),
        fc.uniqueArray(piece, { selector: ({ style }) => style }),
        (text, pieces) => {
          const entities = pieces
            .map(({ style, offset, length }) => ({ ...style, offset, length: Math.min(length, text.length - offset) }))
            .toSorted((a, b) => a.offset - b.offset || b.length - a.length);
          const read = readBack(textHtml(text, entities));
          expect(read.text).toBe(text);
          expect(stylesOf(read.text, read.entities)).toEqual(stylesOf(text, entities));
        },
      ),
      { numRuns: 300 },
    );
  });

  it('[CO6.2] is a tree that has the whole text', () => {
    const wholeOf = (nodes: readonly TextNode[]): string =>
      nodes.map((node) => (typeof node === 'string' ? node : wholeOf(node.children))).join('');
    const nodes = textTree('one two three', [bold(0, 7), { type: 'italic', offset: 4, length: 9 }]);
    expect(wholeOf(nodes)).toBe('one two three');
    expect(nodes).toMatchObject([
      { entity: { type: 'bold' }, children: ['one ', { entity: { type: 'italic' }, children: ['two'] }] },
      { entity: { type: 'italic' }, children: [' three'] },
    ]);
  });
});

describe('the formatting of an edited text', () => {
  const text = 'The train leaves now';
  const entities = [bold(4, 5)];
  it.each([
    ['before it', 'Now the train leaves', undefined],
    ['behind it', 'The train leaves', [bold(4, 5)]],
    ['right before it', 'The last train leaves now', [bold(9, 5)]],
    ['right behind it', 'The train, leaves now', [bold(4, 5)]],
    ['inside it', 'The trafficn leaves now', [bold(4, 8)]],
    ['all of it', 'The bus leaves now', [bold(4, 3)]],
    ['its end and more', 'The tram goes now', [bold(4, 3)]],
    ['it, which is gone', 'The leaves now', []],
    ['everything', 'A', []],
  ])('[CO6.6] follows a change %s', (_place, after, expected) => {
    const moved = movedEntities(text, after, entities);
    if (expected !== undefined) expect(moved).toEqual(expected);
    for (const { offset, length } of moved) {
      expect(offset).toBeGreaterThanOrEqual(0);
      expect(offset + length).toBeLessThanOrEqual(after.length);
    }
  });
});
