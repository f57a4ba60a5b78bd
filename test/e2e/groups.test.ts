import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { addProfilePhoto } from '../../sandbox/world/add-file.ts';
import { membersBut, useReading } from './reading.ts';
import { ann, bob } from './scene.ts';
import { refused } from './writing.ts';

/** `GET /group`, `GET /group/{groupId}` and `GET /group/member` against the seeded world. */

interface Group {
  id: string;
  name: string;
  username: string;
  description: string;
  picture: string;
  created: string;
}
interface Member {
  id: string;
  name: string;
  username: string;
  phone: string;
}

const reading = useReading();
const { callsDuring, change, fault, get } = reading;

const family = {
  id: '-2001',
  name: 'Family',
  username: '',
  description: 'The three of us',
  picture: expect.stringMatching(/^data:image\/jpeg;base64,[\w+/]+=*$/),
  created: '2025-11-06T09:00:00.000Z',
};
const makers = {
  id: '-1003001',
  name: 'Makers',
  username: 'makers',
  description: 'People who make things, and show them.',
  picture: expect.stringMatching(/^data:image\/jpeg;base64,[\w+/]+=*$/),
  created: '2025-12-01T10:00:00.000Z',
};
const plain = { username: '', description: '', picture: '', created: '2025-12-16T09:00:00.000Z' };

async function listed(): Promise<Group[]> {
  const { status, body } = await get<{ docs: Group[] }>('/group');
  expect([status, Object.keys(body)]).toEqual([200, ['docs']]);
  return body.docs;
}
const byId = (a: { id: string }, b: { id: string }): number => Number(a.id) - Number(b.id);
const path = (groupId: string): string => `/group/${encodeURIComponent(groupId)}`;

/** What Telegram is asked again for one answer alone, a moment later. */
const pause = (): Promise<void> => reading.scene.pass(10_001, 5_001);

