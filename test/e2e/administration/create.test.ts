import { describe, expect, it } from 'vitest';
import { useAdministering } from '../../support/e2e/administering-scene.ts';
import { ann, bob } from '../../support/e2e/scene.ts';
import { refused } from '../../support/e2e/writing-scene.ts';

/** `POST /group` and `POST /channel`: what Telegram has afterwards, and that it has it once. */

const on = useAdministering();
const { ask, chat, named } = on;
const cara = '1003';

describe('making a chat', () => {
  it('[GX1.1] a basic group with its users', async () => {
    const { status, body } = await ask('POST', '/group', { name: ' Two of us ', users: [bob, '@helperbot'] });
    expect({ status, missing: body['missing'] }).toEqual({ status: 200, missing: [] });
    const made = chat(body['groupId']);
    expect(made).toMatchObject({ kind: 'chat', title: 'Two of us' });
    expect(Object.keys(made.members).toSorted()).toEqual([ann, bob, '1004']);
    // It is there at once, for the account and for Bob.
    expect((await ask('GET', `/group/${String(body['groupId'])}`)).body).toMatchObject({ name: 'Two of us' });
    const atBob = await on.scene.sandbox.call<{ title?: string }[]>('GET', `/accounts/${bob}/chats`);
    expect(JSON.stringify(atBob)).toContain('Two of us');
  });

  it('[GX1.1] a basic group with a description, which Telegram takes after the group', async () => {
    const { body } = await ask('POST', '/group', { name: 'Rivers', users: [bob], description: 'Wide and slow' });
    expect(chat(body['groupId'])).toMatchObject({ kind: 'chat', title: 'Rivers', about: 'Wide and slow' });
    const read = await ask('GET', `/group/${String(body['groupId'])}`);
    expect(read.body).toMatchObject({ name: 'Rivers', description: 'Wide and slow' });
  });

  it('[GX1.1] a supergroup and a channel, with a description', async () => {
    const group = { name: 'Bridges', users: [bob], kind: 'supergroup', description: 'Stone and steel' };
    const { body: made } = await ask('POST', '/group', group);
    expect(chat(made['groupId'])).toMatchObject({
      kind: 'channel',
      megagroup: true,
      title: 'Bridges',
      about: 'Stone and steel',
    });
    expect(Object.keys(chat(made['groupId']).members).toSorted()).toEqual([ann, bob]);
    const { body: channel } = await ask('POST', '/channel', { name: 'Bridge news', users: [cara] });
    expect(channel).toEqual({ channelId: expect.stringMatching(/^-100\d+$/), missing: [] });
    expect(chat(channel['channelId']).megagroup).toBeFalsy();
    expect(Object.keys(chat(channel['channelId']).members)).toContain(cara);
    const read = await ask('GET', `/channel/${String(channel['channelId'])}`);
    expect(read.body).toMatchObject({ name: 'Bridge news' });
  });

  it.each([
    ['group', 'group'],
    ['supergroup', 'group'],
    ['channel', 'channel'],
  ] as const)('[GX1.1] a %s says who could not be added', async (kind, path) => {
    await on.scene.sandbox.call('PATCH', `/accounts/${cara}`, { blocked: [ann] });
    const body = { name: `Without Cara ${kind}`, users: [bob, cara], ...(path === 'group' && { kind }) };
    const made = await ask('POST', `/${path}`, body);
    expect(made).toMatchObject({ status: 200, body: { missing: [cara] } });
    await on.scene.sandbox.call('PATCH', `/accounts/${cara}`, { blocked: [] });
  });

  it.each<[object, number, string]>([
    [{}, 400, 'name should not be empty'],
    [{ name: 'A', users: 'all' }, 400, 'users must be an array'],
    [{ name: 'A', kind: 'channel' }, 400, 'kind must be one of the following values: group, supergroup'],
    [{ name: 'A', users: ['777000'] }, 400, 'chat not found'],
    [{ name: 'A', users: ['-2001'] }, 400, 'chat not found'],
    [{ name: 'A', users: [] }, 500, '400: USERS_TOO_FEW (caused by messages.CreateChat)'],
  ])('[GX1.1] refuses %j', async (body, status, message) => {
    const before = await on.calls('channels.createChannel');
    expect(await ask('POST', '/group', body)).toMatchObject(refused(status, message));
    expect(await on.calls('channels.createChannel')).toBe(before);
    expect(named('A')).toEqual([]);
  });
});

