import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseHtml } from '../../../../src/messaging/formatting/html.ts';
import { parseMarkdown } from '../../../../src/messaging/formatting/markdown.ts';
import type { FormattedText, TextEntity } from '../../../../src/telegram/port/text.ts';

const formatted = (text: string, ...entities: TextEntity[]): FormattedText => ({ text, entities });

describe('markdown', () => {
  const cases: [string, FormattedText][] = [
    ['plain * _ ~ | [ ] ( ) text', formatted('plain * _ ~ | [ ] ( ) text')],
    ['a **b** c', formatted('a b c', { type: 'bold', offset: 2, length: 1 })],
    ['__i__', formatted('i', { type: 'italic', offset: 0, length: 1 })],
    ['~~s~~', formatted('s', { type: 'strikethrough', offset: 0, length: 1 })],
    ['||p||', formatted('p', { type: 'spoiler', offset: 0, length: 1 })],
    ['`**a** < b`', formatted('**a** < b', { type: 'code', offset: 0, length: 9 })],
    ['```js\nlet a;\n```', formatted('let a;', { type: 'pre', language: 'js', offset: 0, length: 6 })],
    ['```\nlet a;\n```', formatted('let a;', { type: 'pre', language: '', offset: 0, length: 6 })],
    ['```a b```', formatted('a b', { type: 'pre', language: '', offset: 0, length: 3 })],
    [
      '[site](https://x.example/a_b)',
      formatted('site', { type: 'link', url: 'https://x.example/a_b', offset: 0, length: 4 }),
    ],
    [
      '[w](https://x.example/a_(b))',
      formatted('w', { type: 'link', url: 'https://x.example/a_(b)', offset: 0, length: 1 }),
    ],
    ['[Ann](tg://user?id=1001)', formatted('Ann', { type: 'mention', userId: '1001', offset: 0, length: 3 })],
    [
      '**a __b__ c**',
      formatted('a b c', { type: 'bold', offset: 0, length: 5 }, { type: 'italic', offset: 2, length: 1 }),
    ],
    [
      '[**b**](http://x.example)',
      formatted(
        'b',
        { type: 'bold', offset: 0, length: 1 },
        { type: 'link', url: 'http://x.example', offset: 0, length: 1 },
      ),
    ],
    ['👍 **é👍**', formatted('👍 é👍', { type: 'bold', offset: 3, length: 3 })],
    // what does not add up stays
    ['**a', formatted('**a')],
    ['a** b', formatted('a** b')],
    ['****', formatted('****')],
    ['a****', formatted('a****')],
    ['**a __b** c__', formatted('a __b c__', { type: 'bold', offset: 0, length: 5 })],
    ['[a] (b)', formatted('[a] (b)')],
    ['[](http://x.example)', formatted('[](http://x.example)')],
    ['a](b)', formatted('a](b)')],
    ['`a', formatted('`a')],
    ['```a', formatted('```a')],
    ['snake_case 2*3*4', formatted('snake_case 2*3*4')],
    ['[a](x tg://user?id=1)', formatted('[a](x tg://user?id=1)')],
    ['[a](xtg://user?id=1)', formatted('a', { type: 'link', url: 'xtg://user?id=1', offset: 0, length: 1 })],
    ['[a](tg://user?id=1&x)', formatted('a', { type: 'link', url: 'tg://user?id=1&x', offset: 0, length: 1 })],
    ['[**a](b) c**', formatted('**a c**', { type: 'link', url: 'b', offset: 0, length: 3 })],
  ];
  it.each(cases)('%j', (source, expected) => {
    expect(parseMarkdown(source)).toEqual(expected);
  });
});

