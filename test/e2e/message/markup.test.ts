import { describe, expect, it } from 'vitest';
import { reachable, useFiles } from '../../support/e2e/file-server.ts';
import { ann, bob } from '../../support/e2e/scene.ts';
import { useWriting } from '../../support/e2e/writing-scene.ts';
import { noise } from '../../support/telegram/outgoing-files.ts';

/** All markup that Telegram has, in both languages, as the other side's phone shows it. */

const files = useFiles();
const { seen, send } = useWriting(reachable);

const emoji = '5368324170671202286';
const entities = [
  { _: 'messageEntitySpoiler', offset: 0, length: 6 },
  { _: 'messageEntityCustomEmoji', offset: 7, length: 2, document_id: emoji },
  { _: 'messageEntityBlockquote', offset: 10, length: 9, collapsed: false },
  { _: 'messageEntityBold', offset: 16, length: 3 },
  { _: 'messageEntityBlockquote', offset: 20, length: 9, collapsed: true },
  { _: 'messageEntityPre', offset: 30, length: 6, language: 'ts' },
];
const text = 'hidden 👍\nquote\ntwo\nlong\nmore\nlet a;';
const written: [markup: 'markdown' | 'html', source: string][] = [
  [
    'markdown',
    `||hidden|| ![👍](tg://emoji?id=${emoji})\n> quote\n> **two**\n**> long\n> more\n\`\`\`ts\nlet a;\n\`\`\``,
  ],
  [
    'html',
    `<tg-spoiler>hidden</tg-spoiler> <tg-emoji emoji-id="${emoji}">👍</tg-emoji>\n<blockquote>quote\n<b>two</b></blockquote>\n` +
      '<blockquote expandable>long\nmore</blockquote>\n<pre><code class="language-ts">let a;</code></pre>',
  ],
];

describe.each(written)('%s', (parseMode, source) => {
  const isFirst = parseMode === 'markdown' ? '[MX3.1]' : '[MX3.2]';

  it(`${isFirst} a text has spoiler, custom emoji, quote, expandable quote, code with a language`, async () => {
    expect(await send({ user: bob, text: source, parseMode })).toMatchObject({ status: 200 });
    const [message] = await seen(ann, bob, 1);
    expect(message).toMatchObject({ text, entities });
    expect(message?.entities).toHaveLength(entities.length);
  });

  it(`${isFirst} so has a caption`, async () => {
    const document = { url: files.serve(noise(90)), name: 'a.bin', size: 90, mimetype: 'application/octet-stream' };
    const body = { user: bob, type: 'document', document, text: source, parseMode };
    expect(await send(body)).toMatchObject({ status: 200 });
    expect(await seen(ann, bob, 1)).toMatchObject([{ text, entities, media: { kind: 'document' } }]);
  });
});
