import { beforeAll, describe, expect, it } from 'vitest';
import type { ReadMessages } from '../../../src/chats/chat-messages.ts';
import type { TopicListPage } from '../../../src/chats/topics.ts';
import { useReading } from '../../support/e2e/reading-scene.ts';
import { ann, bob } from '../../support/e2e/scene.ts';
import { refused } from '../../support/e2e/writing-scene.ts';
import { type Forum, makeForum } from '../../support/sandbox/forum.ts';

/** The topics of a forum, and messages in them. */

const reading = useReading();
const { get } = reading;

let forum: Forum;
beforeAll(async () => {
  forum = await makeForum(reading.scene);
});

const send = (body: object) => reading.scene.request(reading.caller, 'POST', '/message', { type: 'text', ...body });
const page = async (query = ''): Promise<TopicListPage> => {
  const { status, body } = await get<TopicListPage>(`/group/${forum.id}/topic${query}`);
  expect(status).toBe(200);
  return body;
};
const texts = async (query: string, path = '/chat/message'): Promise<string[]> => {
  const { status, body } = await get<ReadMessages>(`${path}?chatId=${forum.id}&${query}`);
  expect(status).toBe(200);
  return body.docs.map(({ text }) => text);
};
/** What the sandbox was asked last by a method. */
const lastCall = async (method: string): Promise<Record<string, unknown>> => {
  const calls = await reading.scene.sandbox.call<{ params: Record<string, unknown> }[]>(
    'GET',
    `/calls?method=${method}`,
  );
  return calls.at(-1)?.params ?? {};
};

describe('GET /group/{groupId}/topic', () => {
  it('[CT1.4] all of them, General too, the one written in last first, page after page', async () => {
    const [first = 0, second = 0] = forum.topics;
    await send({ group: forum.id, topic: String(second), text: 'to the second' });
    const whole = await page();
    expect(whole.docs).toHaveLength(6);
    expect(whole.after).toBe('');
    expect(whole.docs[0]).toMatchObject({
      id: String(second),
      name: 'Topic 2',
      unread: 0,
      pinned: false,
      closed: false,
      last: { chatId: forum.id, topic: String(second), text: 'to the second', fromMe: true },
    });
    const ids = whole.docs.map(({ id }) => id);
    expect(ids).toEqual(expect.arrayContaining(['1', String(first)]));
    for (const limit of [1, 4]) {
      const paged: string[] = [];
      let after = '';
      do {
        const found = await page(`?limit=${limit}${after && `&after=${after}`}`);
        paged.push(...found.docs.map(({ id }) => id));
        ({ after } = found);
      } while (after !== '');
      expect(paged).toEqual(ids);
    }
  });

  it.each([
    ['-1003001', refused(500, '400: CHANNEL_FORUM_MISSING (caused by channels.GetForumTopics)')],
    ['-2001', refused(500, '400: CHANNEL_FORUM_MISSING (caused by channels.GetForumTopics)')],
    ['-1004001', refused(400, 'group not found')],
    ['-1004003', refused(400, 'chat not found')],
    ['777000', refused(400, 'group not found')],
  ])('[CT1.4] of %s is refused', async (id, refusal) => {
    expect(await get(`/group/${id}/topic`)).toMatchObject(refusal);
  });

  it('[CT1.4] refuses a place that it has not given out', async () => {
    expect(await get(`/group/${forum.id}/topic?after=x`)).toMatchObject(refused(400, 'after must be that of a page'));
  });
});