describe('markdown of quotes and emoji', () => {
  const quote = (offset: number, length: number): TextEntity => ({ type: 'blockquote', offset, length });
  const expandable = (offset: number, length: number): TextEntity => ({ type: 'expandableBlockquote', offset, length });
  it.each<[string, FormattedText]>([
    ['> a', formatted('a', quote(0, 1))],
    ['>a\n>  b\nc', formatted('a\n b\nc', quote(0, 4))],
    ['x\n> a\n\n> b', formatted('x\na\n\nb', quote(2, 1), quote(5, 1))],
    ['**> a\n> b\nc', formatted('a\nb\nc', expandable(0, 3))],
    ['**> a\n> b||', formatted('a\nb', expandable(0, 3))],
    ['**> ||a||', formatted('a', expandable(0, 1), { type: 'spoiler', offset: 0, length: 1 })],
    ['**> ||a||||', formatted('a', expandable(0, 1), { type: 'spoiler', offset: 0, length: 1 })],
    ['> a||', formatted('a||', quote(0, 3))],
    ['👍\n> **b** c', formatted('👍\nb c', quote(3, 3), { type: 'bold', offset: 3, length: 1 })],
    [
      '> ```js\n> let a;\n> ```',
      formatted('let a;', quote(0, 6), { type: 'pre', language: 'js', offset: 0, length: 6 }),
    ],
    [
      '![👍](tg://emoji?id=5368324170671202286)',
      formatted('👍', { type: 'customEmoji', id: '5368324170671202286', offset: 0, length: 2 }),
    ],
    [
      '> ![👍](tg://emoji?id=5)!',
      formatted('👍!', quote(0, 3), { type: 'customEmoji', id: '5', offset: 0, length: 2 }),
    ],
    ['||a||', formatted('a', { type: 'spoiler', offset: 0, length: 1 })],
    ['```c++\nx\n```', formatted('x', { type: 'pre', language: 'c++', offset: 0, length: 1 })],
    // what does not add up stays
    ['>', formatted('>')],
    ['>\n> ', formatted('>\n> ')],
    ['a > b', formatted('a > b')],
    ['a\n  > b', formatted('a\n  > b')],
    ['```\n> a\n```', formatted('> a', { type: 'pre', language: '', offset: 0, length: 3 })],
    ['**a\n> b**', formatted('**a\nb**', quote(4, 3))],
    ['![a](http://x.example)', formatted('!a', { type: 'link', url: 'http://x.example', offset: 1, length: 1 })],
    ['![](tg://emoji?id=5)', formatted('![](tg://emoji?id=5)')],
  ])('[MX3.1] %j', (source, expected) => {
    expect(parseMarkdown(source)).toEqual(expected);
  });
});

describe('html of quotes and emoji', () => {
  it.each<[string, FormattedText]>([
    ['<blockquote expandable>q</blockquote>', formatted('q', { type: 'expandableBlockquote', offset: 0, length: 1 })],
    [
      '<blockquote EXPANDABLE="">q</blockquote>',
      formatted('q', { type: 'expandableBlockquote', offset: 0, length: 1 }),
    ],
    ['<blockquote cite="x">q</blockquote>', formatted('q', { type: 'blockquote', offset: 0, length: 1 })],
    ['<blockquote data-expandable>q</blockquote>', formatted('q', { type: 'blockquote', offset: 0, length: 1 })],
    ['<blockquote expandables>q</blockquote>', formatted('q', { type: 'blockquote', offset: 0, length: 1 })],
    ...['"5368324170671202286"', "'5368324170671202286'", '5368324170671202286'].map((id): [string, FormattedText] => [
      `a <tg-emoji emoji-id=${id}>👍</tg-emoji>`,
      formatted('a 👍', { type: 'customEmoji', id: '5368324170671202286', offset: 2, length: 2 }),
    ]),
    [
      '<tg-spoiler>a<b>b</b></tg-spoiler>',
      formatted('ab', { type: 'spoiler', offset: 0, length: 2 }, { type: 'bold', offset: 1, length: 1 }),
    ],
    [
      '<pre><code class="language-rust">x</code></pre>',
      formatted('x', { type: 'pre', language: 'rust', offset: 0, length: 1 }),
    ],
    // what does not add up stays
    ['<tg-emoji>👍</tg-emoji>', formatted('<tg-emoji>👍</tg-emoji>')],
    ['<tg-emoji emoji-id="5x">👍</tg-emoji>', formatted('<tg-emoji emoji-id="5x">👍</tg-emoji>')],
    ['<i emoji-id="5">a</i>', formatted('a', { type: 'italic', offset: 0, length: 1 })],
  ])('[MX3.2] %j', (source, expected) => {
    expect(parseHtml(source)).toEqual(expected);
  });
});

