import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { useAdministering } from '../../support/e2e/administering-scene.ts';
import { reachable, useFiles } from '../../support/e2e/file-server.ts';
import { ann, bob } from '../../support/e2e/scene.ts';
import { uploadTo } from '../../support/e2e/uploading.ts';
import { refused } from '../../support/e2e/writing-scene.ts';

/** What the account changes of its groups and channels: settings, members, roles. */

const files = useFiles();
const on = useAdministering(reachable);
const { ask, chat, done } = on;
const cara = '1003';
const ids: Record<string, string> = {};
const people = (id: string): string[] => Object.keys(chat(id).members).toSorted();

beforeAll(async () => {
  const users = [bob];
  const make = async (path: string, body: object): Promise<string> => {
    const made = await ask('POST', path, { users, ...body });
    return String(made.body['groupId'] ?? made.body['channelId']);
  };
  ids['basic'] = await make('/group', { name: 'Basic' });
  ids['supergroup'] = await make('/group', { name: 'Super', kind: 'supergroup' });
  ids['channel'] = await make('/channel', { name: 'News' });
});

const all = [
  ['basic', 'group'],
  ['supergroup', 'group'],
  ['channel', 'channel'],
] as const;
const groups = all.slice(0, 2);
const of = (which: string): string => ids[which] ?? '';

describe('settings', () => {
  it.each(all)('[GX1.3] name and description of a %s', async (which, path) => {
    const id = of(which);
    const change = { name: `New ${which}`, description: 'What it is for' };
    for (const _again of [1, 2]) {
      expect(await ask('PATCH', `/${path}/${id}`, change)).toMatchObject(done());
      expect(chat(id)).toMatchObject({ title: `New ${which}`, about: 'What it is for' });
    }
    // Not the one that was remembered.
    const shown = async (): Promise<unknown> => (await ask('GET', `/${path}/${id}`)).body;
    // Channels are shown without it.
    const described = (description: string): object => ({
      name: `New ${which}`,
      ...(path === 'group' && { description }),
    });
    expect(await shown()).toMatchObject(described('What it is for'));
    expect(await ask('PATCH', `/${path}/${id}`, { description: '' })).toMatchObject(done());
    expect(await shown()).toMatchObject(described(''));
    expect(chat(id).about ?? '').toBe('');
  });

  it.each(all)('[GX1.3] the picture of a %s', async (which, path) => {
    const png = await sharp({ create: { width: 300, height: 300, channels: 3, background: '#00f' } })
      .png()
      .toBuffer();
    expect(chat(of(which)).photo).toBeUndefined();
    expect(await ask('PATCH', `/${path}/${of(which)}`, { picture: { url: files.serve(png) } })).toMatchObject(done());
    const { photo = 0 } = chat(of(which));
    expect(on.scene.telegram.world.tables.files.get(photo)).toBeDefined();
  });

  it.each([
    ['data', 'supergroup', 'group'],
    ['file', 'channel', 'channel'],
  ])('[GX1.3] a picture without a URL, by its %s, of a %s', async (source, which, path) => {
    const image = { width: 300, height: 300, channels: 3, background: '#0f0' } as const;
    const png = await sharp({ create: image }).png().toBuffer();
    const given = source === 'data' ? png.toString('base64') : (await uploadTo(on.scene, on.caller, png)).body.id;
    const before = chat(of(which)).photo;
    expect(await ask('PATCH', `/${path}/${of(which)}`, { picture: { [source]: given } })).toMatchObject(done());
    expect(chat(of(which)).photo).not.toBe(before);
  });

  it.each(groups)('[GX1.3] what members of a %s may do', async (which, path) => {
    const id = of(which);
    expect(
      await ask('PATCH', `/${path}/${id}`, { permissions: { media: false, polls: false, pin: true, info: false } }),
    ).toMatchObject(done());
    const { defaultBanned = [] } = chat(id);
    expect(defaultBanned).toEqual(
      expect.arrayContaining(['send_media', 'send_photos', 'send_docs', 'send_polls', 'change_info']),
    );
    for (const allowed of ['pin_messages', 'send_plain', 'send_stickers']) expect(defaultBanned).not.toContain(allowed);
    const body = { peer: id, media: { kind: 'photo' } };
    await expect(on.scene.sandbox.call('POST', `/accounts/${bob}/messages`, body)).rejects.toThrow(/FORBIDDEN|photo/i);
    // What is left out stays.
    await ask('PATCH', `/${path}/${id}`, { permissions: { media: true, messages: false } });
    expect(chat(id).defaultBanned).toEqual(expect.arrayContaining(['send_polls', 'send_plain', 'change_info']));
    expect(chat(id).defaultBanned).not.toContain('send_photos');
    await ask('PATCH', `/${path}/${id}`, { permissions: { messages: true } });
    expect(await ask('PATCH', `/${path}/${id}`, { permissions: { messages: true } })).toMatchObject(done());
    expect(chat(id).defaultBanned).not.toContain('send_plain');
  });

  it('[GX1.3] a permission that does not exist is ignored, as every unknown field is', async () => {
    const id = of('supergroup');
    const { defaultBanned } = chat(id);
    const permissions = { colours: true, constructor: false, polls: null };
    expect(await ask('PATCH', `/group/${id}`, { permissions })).toMatchObject(done());
    expect(chat(id).defaultBanned).toEqual(defaultBanned);
  });

  it('[GX1.3] slow mode', async () => {
    const path = `/group/${of('supergroup')}`;
    for (const slowmode of [60, 60, 0]) {
      expect(await ask('PATCH', path, { slowmode })).toMatchObject(done());
      expect(chat(of('supergroup')).slowmodeSeconds ?? 0).toBe(slowmode);
    }
    expect(await ask('PATCH', path, { slowmode: 61 })).toMatchObject(
      refused(500, '400: SECONDS_INVALID (caused by channels.ToggleSlowMode)'),
    );
    expect(await ask('PATCH', `/group/${of('basic')}`, { slowmode: 60 })).toMatchObject(
      refused(400, 'slowmode is for supergroups only'),
    );
  });

  it.each<[string, object, number, string]>([
    ['/group/-1003004', { name: 'Mine' }, 500, '400: CHAT_ADMIN_REQUIRED (caused by channels.EditTitle)'],
    ['/group/-1004003', { name: 'Mine' }, 400, 'chat not found'],
    ['/group/1002', { name: 'Mine' }, 400, 'group not found'],
    ['/channel/-1003001', { name: 'Mine' }, 400, 'channel not found'],
    ['/group/-1003004', { slowmode: 'a' }, 400, 'slowmode must be a number'],
    ['/group/-1003004', { permissions: { media: 'no' } }, 400, 'permissions.media must be a boolean'],
  ])('[GX1.3] %s refuses %j', async (path, body, status, message) => {
    expect(await ask('PATCH', path, body)).toMatchObject(refused(status, message));
  });
});

