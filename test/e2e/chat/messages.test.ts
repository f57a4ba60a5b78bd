import { describe, expect, it } from 'vitest';
import type { ReadMessage, ReadMessages } from '../../../src/chats/chat-messages.ts';
import { useReading } from '../../support/e2e/reading-scene.ts';
import { ann, bob } from '../../support/e2e/scene.ts';
import { refused } from '../../support/e2e/writing-scene.ts';

/** `GET /chat/message` and `GET /chat/search` against the seeded world. */

const reading = useReading();
const { get } = reading;

const control = <T>(method: string, url: string, body?: object): Promise<T> =>
  reading.scene.sandbox.call(method, url, body);
const write = (from: string, peer: string, content: object): Promise<unknown> =>
  control('POST', `/accounts/${from}/messages`, { peer, ...content });
const messages = async (query: string, path = '/chat/message'): Promise<ReadMessages> => {
  const { status, body } = await get<ReadMessages>(`${path}?${query}`);
  expect(status).toBe(200);
  return body;
};
/** Bob writes to Ann; the ID that the message has for her. */
const bobWrites = async (content: object): Promise<string> => {
  await write(bob, ann, content);
  const { docs } = await messages(`chatId=${bob}&limit=1`);
  return docs[0]?.id ?? '';
};
const textsOf = ({ docs }: ReadMessages): string[] => docs.map(({ text }) => text);

describe('GET /chat/message', () => {
  it('[CT2.1] [CT2.2] of a private chat: both sides, replies and edits', async () => {
    const asked = await bobWrites({ text: 'When?' });
    await write(ann, bob, { text: 'At 8', replyTo: Number(asked) });
    const [newest] = await control<{ id: number }[]>('GET', `/accounts/${bob}/messages?peer=${ann}&limit=2`);
    await control('PATCH', `/accounts/${bob}/messages/${ann}/${(newest?.id ?? 0) - 1}`, { text: 'When, please?' });
    const { docs } = await messages(`chatId=${bob}&limit=2`);
    const user = { id: bob, name: 'Bob Stone', username: 'bobstone', phone: '15550000002' };
    const none = { topic: '', reactions: [], buttons: [] };
    expect(docs).toMatchObject([
      { chatId: bob, fromMe: true, user, text: 'At 8', replyTo: asked, edited: '', ...none },
      { id: asked, chatId: bob, fromMe: false, user, text: 'When, please?', replyTo: '', ...none },
    ]);
    expect(docs[1]?.edited).toMatch(/^\d{4}-.*Z$/);
  });

  it('[CT2.2] of a group each has its author, of a channel the channel is', async () => {
    await write(bob, '-2001', { text: 'from Bob' });
    const group = await messages('chatId=-2001&limit=1');
    expect(group.docs).toMatchObject([{ text: 'from Bob', fromMe: false, user: { id: bob, name: 'Bob Stone' } }]);
    const channel = await messages('chatId=-1004001&limit=1');
    expect(channel.docs[0]?.user).toMatchObject({ id: '-1004001', name: 'Daily', username: 'daily' });
  });

  it('[CT2.1] page after page, each once, without service messages', async () => {
    const seen: ReadMessage[] = [];
    let before: string | undefined = '';
    do {
      const found: ReadMessages = await messages(`chatId=-1004001&limit=37&before=${before}`);
      seen.push(...found.docs);
      ({ before } = found);
    } while (before !== '');
    const ids = seen.map(({ id }) => Number(id));
    expect(ids).toEqual([...new Set(ids)].toSorted((one, other) => other - one));
    const channel = await get<{ docs: { id: string }[]; before: number }>('/channel/message?channelId=-1004001');
    expect(seen.slice(0, channel.body.docs.length).map(({ id }) => id)).toEqual(channel.body.docs.map(({ id }) => id));
  });

  it('[CT2.1] media have links that bring their bytes', async () => {
    const id = await bobWrites({ media: { kind: 'voice' } });
    const { body } = await get<ReadMessage>(`/chat/message/${id}?chatId=${bob}`);
    expect(body).toMatchObject({ type: 'voice', voice: { mimetype: 'audio/ogg' } });
    const { status, headers } = await fetch(body.voice?.url ?? '');
    expect([status, headers.get('content-type')]).toEqual([200, 'audio/ogg']);
  });

  it('[CT2.1] one that the chat does not have is not found', async () => {
    const id = await bobWrites({ text: 'here' });
    expect(await get(`/chat/message/${id}?chatId=${bob}`)).toMatchObject({ status: 200, body: { text: 'here' } });
    for (const [wrong, chatId] of [
      [id, '1003'],
      ['2000000000', bob],
      ['99999999999999', bob],
      ['2000000000', '-1003004'],
    ]) {
      expect(await get(`/chat/message/${wrong}?chatId=${chatId}`)).toMatchObject(refused(400, 'message not found'));
    }
  });

  it.each([
    ['/chat/message', 'chatId must be a string\nchatId should not be empty'],
    [`/chat/message?chatId=${bob}&before=x`, 'before must be a number'],
    [`/chat/message?chatId=${bob}&limit=200`, 'limit must be between 1 and 100'],
    [`/chat/search?chatId=${bob}`, 'q must be a string\nq should not be empty'],
  ])('[ER2.1] refuses %s', async (path, message) => {
    expect(await get(path)).toMatchObject(refused(400, message));
  });
});

describe('GET /chat/search', () => {
  it('[CT2.3] finds what has the words, in that chat alone, page after page', async () => {
    for (const text of ['apples and pears', 'only pears', 'Apples again']) await write(bob, ann, { text });
    await write('1003', ann, { text: 'apples of Cara' });
    const first = await messages(`chatId=${bob}&q=apples&limit=1`, '/chat/search');
    expect(textsOf(first)).toEqual(['Apples again']);
    const second = await messages(`chatId=${bob}&q=apples&limit=1&before=${first.before}`, '/chat/search');
    expect(textsOf(second)).toEqual(['apples and pears']);
    expect(textsOf(await messages(`chatId=${bob}&q=nowhere`, '/chat/search'))).toEqual([]);
  });
});
