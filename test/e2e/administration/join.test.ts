import { describe, expect, it } from 'vitest';
import { useAdministering } from '../../support/e2e/administering-scene.ts';
import { ann, bob } from '../../support/e2e/scene.ts';
import { refused } from '../../support/e2e/writing-scene.ts';

/** Invite links, joining and leaving. */

const on = useAdministering();
const { ask, chat, done } = on;
interface Link {
  link: string;
  name: string;
  expires: string;
  limit: number;
  uses: number;
  approval: boolean;
}
const isIn = (id: string): boolean => chat(id).members[ann] !== undefined;
const make = async (path: string, body: object): Promise<string> => {
  const { body: made } = await ask('POST', path, { users: [bob], ...body });
  return String(made['groupId'] ?? made['channelId']);
};
/** Somebody else's chat now, with a link of theirs that Ann has made before. */
const handOver = (id: string): void => {
  const { chats } = on.scene.telegram.world.tables;
  const row = chat(id);
  const { [ann]: own, ...members } = row.members;
  chats.put({ ...row, members: { ...members, [bob]: { date: own?.date ?? 1, role: 'creator' } } });
};

const kinds = [
  ['basic group', '/group', 'group', {}],
  ['supergroup', '/group', 'group', { kind: 'supergroup' }],
  ['channel', '/channel', 'channel', {}],
] as const;

describe.each(kinds)('of a %s', (what, path, kind, fields) => {
  it('[GX1.5] links are made and listed', async () => {
    const id = await make(path, { name: `Links of a ${what}`, ...fields });
    const expires = '2030-01-01T00:00:00.000Z';
    const limited = await ask<Link>('POST', `${path}/${id}/invite`, { name: 'Spring', expires, limit: 5 });
    expect(limited).toMatchObject({
      status: 200,
      body: { name: 'Spring', expires, limit: 5, uses: 0, approval: false },
    });
    const { body: plain } = await ask<Link>('POST', `${path}/${id}/invite`, {});
    expect(plain).toMatchObject({ name: '', expires: '', limit: 0 });
    expect(plain.link).toMatch(/^https:\/\/t\.me\/\+[\w-]+$/);
    const { body } = await ask<{ docs: Link[] }>('GET', `${path}/${id}/invite`);
    expect(body.docs.map(({ link }) => link)).toEqual(expect.arrayContaining([limited.body.link, plain.link]));
    expect(await ask('POST', `${path}/${id}/invite`, { expires: 'soon' })).toMatchObject(
      refused(400, 'expires must be an ISO 8601 time'),
    );
    expect(await ask('POST', `${path}/${id}/invite`, { limit: 0 })).toMatchObject(
      refused(400, 'limit must be between 1 and 99999'),
    );
  });

  it('[GX1.6] a link lets the account in, once; then it leaves', async () => {
    const id = await make(path, { name: `Joined ${what}`, ...fields });
    const { body } = await ask<Link>('POST', `${path}/${id}/invite`, {});
    const other = kind === 'group' ? 'channel' : 'group';
    handOver(id);
    expect(isIn(id)).toBe(false);
    expect(await ask('POST', `/${other}/join`, { link: body.link })).toMatchObject(refused(400, `${other} not found`));
    const hash = body.link.split('+')[1] ?? '';
    const forms = [body.link, `t.me/joinchat/${hash}`, `tg://join?invite=${hash}`];
    for (const link of forms) {
      expect(await ask('POST', `/${kind}/join`, { link })).toMatchObject({ status: 200, body: { [`${kind}Id`]: id } });
      expect(isIn(id)).toBe(true);
    }
    expect(await ask('GET', `${path}/${id}`)).toMatchObject({ status: 200 });
    expect(await ask('DELETE', `${path}/${id}/membership`)).toMatchObject(done());
    expect(isIn(id)).toBe(false);
    expect(await ask('DELETE', `${path}/${id}/membership`)).toMatchObject(refused(400, `${kind} not found`));
  });

  it('[GX1.6] a link that needs an approval lets nobody in yet', async () => {
    const id = await make(path, { name: `Asked ${what}`, ...fields });
    const { body } = await ask<Link>('POST', `${path}/${id}/invite`, { approval: true });
    expect(body.approval).toBe(true);
    handOver(id);
    expect(await ask('POST', `/${kind}/join`, { link: body.link })).toMatchObject({
      status: 200,
      body: { [`${kind}Id`]: '' },
    });
    expect(isIn(id)).toBe(false);
  });
});

describe('a public name', () => {
  it('[GX1.6] is joined, by link or username', async () => {
    const strangers = '-1004003';
    for (const link of ['https://t.me/strangers', '@strangers', 'strangers']) {
      expect(await ask('POST', '/channel/join', { link })).toMatchObject({
        status: 200,
        body: { channelId: strangers },
      });
      expect(isIn(strangers)).toBe(true);
    }
    expect(await ask('DELETE', `/channel/${strangers}/membership`)).toMatchObject(done());
    expect(isIn(strangers)).toBe(false);
  });

  it.each<[string, string, number, string]>([
    ['/group/join', '@strangers', 400, 'group not found'],
    ['/channel/join', '@bobstone', 400, 'channel not found'],
    ['/channel/join', '@nobody_there', 400, 'chat not found'],
    ['/channel/join', 'https://example.org/a', 400, 'invalid chat'],
    ['/group/join', ' ', 400, 'link should not be empty'],
    ['/group/join', 't.me/+AAAAAAAAAAAAAAAA', 500, '400: INVITE_HASH_INVALID (caused by messages.CheckChatInvite)'],
  ])('[GX1.6] %s %s is refused', async (path, link, status, message) => {
    expect(await ask('POST', path, { link })).toMatchObject(refused(status, message));
  });

  it('[GX1.6] its own channel it cannot leave', async () => {
    const id = await make('/channel', { name: 'Kept' });
    expect(await ask('DELETE', `/channel/${id}/membership`)).toMatchObject(
      refused(500, '400: USER_CREATOR (caused by channels.LeaveChannel)'),
    );
  });
});
