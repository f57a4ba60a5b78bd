import { describe, expect, it } from 'vitest';
import { parseHtml } from '../../../../src/messaging/formatting/html.ts';
import type { FormattedText, TextEntity } from '../../../../src/telegram/port/text.ts';

const formatted = (text: string, ...entities: TextEntity[]): FormattedText => ({ text, entities });

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
