import { describe, expect, it } from 'vitest';
import type { Group } from '../../../src/chats/groups.ts';
import { membersBut, useReading } from '../../support/e2e/reading-scene.ts';
import { ann } from '../../support/e2e/scene.ts';
import {
  family,
  listGroups,
  makeGroup,
  makers,
  groupPath as path,
  untilListsAreAskedForAgain,
} from '../../support/e2e/seeded-groups.ts';
import { itIsForConnectedSessions } from '../../support/e2e/session-bound.ts';
import { refused } from '../../support/e2e/writing-scene.ts';

/** `GET /group` against the seeded world: which groups there are. */

const reading = useReading();
const { change, get } = reading;

const plain = { username: '', description: '', picture: '', created: '2025-12-16T09:00:00.000Z' };
const byId = (a: { id: string }, b: { id: string }): number => Number(a.id) - Number(b.id);
const listed = (): Promise<Group[]> => listGroups(reading);
const pause = (): Promise<void> => untilListsAreAskedForAgain(reading);

describe('GET /group', () => {
  it('[GR1.1] basic groups and supergroups that the account is in, with every field, and no channel', async () => {
    expect((await listed()).toSorted(byId)).toEqual([
      { id: '-1003004', name: 'Slow', ...plain },
      { id: '-1003003', name: 'Read only', ...plain },
      { id: '-1003002', name: 'Quiet room', ...plain },
      makers,
      family,
    ]);
  });

  it('[GR1.1] [GR1.3] a group that the account was put out of is gone, and comes back when it is in again', async () => {
    change('channel:3002', (chat) => ({ members: membersBut(ann, chat) }));
    await pause();
    expect((await listed()).map(({ id }) => id)).not.toContain('-1003002');
    expect(await get(path('-1003002'))).toMatchObject(refused(400, 'group not found'));
    expect(await get('/group/member?groupId=-1003002')).toMatchObject(refused(400, 'group not found'));
    change('channel:3002', ({ members }) => ({ members: { ...members, [ann]: { date: 1_765_875_600 } } }));
    await reading.scene.pass(61_000);
    expect((await listed()).map(({ id }) => id)).toContain('-1003002');
    expect(await get(path('-1003002'))).toMatchObject({ status: 200 });
  });
});

describe('what a list is made of', () => {
  const control = <T>(method: string, url: string, body: object = {}): Promise<T> =>
    reading.scene.sandbox.call(method, url, body);
  const make = (body: object): Promise<string> => makeGroup(reading, body);
  const ids = async (): Promise<string[]> => (await listed()).map(({ id }) => id);

  it('[GR1.1] archived groups too', async () => {
    await control('PUT', `/accounts/${ann}/chats/-1003001`, { folder: 1 });
    await control('PUT', `/accounts/${ann}/chats/-2001`, { folder: 1 });
    await pause();
    expect((await ids()).toSorted()).toEqual(['-1003001', '-1003002', '-1003003', '-1003004', '-2001']);
    await control('PUT', `/accounts/${ann}/chats/-2001`, { folder: 0 });
  });

  it('[GR1.1] a basic group that was migrated is its supergroup alone', async () => {
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

  it.each(['basic', 'supergroup'])('[GR1.1] a %s group that the account was put out of, or left', async (kind) => {
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

  it('[GR1.1] 230 more groups, and 120 channels among them, over several pages of dialogs', async () => {
    const before = await ids();
    const made = await control<{ peer: string }[]>('POST', `/accounts/${ann}/groups`, { count: 230 });
    await control('POST', `/accounts/${ann}/groups`, { count: 120, kind: 'channel' });
    await pause();
    const after = await ids();
    expect(after.toSorted()).toEqual([...before, ...made.map(({ peer }) => peer)].toSorted());
    expect((await get<{ docs: unknown[] }>('/channel')).body.docs).toHaveLength(122);
  });
});

describe('who may ask', () => {
  itIsForConnectedSessions(reading, ['/group', '/group/-2001', '/group/member?groupId=-2001']);
});