describe('GET /group', () => {
  it('[GR1] basic groups and supergroups that the account is in, with every field, and no channel', async () => {
    expect((await listed()).toSorted(byId)).toEqual([
      { id: '-1003004', name: 'Slow', ...plain },
      { id: '-1003003', name: 'Read only', ...plain },
      { id: '-1003002', name: 'Quiet room', ...plain },
      makers,
      family,
    ]);
  });

  it('[GR2] the picture is the small photo', async () => {
    for (const { id, picture } of await listed()) {
      if (picture === '') continue;
      const { format, width, height } = await sharp(Buffer.from(picture.split(',')[1] ?? '', 'base64')).metadata();
      expect([id, format, width, height]).toEqual([id, 'jpeg', 160, 160]);
    }
  });

  it('[GR2] a second call asks Telegram for no description and no photo, and soon not for the list either', async () => {
    const before = await listed();
    for (const method of ['messages.getFullChat', 'channels.getFullChannel', 'upload.getFile', 'messages.getDialogs']) {
      expect([method, await callsDuring(method, listed)]).toEqual([method, 0]);
    }
    await pause();
    expect(await callsDuring('messages.getDialogs', listed)).toBe(2);
    expect(await callsDuring('channels.getFullChannel', listed)).toBe(0);
    expect(await listed()).toEqual(before);
  });

  it('[GR2] a description is kept for 5 minutes, and asked for once by all who want it', async () => {
    const { scene } = reading;
    await scene.pass(5 * 60_000 + 1, 60_000);
    await listed();
    change('channel:3001', () => ({ about: 'Changed' }));
    await scene.pass(5 * 60_000 - 20_000, 60_000);
    expect((await listed()).find(({ id }) => id === '-1003001')?.description).toBe(makers.description);
    await scene.pass(20_001, 10_001);
    const asked = await callsDuring('channels.getFullChannel', async () => {
      const answers = await Promise.all([listed(), listed(), get<Group>(path('makers'))]);
      expect(answers[0].find(({ id }) => id === '-1003001')?.description).toBe('Changed');
      expect(answers[2].body.description).toBe('Changed');
    });
    expect(asked).toBe(4);
    change('channel:3001', () => ({ about: makers.description }));
    await scene.pass(5 * 60_000 + 1, 60_000);
  });

  it('[GR2] a new photo is fetched once, the others are not fetched again', async () => {
    const before = await listed();
    const { world } = reading.scene.telegram;
    change('channel:3001', () => ({ photo: addProfilePhoto(world, 2, 77, 1_770_000_000).id }));
    await pause();
    expect(await callsDuring('upload.getFile', listed)).toBe(1);
    const after = await listed();
    expect(after.filter((group, place) => group.picture !== before[place]?.picture).map(({ id }) => id)).toEqual([
      '-1003001',
    ]);
    change('channel:3001', () => ({ photo: addProfilePhoto(world, 4, 78, 1_770_000_000).id }));
    await pause();
    const elsewhere = (await listed()).find(({ id }) => id === '-1003001')?.picture;
    expect(elsewhere).toMatch(/^data:image\/jpeg;base64,/);
    expect(elsewhere).not.toBe(after.find(({ id }) => id === '-1003001')?.picture);
  });

  it('[GR2] one group’s description that Telegram refuses is left empty, and asked for again', async () => {
    await reading.scene.restart();
    await reading.scene.read(reading.caller, (session) => session.isConnected);
    await fault({ method: 'messages.getFullChat', error: 'CHAT_NOT_MODIFIED', code: 400, times: 1 });
    const first = await listed();
    expect(first.find(({ id }) => id === '-2001')).toEqual({ ...family, description: '' });
    expect(first.find(({ id }) => id === '-1003001')?.description).toBe(makers.description);
    expect((await listed()).find(({ id }) => id === '-2001')).toEqual(family);
  });

  it('[GR2] a description that Telegram refuses to say again stays as it was', async () => {
    await reading.scene.pass(5 * 60_000 + 1, 60_000);
    await fault({ method: 'messages.getFullChat', error: 'CHAT_NOT_MODIFIED', code: 400, times: 1 });
    change('chat:2001', () => ({ about: 'The four of us' }));
    expect((await listed()).find(({ id }) => id === '-2001')).toEqual(family);
    await reading.scene.pass(30_001, 15_001);
    expect((await listed()).find(({ id }) => id === '-2001')?.description).toBe('The four of us');
    change('chat:2001', () => ({ about: family.description }));
  });

  it('[GR2] a photo that cannot be had is left empty, and asked for again', async () => {
    await reading.scene.restart();
    await reading.scene.read(reading.caller, (session) => session.isConnected);
    await fault({ method: 'upload.getFile', error: 'LOCATION_INVALID', code: 400, times: 1 });
    const pictures = (await listed()).map(({ picture }) => picture).filter(Boolean);
    expect(pictures).toHaveLength(1);
    expect((await listed()).map(({ picture }) => picture).filter(Boolean)).toHaveLength(2);
  });

  it('[ER3] a wait under a minute is waited out', async () => {
    await reading.scene.restart();
    await reading.scene.read(reading.caller, (session) => session.isConnected);
    await fault({ method: 'channels.getFullChannel', error: 'FLOOD_WAIT_20', code: 420, times: 1 });
    const groups = await reading.scene.whilePassing(listed());
    expect(groups.find(({ id }) => id === '-1003001')?.description).toBe(makers.description);
  });

  it('[ER3] after a longer wait was asked for, descriptions are not asked for until it is over', async () => {
    const { scene } = reading;
    await scene.restart();
    await scene.read(reading.caller, (session) => session.isConnected);
    await fault({ method: 'channels.getFullChannel', error: 'FLOOD_WAIT_100', code: 420, times: 4 });
    // A basic group's is another request.
    expect((await listed()).map(({ description }) => description).filter(Boolean)).toEqual([family.description]);
    await reading.scene.sandbox.call('DELETE', '/faults');
    expect(await callsDuring('channels.getFullChannel', listed)).toBe(0);
    const refusal = await get(path('makers'));
    expect(refusal).toMatchObject(
      refused(500, 'A wait of 100 seconds is required (caused by channels.GetFullChannel)'),
    );
    expect(refusal.headers.get('retry-after')).toBe('100');
    await scene.pass(100_000, 20_000);
    expect((await listed()).find(({ id }) => id === '-1003001')?.description).toBe(makers.description);
  });

  it('[GR1] a group that the account was put out of is gone, and comes back when it is in again', async () => {
    change('channel:3002', (chat) => ({ members: membersBut(ann, chat) }));
    await pause();
    expect((await listed()).map(({ id }) => id)).not.toContain('-1003002');
    expect(await get(path('-1003002'))).toMatchObject(refused(400, 'group not found'));
    expect(await get('/group/member?groupId=-1003002')).toMatchObject(refused(400, 'group not found'));
    change('channel:3002', ({ members }) => ({ members: { ...members, [ann]: { date: 1_765_875_600 } } }));
    await reading.scene.pass(61_000, 30_000);
    expect((await listed()).map(({ id }) => id)).toContain('-1003002');
    expect(await get(path('-1003002'))).toMatchObject({ status: 200 });
  });
});

