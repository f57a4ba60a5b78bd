import { describe, expect, it } from 'vitest';
import { ann, bob } from '../../support/e2e/scene.ts';
import { refused, useWriting } from '../../support/e2e/writing-scene.ts';

/** `POST /message` to every kind of receiver, in every spelling. */

const cara = '1003';
const writing = useWriting();
const { calls, newText, seen, send } = writing;

describe('receivers', () => {
  it.each<[object, string]>([
    [{ user: bob }, bob],
    [{ user: cara }, cara],
    [{ user: ann }, ann],
    [{ user: ` ${bob} ` }, bob],
    ...[
      'bob',
      '@bob',
      'BOB',
      't.me/bob',
      't.me/bob/',
      'http://t.me/bob',
      'https://t.me/bob',
      'https://t.me/bob?text=hi',
      'telegram.me/bob',
      'https://telegram.me/bob',
      'tg://resolve?domain=bob',
    ].map((username): [object, string] => [{ username }, bob]),
    [{ username: 'makers' }, '-1003001'],
    ...['15550000002', '+15550000002', '+1 (555) 000-0002', ' 1 555 000 00 02 ', '1.555.000.0002'].map(
      (phone): [object, string] => [{ phone }, bob],
    ),
    ...['-2001', '-1003001', 'makers', '@makers', 'Makers', 'https://t.me/makers', 'tg://resolve?domain=makers'].map(
      (group): [object, string] => [{ group }, group === '-2001' ? '-2001' : '-1003001'],
    ),
    ...['-1004001', 'daily', '@daily', 't.me/daily', 'https://telegram.me/daily'].map((channel): [object, string] => [
      { channel },
      '-1004001',
    ]),
  ])('[MS1.4] %j is %s', async (receiver, peer) => {
    const text = newText();
    const { status, body } = await send({ ...receiver, text });
    expect([status, body]).toEqual([200, { messageId: expect.stringMatching(/^[1-9]\d*$/) }]);
    expect(await seen(peer, ann, 1)).toMatchObject([{ id: Number(body['messageId']), text, entities: [] }]);
  });

  it.each([
    [bob, ann],
    ['-2001', '-2001'],
    ['-1003001', '-1003001'],
  ])('[MS1.1] what is sent to %s is seen there by others', async (peer, seenBy) => {
    const text = newText();
    expect(await send({ [peer === bob ? 'user' : 'group']: peer, text })).toMatchObject({ status: 200 });
    expect(await seen(seenBy, bob, 1)).toMatchObject([{ text, out: false }]);
  });

  it('[MS1.1] the interface’s priority where several are filled: group, channel, user, username, phone', async () => {
    const all = { group: '-2001', channel: '-1004001', user: cara, username: 'helperbot', phone: '15550000002' };
    const peers = ['-2001', '-1004001', cara, '1004', bob];
    const names = Object.keys(all);
    for (const [index, peer] of peers.entries()) {
      const text = newText();
      const rest = Object.fromEntries(Object.entries(all).filter(([name]) => names.indexOf(name) >= index));
      const empty = Object.fromEntries(names.slice(0, index).map((name) => [name, index % 2 === 0 ? '' : null]));
      expect(await send({ ...empty, ...rest, text })).toMatchObject({ status: 200 });
      expect(await seen(peer, ann, 1)).toMatchObject([{ text }]);
    }
  });

  it('[SE7.2] a user by ID after a restart, without asking for the dialogs again', async () => {
    expect(await send({ user: cara, text: newText() })).toMatchObject({ status: 200 });
    // What was learned is saved within a minute.
    await writing.scene.pass(60_000);
    await writing.scene.restart();
    await writing.scene.read(writing.caller, (session) => session.isConnected);
    const asked = await Promise.all(['messages.getDialogs', 'contacts.resolveUsername', 'users.getUsers'].map(calls));
    for (const receiver of [{ user: cara }, { user: bob }, { group: '-2001' }, { channel: '-1004001' }]) {
      expect(await send({ ...receiver, text: newText() })).toMatchObject({ status: 200 });
    }
    const [dialogs, names] = await Promise.all(['messages.getDialogs', 'contacts.resolveUsername'].map(calls));
    expect([dialogs, names]).toEqual(asked.slice(0, 2));
  });

  const phoneHidden = 'phone is not on telegram or hidden by its privacy settings';
  it.each<[object, string]>([
    [{}, 'invalid phone, username, user, group or channel'],
    [
      { group: '', channel: null, user: ' ', username: '', phone: '' },
      'invalid phone, username, user, group or channel',
    ],
    [{ phone: '1234567' }, 'invalid receiver'],
    [{ phone: '+1 (234) 567' }, 'invalid receiver'],
    [{ phone: 'no number at all' }, 'invalid receiver'],
    [{ username: 'two words' }, 'invalid chat'],
    [{ username: '1bob' }, 'invalid chat'],
    [{ username: 'bob!' }, 'invalid chat'],
    [{ username: '@' }, 'invalid chat'],
    [{ username: 'https://example.com/bob' }, 'invalid chat'],
    [{ group: 'two words' }, 'invalid chat'],
    [{ channel: '_daily' }, 'invalid chat'],
    [{ username: 'nobody_at_all' }, 'chat not found'],
    [{ group: 'nobody_at_all' }, 'chat not found'],
    [{ channel: 'nobody_at_all' }, 'chat not found'],
    [{ user: '4711' }, 'chat not found'],
    [{ user: 'bob' }, 'chat not found'],
    [{ user: '-2001' }, 'chat not found'],
    [{ group: '-4711' }, 'chat not found'],
    [{ group: '-1009999999' }, 'chat not found'],
    [{ channel: '-1009999999' }, 'chat not found'],
    [{ phone: '15550000003' }, phoneHidden],
    [{ phone: '4915112345678' }, phoneHidden],
    [{ channel: '-2001' }, 'channel not found'],
    [{ channel: '-1003001' }, 'channel not found'],
    [{ channel: 'makers' }, 'channel not found'],
    [{ channel: 'bob' }, 'channel not found'],
    [{ channel: 'strangers' }, 'channel not found'],
    [{ channel: '-1004003' }, 'channel not found'],
    [{ group: '-1004001' }, 'group not found'],
    [{ group: 'daily' }, 'group not found'],
    [{ group: 'bob' }, 'group not found'],
    [{ group: 'strangers' }, 'group not found'],
  ])('[MS1.4] %j is refused: %s', async (receiver, message) => {
    const before = await calls('messages.sendMessage');
    const { status, body } = await send({ text: 'Hello', ...receiver });
    expect([status, body]).toEqual([400, { statusCode: 400, message }]);
    expect(await calls('messages.sendMessage')).toBe(before);
  });

  it('[GR1.2] a group that is public, and not joined, is not found as a group, by name or by ID', async () => {
    const { world } = writing.scene.telegram;
    const makers = world.tables.chats.get('channel:3001');
    if (makers === undefined) throw new Error('no such group');
    world.tables.chats.put({
      ...makers,
      id: 3999,
      username: 'outsiders',
      members: { [bob]: { date: 1, role: 'creator' } },
    });
    expect(await send({ group: 'outsiders', text: 'Hello' })).toMatchObject(refused(400, 'group not found'));
    expect(await send({ group: '-1003999', text: 'Hello' })).toMatchObject(refused(400, 'group not found'));
  });
});