describe('html', () => {
  const cases: [string, FormattedText][] = [
    ['plain & text', formatted('plain & text')],
    ...(['b', 'strong'] as const).map((tag): [string, FormattedText] => [
      `<${tag}>x</${tag}>`,
      formatted('x', { type: 'bold', offset: 0, length: 1 }),
    ]),
    ...(['i', 'em'] as const).map((tag): [string, FormattedText] => [
      `<${tag}>x</${tag}>`,
      formatted('x', { type: 'italic', offset: 0, length: 1 }),
    ]),
    ...(['u', 'ins'] as const).map((tag): [string, FormattedText] => [
      `<${tag}>x</${tag}>`,
      formatted('x', { type: 'underline', offset: 0, length: 1 }),
    ]),
    ...(['s', 'strike', 'del'] as const).map((tag): [string, FormattedText] => [
      `<${tag}>x</${tag}>`,
      formatted('x', { type: 'strikethrough', offset: 0, length: 1 }),
    ]),
    ['<B>x</b >', formatted('x', { type: 'bold', offset: 0, length: 1 })],
    ['<code>x</code>', formatted('x', { type: 'code', offset: 0, length: 1 })],
    ['<pre>x\ny</pre>', formatted('x\ny', { type: 'pre', language: '', offset: 0, length: 3 })],
    [
      '<pre><code class="language-c++">x &lt; y</code></pre>',
      formatted('x < y', { type: 'pre', language: 'c++', offset: 0, length: 5 }),
    ],
    ['<pre><code>x</code></pre>', formatted('x', { type: 'pre', language: '', offset: 0, length: 1 })],
    ['<blockquote>q</blockquote>', formatted('q', { type: 'blockquote', offset: 0, length: 1 })],
    ['<tg-spoiler>q</tg-spoiler>', formatted('q', { type: 'spoiler', offset: 0, length: 1 })],
    ['<span class="tg-spoiler">q</span>', formatted('q', { type: 'spoiler', offset: 0, length: 1 })],
    [
      '<a href="http://x.example/?a=1&amp;b=2">l</a>',
      formatted('l', { type: 'link', url: 'http://x.example/?a=1&b=2', offset: 0, length: 1 }),
    ],
    [
      "<a href='http://x.example'>l</a>",
      formatted('l', { type: 'link', url: 'http://x.example', offset: 0, length: 1 }),
    ],
    [
      '<a href="tg://user?id=1001">Ann</a>',
      formatted('Ann', { type: 'mention', userId: '1001', offset: 0, length: 3 }),
    ],
    ['&lt;b&gt; &amp;amp; &quot;&#39;&#x1F44D;', formatted('<b> &amp; "\'👍')],
    ['👍<b>é</b>', formatted('👍é', { type: 'bold', offset: 2, length: 1 })],
    [
      '<b>a<i>b</i></b>',
      formatted('ab', { type: 'bold', offset: 0, length: 2 }, { type: 'italic', offset: 1, length: 1 }),
    ],
    [
      '<b>a<b>b</b></b>',
      formatted('ab', { type: 'bold', offset: 0, length: 2 }, { type: 'bold', offset: 1, length: 1 }),
    ],
    // what does not add up stays
    ['<b>a', formatted('<b>a')],
    ['a</b>', formatted('a</b>')],
    ['<b>a<i>b</b>c</i>', formatted('a<i>bc</i>', { type: 'bold', offset: 0, length: 5 })],
    ['<h1>x</h1> <br> <a>x</a> <span>x</span>', formatted('<h1>x</h1> <br> <a>x</a> <span>x</span>')],
    ['<u></u>', formatted('<u></u>')],
    ['a < b > c <3', formatted('a < b > c <3')],
    ['&nope; &#0; &#xD800; &#9999999;', formatted('&nope; &#0; &#xD800; &#9999999;')],
    ['&#xDFFF; &#x10FFFF; &#x110000; &#xE000; &#xD7FF;', formatted('&#xDFFF; \u{10ffff} &#x110000; \ue000 \ud7ff')],
    ['<i class="tg-spoiler">x</i>', formatted('x', { type: 'italic', offset: 0, length: 1 })],
    ['<q class="tg-spoiler">x</q>', formatted('<q class="tg-spoiler">x</q>')],
    ['<code>a</code></pre>', formatted('a</pre>', { type: 'code', offset: 0, length: 1 })],
    [
      '<pre>a<code>b</code> \n</pre>',
      formatted('ab \n', { type: 'pre', language: '', offset: 0, length: 4 }, { type: 'code', offset: 1, length: 1 }),
    ],
    [
      '<i><b>a</b></i>',
      formatted('a', { type: 'bold', offset: 0, length: 1 }, { type: 'italic', offset: 0, length: 1 }),
    ],
    [
      '<pre>a<code>b</code></pre>',
      formatted('ab', { type: 'pre', language: '', offset: 0, length: 2 }, { type: 'code', offset: 1, length: 1 }),
    ],
  ];
  it.each(cases)('%j', (source, expected) => {
    expect(parseHtml(source)).toEqual(expected);
  });
});

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