describe('what a list is made of', () => {
  const control = <T>(method: string, url: string, body: object = {}): Promise<T> =>
    reading.scene.sandbox.call(method, url, body);
  const make = async (body: object): Promise<string> => {
    const [made] = await control<{ peer: string }[]>('POST', `/accounts/${ann}/groups`, body);
    await pause();
    return made?.peer ?? '';
  };
  const ids = async (): Promise<string[]> => (await listed()).map(({ id }) => id);

  it('[GR1] archived groups too', async () => {
    await control('PUT', `/accounts/${ann}/chats/-1003001`, { folder: 1 });
    await control('PUT', `/accounts/${ann}/chats/-2001`, { folder: 1 });
    await pause();
    expect((await ids()).toSorted()).toEqual(['-1003001', '-1003002', '-1003003', '-1003004', '-2001']);
    await control('PUT', `/accounts/${ann}/chats/-2001`, { folder: 0 });
  });

  it('[GR1] a basic group that was migrated is its supergroup alone', async () => {
    const old = await make({ kind: 'basic', title: 'Growing' });
    expect(await get(path(old))).toMatchObject({ status: 200, body: { id: old, name: 'Growing' } });
    const { peer } = await control<{ peer: string }>('POST', `/chats/${old}/migrate`);
    await pause();
    const growing = (await listed()).filter(({ name }) => name === 'Growing');
    expect(growing.map(({ id }) => id)).toEqual([peer]);
    expect(await get(path(peer))).toMatchObject({ status: 200, body: { id: peer, name: 'Growing' } });
    expect(await get(path(old))).toMatchObject(refused(400, 'group not found'));
    expect(await get(`/group/member?groupId=${old}`)).toMatchObject(refused(400, 'group not found'));
  });

  it.each(['basic', 'supergroup'])('[GR1] a %s group that the account was put out of, or left', async (kind) => {
    for (const role of ['kicked', 'left']) {
      const peer = await make({ kind, title: `Not for long: ${role}` });
      expect(await ids()).toContain(peer);
      expect(await get(path(peer))).toMatchObject({ status: 200 });
      await control('PUT', `/chats/${peer}/members/${ann}`, { role });
      await pause();
      expect(await ids()).not.toContain(peer);
      expect(await get(path(peer))).toMatchObject(refused(400, 'group not found'));
      expect(await get(`/group/member?groupId=${peer}`)).toMatchObject(refused(400, 'group not found'));
    }
  });

  it('[GR3] at most 10,000 members', async () => {
    const peer = await make({ title: 'Crowd', members: 10_500 });
    expect(await ids()).toContain(peer);
    const { status, body } = await get<{ docs: Member[] }>(`/group/member?groupId=${peer}`);
    expect([status, body.docs.length, new Set(body.docs.map(({ id }) => id)).size]).toEqual([200, 10_000, 10_000]);
  });

  it('[GR1] 230 more groups, and 120 channels among them, over several pages of dialogs', async () => {
    const before = await ids();
    const made = await control<{ peer: string }[]>('POST', `/accounts/${ann}/groups`, { count: 230 });
    await control('POST', `/accounts/${ann}/groups`, { count: 120, kind: 'channel' });
    await pause();
    const after = await ids();
    expect(after.toSorted()).toEqual([...before, ...made.map(({ peer }) => peer)].toSorted());
    expect((await get<{ docs: unknown[] }>('/channel')).body.docs).toHaveLength(122);
  });
});

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
  ])('[MS1] %j', async (groupId) => {
    const { status, body } = await get(path(groupId));
    expect([status, { ...body, picture: '' }]).toEqual([200, { ...makers, picture: '' }]);
  });

  it('[GR1] a basic group', async () => {
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
    ['-0', 'invalid chat'],
    ['https://example.com/makers', 'invalid chat'],
    [' ', 'invalid chat'],
  ])('[GR1] %j: %s', async (groupId, message) => {
    const { status, body } = await get(path(groupId));
    expect([status, body]).toEqual([400, { statusCode: 400, message }]);
    const members = await get(`/group/member?groupId=${encodeURIComponent(groupId)}`);
    expect([members.status, members.body]).toEqual([400, { statusCode: 400, message }]);
  });

  it('[GR1] public and not joined, or left on another device', async () => {
    const { world } = reading.scene.telegram;
    const row = world.chats.get('channel:3001');
    if (row === undefined) throw new Error('no such group');
    world.chats.put({ ...row, id: 3998, username: 'outsiders', members: { [bob]: { date: 1, role: 'creator' } } });
    expect(await get(path('outsiders'))).toMatchObject(refused(400, 'group not found'));
    world.chats.put({ ...row, id: 3997, username: 'insiders' });
    expect(await get(path('insiders'))).toMatchObject({ status: 200, body: { id: '-1003997' } });
    change('channel:3997', () => ({ members: { [bob]: { date: 1, role: 'creator' } } }));
    expect(await get(path('insiders'))).toMatchObject(refused(400, 'group not found'));
    expect(await get('/group/member?groupId=insiders')).toMatchObject(refused(400, 'group not found'));
    for (const id of [3997, 3998]) change(`channel:${id}`, () => ({ username: `gone_${id}` }));
  });
});