describe('making it once', () => {
  const kinds: [string, string, object, string][] = [
    ['a group', '/group', { users: [bob] }, 'messages.createChat'],
    ['a supergroup', '/group', { users: [bob], kind: 'supergroup' }, 'channels.createChannel'],
    ['a channel', '/channel', { users: [bob] }, 'channels.createChannel'],
  ];
  const key = (name: string): Record<string, string> => ({ 'idempotency-key': name });

  it.each(kinds)('[GX1.2] %s: a key makes it once, another key another one', async (what, path, fields) => {
    const body = { name: `Once: ${what}`, ...fields };
    const first = await ask('POST', path, body, key(`first ${what}`));
    expect(first.status).toBe(200);
    expect((await ask('POST', path, body, key(`first ${what}`))).body).toEqual(first.body);
    expect(named(body.name)).toHaveLength(1);
    const other = await ask('POST', path, body, key(`second ${what}`));
    expect(other.body).not.toEqual(first.body);
    expect(named(body.name)).toHaveLength(2);
    expect(await ask('POST', path, { ...body, name: 'Other' }, key(`first ${what}`))).toMatchObject(
      refused(400, 'idempotency key was used with another body'),
    );
  });

  it.each(kinds)('[GX1.2] %s whose answer is lost is found, not made again', async (what, path, fields, method) => {
    const body = { name: `Lost: ${what}`, ...fields };
    const before = await on.calls(method);
    await on.fault({ method, dropAnswer: true, times: 1 });
    const { status, body: made } = await on.scene.whilePassing(ask('POST', path, body));
    expect(status).toBe(200);
    expect(named(body.name)).toHaveLength(1);
    expect(await on.calls(method)).toBe(before + 1);
    expect(chat(made['groupId'] ?? made['channelId']).title).toBe(body.name);
  });

  it.each(kinds)('[GX1.2] %s whose request is lost is made', async (what, path, fields, method) => {
    const body = { name: `Refused: ${what}`, ...fields };
    await on.fault({ method, error: 'RPC_CALL_FAIL', code: 500, times: 1 });
    expect(await on.scene.whilePassing(ask('POST', path, body))).toMatchObject({ status: 200 });
    expect(named(body.name)).toHaveLength(1);
  });

  it('[GX1.2] two of one name at the same time, whose answers are both lost, are two', async () => {
    const body = { name: 'Twins', users: [bob] };
    await on.fault({ method: 'messages.createChat', dropAnswer: true, times: 2 });
    const twins = ['one', 'two'].map((twin) => ask('POST', '/group', body, key(`twin ${twin}`)));
    const made = await on.scene.whilePassing(Promise.all(twins));
    expect(made.map(({ status }) => status)).toEqual([200, 200]);
    expect(named('Twins')).toHaveLength(2);
    expect(new Set(made.map((answer) => answer.body['groupId'])).size).toBe(2);
  });

  it('[GX1.2] one of that name from before the key is another one', async () => {
    const body = { name: 'The same name', users: [bob] };
    const old = await ask('POST', '/group', body);
    await on.fault({ method: 'messages.createChat', dropAnswer: true, times: 1 });
    const made = await on.scene.whilePassing(ask('POST', '/group', body, key('the same name')));
    expect(made.status).toBe(200);
    expect(made.body['groupId']).not.toBe(old.body['groupId']);
    expect(named('The same name')).toHaveLength(2);
  });

  it('[GX1.2] one of that name and of another kind, made elsewhere at that time, is another one', async () => {
    const title = 'The same name of another kind';
    await on.scene.sandbox.call('POST', `/accounts/${ann}/groups`, { kind: 'channel', title });
    await on.scene.pass(2_000);
    await on.fault({ method: 'channels.createChannel', dropAnswer: true, times: 1 });
    const body = { name: title, users: [bob], kind: 'supergroup' };
    const made = await on.scene.whilePassing(ask('POST', '/group', body));
    expect(made.status).toBe(200);
    expect(named(title)).toHaveLength(2);
    expect(chat(made.body['groupId'])).toMatchObject({ megagroup: true });
  });
});
