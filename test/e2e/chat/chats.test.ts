import { describe, expect, it } from 'vitest';
import type { ChatListPage, ChatObject } from '../../../src/chats/chat-list.ts';
import { useReading } from '../../support/e2e/reading-scene.ts';
import { ann, bob } from '../../support/e2e/scene.ts';
import { itIsForConnectedSessions } from '../../support/e2e/session-bound.ts';
import { refused } from '../../support/e2e/writing-scene.ts';

/** `GET /chat` against the seeded world. */

const reading = useReading();
const { get } = reading;

const cara = '1003';
const helperbot = '1004';
const control = <T>(method: string, url: string, body?: object): Promise<T> =>
  reading.scene.sandbox.call(method, url, body);
const write = (from: string, peer: string, text: string): Promise<unknown> =>
  control('POST', `/accounts/${from}/messages`, { peer, text });
const page = async (query = ''): Promise<ChatListPage> => {
  const { status, body } = await get<ChatListPage>(`/chat${query}`);
  expect(status).toBe(200);
  return body;
};
const idsOf = ({ docs }: ChatListPage): string[] => docs.map(({ id }) => id);
/** All pages, one after the other. */
const all = async (limit: number, archived = false): Promise<ChatObject[]> => {
  const docs: ChatObject[] = [];
  let after: string | undefined;
  while (after !== '') {
    const found: ChatListPage = await page(`?limit=${limit}&archived=${archived}${after ? `&after=${after}` : ''}`);
    docs.push(...found.docs);
    ({ after } = found);
  }
  return docs;
};

describe('GET /chat', () => {
  it('[CT1.1] [CT1.2] people, bots, groups and channels with every field, the one written in last first', async () => {
    await write(bob, ann, 'see you');
    const { docs, after } = await page();
    expect(docs[0]).toEqual({
      id: bob,
      kind: 'user',
      name: 'Bob Stone',
      username: 'bobstone',
      picture: expect.stringMatching(/^http.*\/1002\/\d+\/profile\/.*\.jpg$/),
      unread: expect.any(Number),
      muted: false,
      pinned: false,
      archived: false,
      last: expect.objectContaining({ chatId: bob, type: 'text', text: 'see you', fromMe: false, edited: '' }),
    });
    expect((await fetch(docs[0]?.picture ?? '')).status).toBe(200);
    const kinds = Object.fromEntries(docs.map(({ id, kind }) => [id, kind]));
    expect(kinds).toMatchObject({ [helperbot]: 'bot', '-2001': 'group', '-1003001': 'group', '-1004001': 'channel' });
    expect(after).toBe('');
  });

  it('[CT1.1] page after page, each chat once and in the same order', async () => {
    const whole = idsOf(await page('?limit=100'));
    for (const limit of [1, 3, whole.length]) expect((await all(limit)).map(({ id }) => id)).toEqual(whole);
  });

  it('[CT1.1] those of the archive apart', async () => {
    await control('PUT', `/accounts/${ann}/chats/-2001`, { folder: 1 });
    expect(idsOf(await page())).not.toContain('-2001');
    const archived = await all(2, true);
    expect(archived).toMatchObject([{ id: '-2001', archived: true }]);
    await control('PUT', `/accounts/${ann}/chats/-2001`, { folder: 0 });
  });

  it('[CT1.2] unread messages are counted until they are read', async () => {
    const unread = async (): Promise<unknown> => (await get<ChatObject>(`/chat/${cara}`)).body.unread;
    await control('POST', `/accounts/${ann}/read`, { peer: cara });
    expect(await unread()).toBe(0);
    for (const text of ['one', 'two']) await write(cara, ann, text);
    expect(await unread()).toBe(2);
  });

  it.each([
    ['limit=0', 'limit must be between 1 and 100'],
    ['limit=101', 'limit must be between 1 and 100'],
    ['after=nonsense', 'after must be that of a page'],
    [`after=${Buffer.from('[1,2,3]').toString('base64url')}`, 'after must be that of a page'],
  ])('[CT1.1] refuses %s', async (query, message) => {
    expect(await get(`/chat?${query}`)).toMatchObject(refused(400, message));
  });

  itIsForConnectedSessions(reading, ['/chat', `/chat/${bob}`, `/chat/message?chatId=${bob}`]);
});

describe('GET /chat/{chatId}', () => {
  it('[CT1.2] is as the list has it', async () => {
    for (const listed of (await page()).docs) {
      expect(await get(`/chat/${listed.id}`)).toMatchObject({ status: 200, body: listed });
    }
  });

  it.each(['777000', '42777', '999999', '-1004003', '-1', 'nobody', '0', '-100'])(
    '[CT1.3] [CT2.4] %s is not found',
    async (id) => {
      expect(await get(`/chat/${id}`)).toMatchObject(refused(400, 'chat not found'));
      for (const path of ['/chat/message?', '/chat/message/1?', '/chat/search?q=a&']) {
        expect(await get(`${path}chatId=${id}`)).toMatchObject(refused(400, 'chat not found'));
      }
    },
  );
});