describe('GET /group/member', () => {
  const membersOf = async (groupId: string): Promise<Member[]> => {
    const { status, body } = await get<{ docs: Member[] }>(`/group/member?groupId=${encodeURIComponent(groupId)}`);
    expect([status, Object.keys(body)]).toEqual([200, ['docs']]);
    return body.docs;
  };

  it('[GR3] a supergroup’s, in pages of 200, each once', async () => {
    let members: Member[] = [];
    const asked = await callsDuring('channels.getParticipants', async () => {
      members = await membersOf('@makers');
    });
    expect(asked).toBe(2);
    const ids = Array.from({ length: 246 }, (_, index) => String(5001 + index));
    expect(members.map(({ id }) => id).toSorted()).toEqual(['1001', '1002', '1003', '1004', ...ids].toSorted());
    expect(members.every((member) => Object.keys(member).join() === 'id,name,username,phone')).toBe(true);
  });

  it('[GR3] a name falls back to username, phone, ID; a phone is there where it is shared', async () => {
    const members = new Map((await membersOf('-1003001')).map((member) => [member.id, member]));
    expect(['1001', '1003', '5002', '5007', '5008', '5004'].map((id) => members.get(id))).toEqual([
      { id: '1001', name: 'Ann Lee', username: 'ann', phone: '15550000001' },
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

  it('[GR3] a basic group’s', async () => {
    expect(await membersOf('-2001')).toEqual([
      { id: '1001', name: 'Ann Lee', username: 'ann', phone: '15550000001' },
      { id: '1002', name: 'Bob Stone', username: 'bob', phone: '15550000002' },
      { id: '1003', name: 'Cara', username: '', phone: '' },
    ]);
  });

  it('[ER3] hidden from who is no admin', async () => {
    expect(await get('/group/member?groupId=-1003002')).toMatchObject(
      refused(500, '400: CHAT_ADMIN_REQUIRED (caused by channels.GetParticipants)'),
    );
  });

  it.each([
    ['/group/member', 'groupId must be a string\ngroupId should not be empty'],
    ['/group/member?groupId=', 'groupId should not be empty'],
    ['/group/member?groupId=a&groupId=b', 'groupId must be a string'],
  ])('[ER2] %s is refused: %j', async (url, message) => {
    const { status, body } = await get(url);
    expect([status, body]).toEqual([400, { statusCode: 400, message }]);
  });
});

describe('who may ask', () => {
  const paths = ['/group', '/group/-2001', '/group/member?groupId=-2001'];

  it.each(paths)('[AU2] GET %s', async (url) => {
    const { gateway } = reading.scene;
    const { id, 'session-id': secret } = reading.caller.headers;
    expect(await gateway.http.request('GET', url)).toMatchObject(refused(400, 'invalid header'));
    const wrong = { id, 'session-id': `${secret.slice(1)}x` };
    expect(await gateway.http.request('GET', url, { headers: wrong })).toMatchObject(refused(404, 'session not found'));
    const waiting = await reading.scene.create();
    expect(await reading.scene.request(waiting, 'GET', url)).toMatchObject(refused(500, 'session not connected'));
  });
});
