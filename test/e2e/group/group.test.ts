import { describe, expect, it } from 'vitest';
import { useReading } from '../../support/e2e/reading-scene.ts';
import { ann, bob } from '../../support/e2e/scene.ts';
import {
  family,
  listMembers,
  type Member,
  makeGroup,
  makers,
  memberPath,
  groupPath as path,
} from '../../support/e2e/seeded-groups.ts';
import { refused } from '../../support/e2e/writing-scene.ts';

/** `GET /group/{groupId}` and `GET /group/member` against the seeded world. */

const reading = useReading();
const { callsDuring, change, get } = reading;

describe('GET /group/{groupId}', () => {
  it.each([
    '-1003001',
    'makers',
    '@makers',
    'Makers',
    't.me/makers',
    'https://t.me/makers',
    'telegram.me/makers',
    'tg://resolve?domain=makers',
    ' makers ',
  ])('[MS1.4] %j', async (groupId) => {
    const { status, body } = await get(path(groupId));
    expect([status, { ...body, picture: '' }]).toEqual([200, { ...makers, picture: '' }]);
  });

  it('[GR1.2] a basic group', async () => {
    const { status, body } = await get(path('-2001'));
    expect([status, body]).toEqual([200, family]);
  });

  it.each([
    ['-1004001', 'group not found'],
    ['daily', 'group not found'],
    ['bob', 'group not found'],
    [bob, 'group not found'],
    ['strangers', 'group not found'],
    ['-1004003', 'group not found'],
    ['-4711', 'chat not found'],
    ['-1009999999', 'chat not found'],
    ['4711', 'chat not found'],
    ['nobody_at_all', 'chat not found'],
    ['two words', 'invalid chat'],
    ['1makers', 'invalid chat'],
    ['m'.repeat(2_000), 'invalid chat'],
    ['-0', 'invalid chat'],
    ['https://example.com/makers', 'invalid chat'],
    [' ', 'invalid chat'],
  ])('[GR1.2] %j: %s', async (groupId, message) => {
    const { status, body } = await get(path(groupId));
    expect([status, body]).toEqual([400, { statusCode: 400, message }]);
    const members = await get(memberPath(groupId));
    expect([members.status, members.body]).toEqual([400, { statusCode: 400, message }]);
  });

  it('[GR1.2] public and not joined, or left on another device', async () => {
    const { world } = reading.scene.telegram;
    const row = world.tables.chats.get('channel:3001');
    if (row === undefined) throw new Error('no such group');
    world.tables.chats.put({
      ...row,
      id: 3998,
      username: 'outsiders',
      members: { [bob]: { date: 1, role: 'creator' } },
    });
    expect(await get(path('outsiders'))).toMatchObject(refused(400, 'group not found'));
    world.tables.chats.put({ ...row, id: 3997, username: 'insiders' });
    expect(await get(path('insiders'))).toMatchObject({ status: 200, body: { id: '-1003997' } });
    change('channel:3997', () => ({ members: { [bob]: { date: 1, role: 'creator' } } }));
    expect(await get(path('insiders'))).toMatchObject(refused(400, 'group not found'));
    expect(await get('/group/member?groupId=insiders')).toMatchObject(refused(400, 'group not found'));
    for (const id of [3997, 3998]) change(`channel:${id}`, () => ({ username: `gone_${id}` }));
  });
});

describe('GET /group/member', () => {
  const membersOf = (groupId: string): Promise<Member[]> => listMembers(reading, groupId);

  it('[GR3.1] a supergroup’s, in pages of 200, each once', async () => {
    let members: Member[] = [];
    const asked = await callsDuring('channels.getParticipants', async () => {
      members = await membersOf('@makers');
    });
    expect(asked).toBe(2);
    const ids = Array.from({ length: 246 }, (_, index) => String(5001 + index));
    expect(members.map(({ id }) => id).toSorted()).toEqual(['1001', '1002', '1003', '1004', ...ids].toSorted());
    expect(members.every((member) => Object.keys(member).join() === 'id,name,username,phone')).toBe(true);
  });

  it('[GR3.1] a name falls back to username, phone, ID; a phone is there where it is shared', async () => {
    const members = new Map((await membersOf('-1003001')).map((member) => [member.id, member]));
    expect(['1001', '1003', '5002', '5007', '5008', '5004'].map((id) => members.get(id))).toEqual([
      { id: '1001', name: 'Ann Lee', username: 'annlee', phone: '15550000001' },
      { id: '1003', name: 'Cara', username: '', phone: '' },
      { id: '5002', name: 'Ben Berg', username: 'maker_2', phone: '' },
      { id: '5007', name: 'Gwen', username: 'maker_7', phone: '15551000006' },
      { id: '5008', name: 'maker_8', username: 'maker_8', phone: '' },
      { id: '5004', name: '5004', username: '', phone: '' },
    ]);
    // Without name and username, and with a phone that is shared.
    expect(members.get('5104')).toBeDefined();
    const nameless = [...members.values()].filter(({ name, phone }) => phone !== '' && name === phone);
    expect(nameless.every(({ username }) => username === '')).toBe(true);
  });

  it('[GR3.1] a basic group’s', async () => {
    expect(await membersOf('-2001')).toEqual([
      { id: '1001', name: 'Ann Lee', username: 'annlee', phone: '15550000001' },
      { id: '1002', name: 'Bob Stone', username: 'bobstone', phone: '15550000002' },
      { id: '1003', name: 'Cara', username: '', phone: '' },
    ]);
  });

  it('[GR3.1] at most 10,000 members', async () => {
    const peer = await makeGroup(reading, { title: 'Crowd', members: 10_500 });
    const members = await membersOf(peer);
    expect([members.length, new Set(members.map(({ id }) => id)).size]).toEqual([10_000, 10_000]);
    // That many people are met on the way; the groups are known still.
    expect(await get(path('-1003002'))).toMatchObject({ status: 200 });
  });

  it('[GR3.2] every one of 10,000 can be written to, and those met before, after a crash too', async () => {
    const met = (await membersOf('-1003001')).map(({ id }) => id);
    const peer = await makeGroup(reading, { title: 'Throng', members: 10_500 });
    const members = (await membersOf(peer)).map(({ id }) => id);
    await reading.scene.restart();
    await reading.scene.read(reading.caller, ({ isConnected }) => isConnected);
    const [first, middle, last] = [members[1], members[5_000], members.at(-1)];
    for (const user of [first, middle, last, ...met.slice(0, 3)].filter((id) => id !== ann)) {
      const answer = await reading.scene.request(reading.caller, 'POST', '/typing', { user });
      expect([user, answer.status]).toEqual([user, 200]);
    }
  });

  it('[ER3.2] hidden from who is no admin', async () => {
    expect(await get('/group/member?groupId=-1003002')).toMatchObject(
      refused(500, '400: CHAT_ADMIN_REQUIRED (caused by channels.GetParticipants)'),
    );
  });

  it.each([
    ['/group/member', 'groupId must be a string\ngroupId should not be empty'],
    ['/group/member?groupId=', 'groupId should not be empty'],
    ['/group/member?groupId=a&groupId=b', 'groupId must be a string'],
  ])('[ER2.2] %s is refused: %j', async (url, message) => {
    const { status, body } = await get(url);
    expect([status, body]).toEqual([400, { statusCode: 400, message }]);
  });
});
