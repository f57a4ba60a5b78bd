import { describe, expect, it } from 'vitest';
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
