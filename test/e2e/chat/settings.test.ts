import { describe, expect, it } from 'vitest';
import type { ChatObject } from '../../../src/chats/chat-list.ts';
import { useActing } from '../../support/e2e/acting.ts';
import { ann, bob } from '../../support/e2e/scene.ts';
import { refused } from '../../support/e2e/writing-scene.ts';

/** What the account sets for its chats, as `GET /chat` and the other side see it. */

const acting = useActing();
const { calls, control, fault, newText, request, write } = acting;

const makers = '-1003001';
const chats = {
  'a private chat': { user: bob },
  'a basic group': { group: '-2001' },
  'a supergroup': { group: makers },
};
const peerOf = (chat: object): string => Object.values(chat)[0] as string;
const chatOf = async (id: string): Promise<ChatObject> => (await request<ChatObject>('GET', `/chat/${id}`)).body;
const done = { status: 200, body: { id: expect.any(String) } };

describe('POST /chat/read', () => {
  it.each(Object.entries(chats))('[CT3.1] %s: up to a message, then whole', async (_name, chat) => {
    const peer = peerOf(chat);
    expect(await request('POST', '/chat/read', chat)).toMatchObject(done);
    expect((await chatOf(peer)).unread).toBe(0);
    const ids: number[] = [];
    for (let count = 0; count < 3; count++) ids.push(await write(bob, peer === bob ? ann : peer, { text: newText() }));
    expect((await chatOf(peer)).unread).toBe(3);
    expect(await request('POST', '/chat/read', { ...chat, messageId: String(ids[1]) })).toMatchObject(done);
    expect((await chatOf(peer)).unread).toBe(1);
    // [CT3.3] Twice, and further than there are messages.
    for (let time = 0; time < 2; time++) {
      expect(await request('POST', '/chat/read', { ...chat, messageId: '2147483647' })).toMatchObject(done);
      expect((await chatOf(peer)).unread).toBe(0);
    }
  });

  it('[CT3.1] the one who wrote sees it', async () => {
    await write(bob, ann, { text: newText() });
    const readByAnn = (): unknown => {
      const dialogs = [...acting.scene.telegram.world.tables.dialogs.values()];
      return dialogs.find(({ owner, peer }) => owner === Number(bob) && peer.id === Number(ann))?.readOutbox;
    };
    const [newest] = await control<{ id: number }[]>('GET', `/accounts/${bob}/messages?peer=${ann}&limit=1`);
    expect(readByAnn()).not.toBe(newest?.id);
    expect(await request('POST', '/chat/read', { user: bob })).toMatchObject(done);
    expect(readByAnn()).toBe(newest?.id);
  });

  it('[CT3.3] a chat without messages', async () => {
    const { userId } = await control<{ userId: string }>('POST', '/accounts', {
      firstName: 'New',
      username: 'newcomer',
    });
    const before = await calls('messages.readHistory');
    expect(await request('POST', '/chat/read', { username: 'newcomer' })).toMatchObject(done);
    expect(await request('POST', '/chat/read', { user: userId })).toMatchObject(done);
    expect(await calls('messages.readHistory')).toBe(before);
  });
});

describe.each([
  ['archive', 'archived'],
  ['mute', 'muted'],
  ['pin', 'pinned'],
] as const)('POST /chat/%s', (which, field) => {
  it.each(Object.entries(chats))('[CT3.2] [CT3.3] %s: on and off, as often as it is asked for', async (_name, chat) => {
    for (const on of [true, true, false, false]) {
      expect(await request('POST', `/chat/${which}`, { ...chat, on })).toMatchObject(done);
      expect((await chatOf(peerOf(chat)))[field]).toBe(on);
    }
  });

  it.each(['777000', '42777', '999999'])('[CT3.3] not of %s', async (user) => {
    expect(await request('POST', `/chat/${which}`, { user, on: true })).toMatchObject(refused(400, 'chat not found'));
    expect(await request('POST', '/chat/read', { user })).toMatchObject(refused(400, 'chat not found'));
  });

  it.each([
    [{ user: bob }, 'on should not be empty'],
    [{ user: bob, on: 'yes' }, 'on must be a boolean'],
    [{ on: true }, 'invalid phone, username, user, group or channel'],
  ])('[ER2.2] refuses %j', async (body, message) => {
    expect(await request('POST', `/chat/${which}`, body)).toMatchObject(refused(400, message));
  });
});

it('[CT3.2] a sixth pinned chat, and what else Telegram refuses, is its own error', async () => {
  await control('PATCH', `/accounts/${ann}`, { premium: false });
  await control('POST', `/accounts/${ann}/groups`, { count: 6, kind: 'basic' });
  const { body } = await request<{ docs: ChatObject[] }>('GET', '/chat?limit=6');
  const answers: unknown[] = [];
  for (const { id } of body.docs.slice(0, 6)) {
    answers.push((await request('POST', '/chat/pin', { group: id, on: true })).body);
  }
  const tooMany = '400: PINNED_DIALOGS_TOO_MUCH (caused by messages.ToggleDialogPin)';
  expect(answers.at(-1)).toMatchObject({ statusCode: 500, message: tooMany });
  await fault({ method: 'account.updateNotifySettings', error: 'SETTINGS_INVALID', times: 1 });
  const refusal = '400: SETTINGS_INVALID (caused by account.UpdateNotifySettings)';
  expect(await request('POST', '/chat/mute', { user: bob, on: true })).toMatchObject(refused(500, refusal));
});