describe('a topic', () => {
  it('[CT1.5] has the messages that were sent to it, and search finds them there alone', async () => {
    const [, , third = 0, fourth = 0] = forum.topics;
    for (const topic of [third, fourth])
      await send({ group: forum.id, topic: String(topic), text: `words of ${topic}` });
    const answer = await send({ group: forum.id, topic: '1', text: 'words of all' });
    expect(answer.status).toBe(200);
    expect(await lastCall('messages.sendMessage')).not.toHaveProperty('reply_to');
    expect(await texts(`topic=${third}`)).toEqual([`words of ${third}`]);
    expect(await texts(`topic=${fourth}&q=words`, '/chat/search')).toEqual([`words of ${fourth}`]);
    expect(await texts('topic=1')).toContain('words of all');
    expect(await texts('topic=1')).not.toContain(`words of ${third}`);
    expect(await texts('q=words', '/chat/search')).toHaveLength(3);
  });

  it('[CT1.5] keeps a reply, and takes forwards and albums', async () => {
    const [, , , , fifth = 0] = forum.topics;
    const topic = String(fifth);
    const asked = await send({ group: forum.id, topic, text: 'asked' });
    await send({ group: forum.id, topic, replyTo: asked.body['messageId'], text: 'answered' });
    const own = await send({ user: bob, text: 'forwarded' });
    const forward = { from: { user: bob }, messageIds: [own.body['messageId']], group: forum.id, topic };
    const forwarded = await reading.scene.request(reading.caller, 'POST', '/message/forward', forward);
    expect(forwarded.status).toBe(200);
    expect(await texts(`topic=${fifth}`)).toEqual(['forwarded', 'answered', 'asked']);
    const { body } = await get<ReadMessages>(`/chat/message?chatId=${forum.id}&topic=${fifth}&limit=2`);
    expect(body.docs.map(({ topic: of }) => of)).toEqual([topic, topic]);
    expect(body.docs[1]?.replyTo).toBe(asked.body['messageId']);
  });

  it('[CT1.5] is marked as read without the others, and shows that the account is typing', async () => {
    const [first = 0, second = 0] = forum.topics;
    const unread = async (): Promise<Record<string, number>> =>
      Object.fromEntries((await page()).docs.map(({ id, unread: count }) => [id, count]));
    const login = forum.topics.slice(0, 2);
    for (const topic of login) {
      await reading.scene.sandbox.call('POST', `/accounts/${bob}/messages`, {
        peer: forum.id,
        text: 'new',
        replyTo: topic,
      });
    }
    const before = await unread();
    expect([before[first], before[second]]).toEqual([1, 1]);
    const read = { group: forum.id, topic: String(first) };
    expect((await reading.scene.request(reading.caller, 'POST', '/chat/read', read)).status).toBe(200);
    const after = await unread();
    expect([after[first], after[second]]).toEqual([0, 1]);
    const typing = await reading.scene.request(reading.caller, 'POST', '/typing', read);
    expect(typing.status).toBe(200);
    expect(await lastCall('messages.setTyping')).toMatchObject({ top_msg_id: first });
  });

  it('[CT1.5] is muted and pinned without the others', async () => {
    const [, , third = 0] = forum.topics;
    const set = (which: string, on: boolean, topic: number) =>
      reading.scene.request(reading.caller, 'POST', `/chat/${which}`, { group: forum.id, topic: String(topic), on });
    const pinned = async (): Promise<string[]> =>
      (await page()).docs.filter((topic) => topic.pinned).map(({ id }) => id);
    for (const on of [true, true, false]) {
      expect(await set('mute', on, third)).toMatchObject({ status: 200 });
      const { peer, settings } = await lastCall('account.updateNotifySettings');
      expect(peer).toMatchObject({ _: 'inputNotifyForumTopic', top_msg_id: third });
      expect(settings).toMatchObject({ mute_until: on ? 2 ** 31 - 1 : 0 });
      expect((await get(`/chat/${forum.id}`)).body).toMatchObject({ muted: false, pinned: false });
      expect(await set('pin', on, third)).toMatchObject({ status: 200 });
      expect(await pinned()).toEqual(on ? [String(third)] : []);
    }
    expect((await get(`/chat/${forum.id}`)).body).toMatchObject({ pinned: false });
    expect(await set('pin', true, 999_999)).toMatchObject(
      refused(500, '400: TOPIC_ID_INVALID (caused by channels.UpdatePinnedForumTopic)'),
    );
  });

  it('[CT1.5] is ignored beside a channel or a person: the comments of a post are in another chat', async () => {
    for (const chatId of ['-1004001', bob]) {
      const { body: whole } = await get<ReadMessages>(`/chat/message?chatId=${chatId}`);
      const post = whole.docs.at(-1)?.id;
      const search = `/chat/search?chatId=${chatId}&q=${whole.docs[0]?.text.split(' ')[0]}`;
      for (const path of [`/chat/message?chatId=${chatId}`, search]) {
        const asked = await reading.callsDuring('messages.getReplies', async () => {
          const { body } = await get(path);
          expect((await get(`${path}&topic=${post}`)).body).toEqual(body);
        });
        expect(asked).toBe(0);
      }
      expect((await lastCall('messages.search'))['top_msg_id']).toBeUndefined();
    }
  });

  it('[CT1.5] is ignored without a group, and refused if it is no number', async () => {
    expect((await send({ user: bob, topic: '5', text: 'hello' })).status).toBe(200);
    expect(await send({ group: forum.id, topic: 'x', text: 'hello' })).toMatchObject(
      refused(400, 'topic must be a topic ID'),
    );
    expect(await send({ group: forum.id, topic: '999999', text: 'hello' })).toMatchObject({ status: 500 });
  });
});

describe('GET /chat/search without a chatId', () => {
  it('[CT2.5] finds the messages of all chats, newest first, page after page', async () => {
    const word = 'saffron';
    for (const peer of [ann, '-2001', forum.id]) {
      await reading.scene.sandbox.call('POST', `/accounts/${bob}/messages`, { peer, text: `${word} for ${peer}` });
      await reading.scene.sandbox.call('POST', '/clock', { advanceMs: 2_000 });
    }
    const found: string[] = [];
    let before = '';
    do {
      const { status, body } = await get<ReadMessages>(
        `/chat/search?q=${word}&limit=1${before && `&before=${before}`}`,
      );
      expect(status).toBe(200);
      found.push(...body.docs.map(({ chatId }) => chatId));
      ({ before } = body);
    } while (before !== '');
    expect(found).toEqual([forum.id, '-2001', bob]);
    expect((await get<ReadMessages>(`/chat/search?q=${word}`)).body.docs.map(({ chatId }) => chatId)).toEqual(found);
  });

  it('[CT2.5] refuses a place that it has not given out', async () => {
    expect(await get('/chat/search?q=a&before=12')).toMatchObject(refused(400, 'before must be that of a page'));
    expect(await get(`/chat/search?q=a&chatId=${bob}&before=x`)).toMatchObject(refused(400, 'before must be a number'));
  });
});
