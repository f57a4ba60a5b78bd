import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseHtml } from '../../../../src/messaging/formatting/html.ts';
import { parseMarkdown } from '../../../../src/messaging/formatting/markdown.ts';

/** Nested styled text, to be written in either dialect. */
type Node = string | { style: 'bold' | 'italic' | 'strikethrough' | 'spoiler'; inner: Node[] };
const { tree } = fc.letrec<{ tree: Node[]; node: Node }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.stringMatching(/^[a-zé👍 ]{1,6}$/u),
    fc.record({
      style: fc.constantFrom('bold', 'italic', 'strikethrough', 'spoiler'),
      inner: tie('tree').map((inner) => ['x', ...inner]),
    }) as fc.Arbitrary<Node>,
  ),
  tree: fc.array(tie('node'), { maxLength: 4 }),
}));
const marks = { bold: '**', italic: '__', strikethrough: '~~', spoiler: '||' };
const tags = { bold: 'b', italic: 'i', strikethrough: 's', spoiler: 'tg-spoiler' };

const asText = (nodes: Node[]): string =>
  nodes.map((node) => (typeof node === 'string' ? node : asText(node.inner))).join('');
const asHtml = (nodes: Node[]): string =>
  nodes
    .map((node) =>
      typeof node === 'string' ? node : `<${tags[node.style]}>${asHtml(node.inner)}</${tags[node.style]}>`,
    )
    .join('');
/** Markdown's marks open and close alike: inside bold there is no bold. */
const asMarkdown = (nodes: Node[], open: readonly string[] = []): string =>
  nodes
    .map((node) => {
      if (typeof node === 'string') return node;
      const mark = open.includes(node.style) ? '' : marks[node.style];
      return mark + asMarkdown(node.inner, [...open, node.style]) + mark;
    })
    .join('');
const countStyled = (nodes: Node[]): number =>
  nodes.reduce((sum, node) => sum + (typeof node === 'string' ? 0 : 1 + countStyled(node.inner)), 0);

describe.each([
  ['markdown', parseMarkdown, asMarkdown],
  ['html', parseHtml, asHtml],
] as const)('any %s', (name, parse, write) => {
  const tagPieces = '<b> </b> <i> </i> <pre> </pre> <code> </code> <a_href="u"> </a> &lt; & < >'.split(' ');
  const pieces = fc.constantFrom(
    ...'** __ ~~ || ` ``` [ ]( ) a 👍 \ud83d'.split(' '),
    ...tagPieces.map((piece) => piece.replace('_', ' ')),
    '\n',
    ' ',
  );
  const anything = fc.oneof(
    fc.string(),
    fc.array(pieces, { minLength: 12, maxLength: 40, size: 'max' }).map((all) => all.join('')),
  );

  it('is read without an error, into entities inside the text, in order, that hold something', () => {
    let withEntities = 0;
    fc.assert(
      fc.property(anything, (source) => {
        const { text, entities } = parse(source);
        expect(text.length).toBeLessThanOrEqual(source.length);
        for (const [index, { offset, length }] of entities.entries()) {
          expect(length).toBeGreaterThan(0);
          expect(offset).toBeGreaterThanOrEqual(entities[index - 1]?.offset ?? 0);
          expect(offset + length).toBeLessThanOrEqual(text.length);
        }
        withEntities += entities.length > 0 ? 1 : 0;
      }),
      { numRuns: 2000, seed: 42 },
    );
    expect(withEntities).toBeGreaterThan(100);
  });

  it('has entities that never cross', () => {
    fc.assert(
      fc.property(anything, (source) => {
        const { entities } = parse(source);
        for (const a of entities) {
          for (const b of entities) {
            const crosses =
              a.offset < b.offset && b.offset < a.offset + a.length && a.offset + a.length < b.offset + b.length;
            expect(crosses).toBe(false);
          }
        }
      }),
      { numRuns: 1000, seed: 43 },
    );
  });

  it('gives back the text that was marked up', () => {
    fc.assert(
      fc.property(tree, (nodes) => {
        const { text, entities } = parse(write(nodes));
        // Two marks that touch read as four signs: only markdown has that, and only where nothing stands between.
        if (name === 'markdown' && /(\*\*|__|~~|\|\|)\1/.test(write(nodes))) return;
        expect(text).toBe(asText(nodes));
        if (name === 'html') expect(entities).toHaveLength(countStyled(nodes));
      }),
      { numRuns: 1000, seed: 44 },
    );
  });

  it('leaves text without markup as it is', () => {
    fc.assert(
      fc.property(
        fc.string().filter((text) => !/[*_~|`[\]<>&]/.test(text)),
        (text) => {
          expect(parse(text)).toEqual({ text, entities: [] });
        },
      ),
      { numRuns: 1000, seed: 45 },
    );
  });
});
