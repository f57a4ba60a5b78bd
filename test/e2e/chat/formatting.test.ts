import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ReadMessages } from '../../../src/chats/chat-messages.ts';
import { ann, type Caller } from '../../support/e2e/scene.ts';
import { openUpdatesScene, type UpdatesScene } from '../../support/e2e/updates-scene.ts';

/** The formatting of messages, written by one account and read by another, in answers and in the record of the webhook. */

const cara = '1003';
let scene: UpdatesScene;
let reader: Caller;
let writer: Caller;
beforeAll(async () => {
  scene = await openUpdatesScene();
  reader = await scene.annWithWebhook();
  writer = await scene.connected(cara);
});
afterAll(() => scene.close());

const send = async (body: object): Promise<string> => {
  const answer = await scene.request(writer, 'POST', '/message', { user: ann, type: 'text', ...body });
  expect(answer.status).toBe(200);
  return String(answer.body['messageId']);
};
const newest = async (caller: Caller, chatId: string) =>
  (await scene.request<ReadMessages>(caller, 'GET', `/chat/message?chatId=${chatId}&limit=1`)).body.docs[0];

const html =
  '<b>a<i>b</i></b> <u>c</u> <s>d</s> <tg-spoiler>e</tg-spoiler> <code>f</code>\n<pre><code class="language-ts">g</code></pre>\n' +
  '<blockquote>h</blockquote>\n<blockquote expandable>i</blockquote>\n<a href="https://example.org/j">j</a> ' +
  '<a href="tg://user?id=1001">k</a> <tg-emoji emoji-id="5368324170671202286">👍</tg-emoji> https://example.org #tag';
const text = 'ab c d e f\ng\nh\ni\nj k 👍 https://example.org #tag';
const entities = [
  { type: 'bold', offset: 0, length: 2 },
  { type: 'italic', offset: 1, length: 1 },
  { type: 'underline', offset: 3, length: 1 },
  { type: 'strikethrough', offset: 5, length: 1 },
  { type: 'spoiler', offset: 7, length: 1 },
  { type: 'code', offset: 9, length: 1 },
  { type: 'pre', offset: 11, length: 1, language: 'ts' },
  { type: 'blockquote', offset: 13, length: 1 },
  { type: 'expandable_blockquote', offset: 15, length: 1 },
  { type: 'text_link', offset: 17, length: 1, url: 'https://example.org/j' },
  { type: 'text_mention', offset: 19, length: 1, userId: ann },
  { type: 'custom_emoji', offset: 21, length: 2, customEmojiId: '5368324170671202286' },
];

describe('formatting', () => {
  it('[CT2.6] is read as it was written, by both sides', async () => {
    const id = await send({ text: html, parseMode: 'html' });
    expect(await newest(writer, ann)).toMatchObject({ id, fromMe: true, text, entities });
    expect(await newest(reader, cara)).toMatchObject({ fromMe: false, text, entities });
  });

  it('[CT2.6] of a caption, and none', async () => {
    await send({ text: 'plain https://example.org' });
    expect(await newest(reader, cara)).toMatchObject({ text: 'plain https://example.org', entities: [] });
    const data = Buffer.from('a file').toString('base64');
    const document = { data, name: 'a.txt', mimetype: 'text/plain', size: 6 };
    await send({ type: 'document', document, text: '**see**', parseMode: 'markdown' });
    const entity = { type: 'bold', offset: 0, length: 3 };
    expect(await newest(reader, cara)).toMatchObject({ type: 'document', text: 'see', entities: [entity] });
  });

  it('[CT2.6] is recorded for the webhook', async () => {
    const before = (await scene.delivered(reader, 0)).length;
    const messageId = await send({ text: '__now__', parseMode: 'markdown' });
    await scene.request(writer, 'PATCH', '/message', {
      user: ann,
      messageId,
      text: '**then**',
      parseMode: 'markdown',
    });
    const recorded = (await scene.delivered(reader, before + 2)).slice(-2);
    expect(recorded.map(({ type, content }) => ({ type, ...content.message }))).toMatchObject([
      { type: 'MessageReceived', text: 'now', entities: [{ type: 'italic', offset: 0, length: 3 }] },
      { type: 'MessageEdited', text: 'then', entities: [{ type: 'bold', offset: 0, length: 4 }] },
    ]);
  });
});
