import { describe, expect, it } from 'vitest';
import { pushUpdates } from '../../../sandbox/api/push/push-updates.ts';
import { sendMessage } from '../../../sandbox/world/messages/send-message.ts';
import { channelPeer } from '../../../sandbox/world/state/peer.ts';
import { membersBut, useReading } from '../../support/e2e/reading-scene.ts';
import { ann, bob } from '../../support/e2e/scene.ts';
import { itIsForConnectedSessions } from '../../support/e2e/session-bound.ts';
import { refused } from '../../support/e2e/writing-scene.ts';

/** `GET /channel` and `GET /channel/{channelId}` against the seeded world. */

const reading = useReading();
const { callsDuring, change, get } = reading;

const daily = {
  id: '-1004001',
  name: 'Daily',
  username: 'daily',
  picture: expect.stringMatching(/^data:image\/jpeg;base64,[\w+/]+=*$/),
  isOwner: true,
  created: '2025-12-08T09:00:00.000Z',
};
const notes = {
  id: '-1004002',
  name: 'Private notes',
  username: '',
  picture: '',
  isOwner: false,
  created: '2025-12-16T09:00:00.000Z',
};
const list = async (): Promise<{ id: string }[]> => {
  const { status, body } = await get<{ docs: { id: string }[] }>('/channel');
  expect([status, Object.keys(body)]).toEqual([200, ['docs']]);
  return body.docs;
};
const path = (channelId: string): string => `/channel/${encodeURIComponent(channelId)}`;

describe('GET /channel', () => {
  it('[CH1.1] the joined channels, with every field; no group, and none that is public alone', async () => {
    expect(await list()).toEqual([notes, daily]);
  });

  it('[GR2.1] a second call fetches no photo', async () => {
    await list();
    expect(await callsDuring('upload.getFile', list)).toBe(0);
    expect(await callsDuring('messages.getDialogs', list)).toBe(0);
  });

  it('[CH1.1] an administrator counts as an owner', async () => {
    change('channel:4002', ({ members }) => ({
      members: { ...members, [ann]: { date: 1_765_875_600, role: 'admin' } },
    }));
    expect(await get(path('-1004002'))).toMatchObject({ status: 200, body: { ...notes, isOwner: true } });
    change('channel:4002', ({ members }) => ({ members: { ...members, [ann]: { date: 1_765_875_600 } } }));
    expect(await get(path('-1004002'))).toMatchObject({ status: 200, body: notes });
  });

  it('[CH1.1] a new name shows as soon as Telegram tells of it; messages alone change nothing', async () => {
    await list();
    const { clock, sandbox, telegram } = reading.scene;
    await sandbox.call('POST', `/accounts/${ann}/messages`, { peer: '-1004001', text: 'Nothing new' });
    expect(await callsDuring('messages.getDialogs', list)).toBe(0);
    change('channel:4001', () => ({ title: 'Nightly' }));
    const action = { _: 'messageActionChatEditTitle', title: 'Nightly' };
    pushUpdates(
      telegram.world,
      sendMessage(telegram.world, Number(ann), channelPeer(4001), { text: '', action }).updates,
    );
    while (!JSON.stringify(await list()).includes('Nightly')) await clock.settle();
    change('channel:4001', () => ({ title: 'Daily' }));
    await reading.scene.pass(10_001);
  });
});

describe('GET /channel/{channelId}', () => {
  it.each(['-1004001', 'daily', '@daily', 'DAILY', 't.me/daily', 'https://t.me/daily', 'tg://resolve?domain=daily'])(
    '[MS1.4] %j',
    async (channelId) => {
      const { status, body } = await get(path(channelId));
      expect([status, body]).toEqual([200, daily]);
    },
  );

  it('[CH1.1] a private one', async () => {
    const { status, body } = await get(path('-1004002'));
    expect([status, body]).toEqual([200, notes]);
  });

  it.each([
    ['-2001', 'channel not found'],
    ['-1003001', 'channel not found'],
    ['makers', 'channel not found'],
    ['bob', 'channel not found'],
    [bob, 'channel not found'],
    ['strangers', 'channel not found'],
    ['@strangers', 'channel not found'],
    ['-1004003', 'channel not found'],
    ['-1009999999', 'chat not found'],
    ['-4711', 'chat not found'],
    ['nobody_at_all', 'chat not found'],
    ['two words', 'invalid chat'],
    ['_daily', 'invalid chat'],
    [' ', 'invalid chat'],
  ])('[CH1.1] %j: %s', async (channelId, message) => {
    const { status, body } = await get(path(channelId));
    expect([status, body]).toEqual([400, { statusCode: 400, message }]);
    const messages = await get(`/channel/message?channelId=${encodeURIComponent(channelId)}`);
    expect([messages.status, messages.body]).toEqual([400, { statusCode: 400, message }]);
  });

  it('[CH1.1] private and put out of', async () => {
    change('channel:4002', (chat) => ({ members: membersBut(ann, chat) }));
    expect(await get(path('-1004002'))).toMatchObject(refused(400, 'channel not found'));
    expect(await get('/channel/message?channelId=-1004002')).toMatchObject(refused(400, 'channel not found'));
    change('channel:4002', ({ members }) => ({ members: { ...members, [ann]: { date: 1_765_875_600 } } }));
    await reading.scene.pass(61_000);
    expect(await get(path('-1004002'))).toMatchObject({ status: 200, body: notes });
  });

  it('[CH1.1] public and left on another device', async () => {
    const { world } = reading.scene.telegram;
    const row = world.tables.chats.get('channel:4001');
    if (row === undefined) throw new Error('no such channel');
    world.tables.chats.put({ ...row, id: 4999, username: 'weekly' });
    expect(await get(path('weekly'))).toMatchObject({ status: 200, body: { id: '-1004999' } });
    change('channel:4999', () => ({ members: { [bob]: { date: 1, role: 'creator' } } }));
    expect(await get('/channel/message?channelId=weekly')).toMatchObject(refused(400, 'channel not found'));
    expect(await get(path('weekly'))).toMatchObject(refused(400, 'channel not found'));
    change('channel:4999', () => ({ username: 'gone_4999' }));
  });
});

describe('who may ask', () => {
  itIsForConnectedSessions(reading, ['/channel', '/channel/daily', '/channel/message?channelId=daily']);
});