describe('members', () => {
  it.each(all)('[GX1.4] of a %s come and go', async (which, path) => {
    const id = of(which);
    for (const _again of [1, 2]) {
      const added = await ask('POST', `/${path}/${id}/member`, { users: [cara, '@bobstone'] });
      expect(added).toMatchObject({ status: 200, body: { missing: [] } });
      expect(people(id)).toEqual([ann, bob, cara]);
    }
    for (const _again of [1, 2]) {
      expect(await ask('DELETE', `/${path}/${id}/member?users=${cara},${bob}`)).toMatchObject(done());
      expect(people(id)).toEqual([ann]);
    }
    // The administrator lets them back in.
    await ask('POST', `/${path}/${id}/member`, { users: [bob] });
    expect(people(id)).toEqual([ann, bob]);
  });

  it.each(all)('[GX1.4] of a %s who do not let the account add them', async (which, path) => {
    await on.scene.sandbox.call('PATCH', `/accounts/${cara}`, { blocked: [ann] });
    const added = await ask('POST', `/${path}/${of(which)}/member`, { users: [cara] });
    expect(added).toMatchObject({ status: 200, body: { missing: [cara] } });
    await on.scene.sandbox.call('PATCH', `/accounts/${cara}`, { blocked: [] });
  });

  it.each(all)('[GX1.4] of a %s become administrators, and ordinary again', async (which, path) => {
    const url = `/${path}/${of(which)}/member/${bob}`;
    for (const [role, expected] of [
      ['admin', 'admin'],
      ['admin', 'admin'],
      ['member', undefined],
      ['member', undefined],
    ]) {
      expect(await ask('PUT', url, { role })).toMatchObject(done());
      expect(chat(of(which)).members[bob]?.role).toBe(expected);
    }
    expect(await ask('PUT', url, { role: 'creator' })).toMatchObject(
      refused(400, 'role must be one of the following values: admin, member'),
    );
    expect((await ask('PUT', `/${path}/${of(which)}/member/777000`, { role: 'admin' })).body).toMatchObject({
      message: 'chat not found',
    });
  });

  it('[GX1.4] an administrator gives no rights that they do not have', async () => {
    const id = of('supergroup');
    const { chats } = on.scene.telegram.world.tables;
    const row = chat(id);
    const { date } = row.members[ann] ?? { date: 1 };
    const rights = ['add_admins', 'invite_users', 'pin_messages'];
    chats.put({ ...row, members: { ...row.members, [ann]: { date, role: 'admin', rights }, [bob]: { date } } });
    expect(await ask('PUT', `/group/${id}/member/${bob}`, { role: 'admin' })).toMatchObject(done());
    expect(chat(id).members[bob]?.rights?.toSorted()).toEqual(['invite_users', 'pin_messages']);
    chats.put({ ...chat(id), members: { ...chat(id).members, [ann]: { date, role: 'creator' }, [bob]: { date } } });
  });

  it.each<[string, string, object | undefined, string]>([
    ['POST', '/member', { users: [] }, 'users should not be empty'],
    ['POST', '/member', { users: ['777000'] }, 'chat not found'],
    ['POST', '/member', {}, 'users should not be empty'],
    ['DELETE', '/member', undefined, 'users must be a string\nusers should not be empty'],
  ])('[GX1.4] %s %s %j is refused', async (method, path, body, message) => {
    expect(await ask(method, `/group/${of('basic')}${path}`, body)).toMatchObject(refused(400, message));
  });
});
