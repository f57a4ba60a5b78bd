import { beforeEach, describe, expect, it } from 'vitest';
import type { AuthKey, TlObject } from '../../../../sandbox/rpc.ts';
import { accessHash } from '../../../../sandbox/world/access-hash.ts';
import { updatesAfter } from '../../../../sandbox/world/messages/message-boxes.ts';
import { sendMessage } from '../../../../sandbox/world/messages/send-message.ts';
import { channelPeer, userPeer } from '../../../../sandbox/world/state/peer.ts';
import { openWorldFixture, type WorldFixture } from '../../../support/sandbox/world-fixture.ts';

let fixture: WorldFixture;
let ann: AuthKey;
beforeEach(async () => {
  fixture = await openWorldFixture({ differenceSlice: 3 });
  ann = await fixture.logIn(1001);
  fixture.pushed.length = 0;
});

const user = (viewer: number, id: number): TlObject => ({
  _: 'inputPeerUser',
  user_id: BigInt(id),
  access_hash: accessHash(fixture.world, viewer, 'user', id),
});
const channel = (viewer: number, id: number): TlObject => ({
  _: 'inputPeerChannel',
  channel_id: BigInt(id),
  access_hash: accessHash(fixture.world, viewer, 'channel', id),
});
const family = { _: 'inputPeerChat', chat_id: 2001n };
let lastRandomId = 0n;
const send = (peer: TlObject, message: string, more: Record<string, unknown> = {}) => {
  lastRandomId += 1n;
  return fixture.call(ann, 'messages.sendMessage', { peer, message, random_id: lastRandomId, ...more });
};
const rejected = (code: number, text: string) => ({ code, text });

describe('sending a text', () => {
  it('answers in the short form, and adds an update to both boxes', async () => {
    const before = fixture.world.tables.box('user:1001').pts;
    const entities = [{ _: 'messageEntityBold', offset: 0, length: 5 }];
    const answer = await send(user(1001, 1002), 'hello Bob', { entities });
    expect(answer).toMatchObject({ _: 'updateShortSentMessage', pts: before + 1, pts_count: 1, entities });
    const theirs = fixture.world.tables.history('user:1002', 'user:1001').at(-1) as number;
    expect(fixture.world.tables.message('user:1002', theirs)).toMatchObject({
      text: 'hello Bob',
      out: false,
      entities,
    });
  });

  it('is pushed to the devices of both users, in the short form if the chat had messages before', async () => {
    const cara = await fixture.logIn(1003);
    fixture.pushed.length = 0;
    await send(user(1001, 1003), 'hello Cara');
    const texts = fixture.pushed.map(({ keyIds, updates }) => [keyIds, updates._, updates.out, updates.message]);
    expect(texts).toEqual([
      [[ann.id], 'updateShortMessage', true, 'hello Cara'],
      [[cara.id], 'updateShortMessage', false, 'hello Cara'],
    ]);
  });

  it('adds a copy with its own ID for each member of a basic group', async () => {
    await send(family, 'dinner');
    for (const id of [1001, 1002, 1003]) {
      const newest = fixture.world.tables.history(`user:${id}`, 'chat:2001').at(-1) as number;
      expect(fixture.world.tables.message(`user:${id}`, newest)?.text).toBe('dinner');
    }
  });

  it('uses the pts of the channel in a channel', async () => {
    const before = fixture.world.tables.box('channel:3001').pts;
    const answer = await send(channel(1001, 3001), 'hello makers');
    expect(answer.updates[0]).toMatchObject({ _: 'updateMessageID', random_id: lastRandomId });
    expect(answer.updates[1]).toMatchObject({ _: 'updateNewChannelMessage', pts: before + 1, pts_count: 1 });
  });

  it.each([
    ['a chat', () => user(1001, 1002), 'updateNewMessage', 'user:1001'],
    ['a channel', () => channel(1001, 3001), 'updateNewChannelMessage', 'channel:3001'],
  ] as const)(
    'is deduplicated by random_id in %s: the answer names the message, and counts nothing',
    async (...row) => {
      const [, peer, kind, box] = row;
      await send(peer(), 'once', { random_id: 5n });
      const newest = fixture.world.tables.history(box, box === 'user:1001' ? 'user:1002' : box).at(-1);
      const { pts } = fixture.world.tables.box(box);
      expect((await send(peer(), 'once', { random_id: 5n })).updates).toMatchObject([
        { _: 'updateMessageID', id: newest, random_id: 5n },
        { _: kind, message: { id: newest, message: 'once' }, pts, pts_count: 0 },
      ]);
      expect(fixture.world.tables.box(box).pts).toBe(pts);
    },
  );

  it('trims the text without moving its entities, and finds links and mentions', async () => {
    const entities = [{ _: 'messageEntityItalic', offset: 2, length: 2 }];
    const answer = await send(user(1001, 1002), '  hi @makers, see https://example.com/a. ', { entities });
    expect(answer.entities).toEqual([
      { _: 'messageEntityItalic', offset: 2, length: 2 },
      { _: 'messageEntityMention', offset: 3, length: 7 },
      { _: 'messageEntityUrl', offset: 16, length: 21 },
    ]);
  });

  it('keeps the first 100 of its formatting entities', async () => {
    const entities = Array.from({ length: 150 }, (_, at) => ({ _: 'messageEntityBold', offset: 2 * at, length: 1 }));
    const answer = await send(user(1001, 1002), `${'x '.repeat(150)}@makers`, { entities });
    expect(answer.entities).toEqual([...entities.slice(0, 100), { _: 'messageEntityMention', offset: 300, length: 7 }]);
  });

  it.each([
    ['MESSAGE_EMPTY', 400, '   ', {}],
    ['MESSAGE_TOO_LONG', 400, 'x'.repeat(4097), {}],
    ['ENTITY_BOUNDS_INVALID', 400, '\nabc', { entities: [{ _: 'messageEntityBold', offset: 1, length: 3 }] }],
    ['ENTITY_BOUNDS_INVALID', 400, 'abc', { entities: [{ _: 'messageEntityBold', offset: 1, length: 3 }] }],
  ])('is refused: %s', async (text, code, message, more) => {
    await expect(send(user(1001, 1002), message, more)).rejects.toMatchObject(rejected(code, text));
  });

  it('accepts 4096 characters', async () => {
    expect(await send(user(1001, 1002), 'x'.repeat(4096))).toMatchObject({ _: 'updateShortSentMessage' });
  });

  it('is refused if the sender may not write', async () => {
    await expect(send(channel(1001, 3003), 'x')).rejects.toMatchObject(rejected(403, 'CHAT_WRITE_FORBIDDEN'));
    await expect(send(channel(1001, 4002), 'x')).rejects.toMatchObject(rejected(400, 'CHAT_ADMIN_REQUIRED'));
    await expect(send(channel(1001, 4003), 'x')).rejects.toMatchObject(rejected(403, 'CHAT_WRITE_FORBIDDEN'));
    await expect(send(user(1001, 1005), 'x')).rejects.toMatchObject(rejected(400, 'INPUT_USER_DEACTIVATED'));
    const bob = fixture.world.tables.users.get(1002);
    if (bob) fixture.world.tables.users.put({ ...bob, blocked: [1001] });
    await expect(send(user(1001, 1002), 'x')).rejects.toMatchObject(rejected(400, 'USER_IS_BLOCKED'));
  });

  it('is refused in slow mode until the wait is over', async () => {
    await send(channel(1001, 3004), 'one');
    await expect(send(channel(1001, 3004), 'two')).rejects.toMatchObject(rejected(420, 'SLOWMODE_WAIT_30'));
    fixture.clock.time += 30_000;
    expect(await send(channel(1001, 3004), 'two')).toMatchObject({ _: 'updates' });
  });

  it('requires the access hash of the viewer', async () => {
    await expect(send(user(1003, 1002), 'x')).rejects.toMatchObject(rejected(400, 'PEER_ID_INVALID'));
    await expect(send(channel(1003, 3001), 'x')).rejects.toMatchObject(rejected(400, 'CHANNEL_INVALID'));
  });
});

describe('replies', () => {
  it("point to the reader's own copy", async () => {
    const first = sendMessage(fixture.world, 1002, userPeer(1001), { text: 'question' });
    const theirs = first.message.id;
    const mine = fixture.world.tables.copiesOf(first.message.twin).get('user:1001') as number;
    expect(mine).not.toBe(theirs);
    const answer = await send(user(1001, 1002), 'answer', {
      reply_to: { _: 'inputReplyToMessage', reply_to_msg_id: mine },
    });
    const copy = fixture.world.tables.copiesOf(`user:1001/${answer.id}`).get('user:1002') as number;
    expect(fixture.world.tables.message('user:1002', copy)?.replyTo).toBe(theirs);
  });
});

describe('changing messages', () => {
  it('edits all copies; refuses messages of others, and texts that stay the same', async () => {
    const { id } = await send(user(1001, 1002), 'first');
    const edit = (message: string, of = id) =>
      fixture.call(ann, 'messages.editMessage', { peer: user(1001, 1002), id: of, message });
    const answer = await edit('second');
    expect(answer.updates[0]).toMatchObject({ _: 'updateEditMessage', message: { message: 'second' } });
    const copy = fixture.world.tables.copiesOf(`user:1001/${id}`).get('user:1002') as number;
    expect(fixture.world.tables.message('user:1002', copy)?.text).toBe('second');
    await expect(edit('second')).rejects.toMatchObject(rejected(400, 'MESSAGE_NOT_MODIFIED'));
    const { message } = sendMessage(fixture.world, 1002, userPeer(1001), { text: 'theirs' });
    const theirs = fixture.world.tables.copiesOf(message.twin).get('user:1001') as number;
    await expect(edit('x', theirs)).rejects.toMatchObject(rejected(403, 'MESSAGE_AUTHOR_REQUIRED'));
  });

  it('deletes one copy, or all copies', async () => {
    const { id } = await send(user(1001, 1002), 'gone');
    const copy = fixture.world.tables.copiesOf(`user:1001/${id}`).get('user:1002') as number;
    const only = await fixture.call(ann, 'messages.deleteMessages', { id: [id] });
    expect(only).toMatchObject({ _: 'messages.affectedMessages', pts_count: 1 });
    expect(fixture.world.tables.message('user:1002', copy)?.text).toBe('gone');
    const both = await send(user(1001, 1002), 'gone for all');
    await fixture.call(ann, 'messages.deleteMessages', { id: [both.id], revoke: true });
    expect(fixture.world.tables.history('user:1002', 'user:1001').at(-1)).toBe(copy);
  });

  it("marks as read, and moves the sender's read position", async () => {
    const dialog = async () => {
      const peers = [{ _: 'inputDialogPeer', peer: user(1001, 1002) }];
      return (await fixture.call(ann, 'messages.getPeerDialogs', { peers })).dialogs[0];
    };
    sendMessage(fixture.world, 1002, userPeer(1001), { text: 'news' });
    expect((await dialog()).unread_count).toBeGreaterThan(0);
    const pts = fixture.world.tables.box('user:1001').pts;
    const done = await fixture.call(ann, 'messages.readHistory', { peer: user(1001, 1002), max_id: 0 });
    expect(done).toMatchObject({ pts: pts + 1, pts_count: 1 });
    expect(await dialog()).toMatchObject({ unread_count: 0, read_inbox_max_id: (await dialog()).top_message });
    expect(fixture.world.tables.dialogs.get('1002/user:1001')?.readOutbox).toBeGreaterThan(0);
    const again = await fixture.call(ann, 'messages.readHistory', { peer: user(1001, 1002), max_id: 0 });
    expect(again).toMatchObject({ pts_count: 0 });
  });
});

describe('differences', () => {
  const difference = (pts: number) => fixture.call(ann, 'updates.getDifference', { pts, date: 0, qts: 0 });

  it('come in slices without gaps or repetitions', async () => {
    const { pts } = await fixture.call(ann, 'updates.getState');
    for (let number = 1; number <= 8; number += 1) {
      sendMessage(fixture.world, 1002, userPeer(1001), { text: `missed ${number}` });
    }
    const texts: string[] = [];
    const names: string[] = [];
    let at = pts as number;
    for (let answer = await difference(at); ; answer = await difference(at)) {
      names.push(answer._);
      if (answer._ === 'updates.differenceEmpty') break;
      texts.push(...answer.new_messages.map(({ message }: TlObject) => message));
      at = (answer.intermediate_state ?? answer.state).pts;
    }
    expect(texts).toEqual(Array.from({ length: 8 }, (_, index) => `missed ${index + 1}`));
    expect(names.map((name) => name.slice(8))).toEqual([
      'differenceSlice',
      'differenceSlice',
      'difference',
      'differenceEmpty',
    ]);
    expect(at).toBe(fixture.world.tables.box('user:1001').pts);
  });

  it('do not move on, or hold what no layer can read, where a fault says so', async () => {
    const { pts } = await fixture.call(ann, 'updates.getState');
    fixture.world.differenceFaults.setStuck(2, 1001);
    fixture.world.differenceFaults.setUnreadable(1, 1001);
    for (const text of ['unread', 'read']) sendMessage(fixture.world, 1002, userPeer(1001), { text });
    for (const time of [1, 2]) {
      const stuck = await difference(pts as number);
      expect(stuck, `time ${time}`).toMatchObject({
        _: 'updates.differenceSlice',
        new_messages: [],
        intermediate_state: { pts, date: 0 },
      });
    }
    expect(await difference(pts as number)).toMatchObject({
      _: 'updates.difference',
      new_messages: [{ message: 'read' }],
      other_updates: [{ _: 'updateOfLaterLayer' }],
    });
    expect(await difference((pts as number) + 1)).toMatchObject({
      new_messages: [{ message: 'read' }],
      other_updates: [],
    });
  });

  it('name the channels that have news, which have their own pts', async () => {
    const { pts } = await fixture.call(ann, 'updates.getState');
    const channelPts = fixture.world.tables.box('channel:3001').pts;
    const date = fixture.clock.time / 1000;
    for (let number = 1; number <= 5; number += 1) {
      sendMessage(fixture.world, 1002, channelPeer(3001), { text: `news ${number}` });
    }
    const answer = await fixture.call(ann, 'updates.getDifference', { pts, date, qts: 0 });
    expect(answer.other_updates).toEqual([{ _: 'updateChannelTooLong', channel_id: 3001n, pts: channelPts + 5 }]);
    const input = { ...channel(1001, 3001), _: 'inputChannel' };
    const ask = (from: number) =>
      fixture.call(ann, 'updates.getChannelDifference', { channel: input, pts: from, limit: 100, filter: {} });
    const first = await ask(channelPts);
    expect(first).toMatchObject({ final: false, pts: channelPts + 3 });
    const second = await ask(channelPts + 3);
    expect(second).toMatchObject({ final: true, pts: channelPts + 5 });
    const texts = [...first.new_messages, ...second.new_messages].map(({ message }: TlObject) => message);
    expect(texts).toEqual(['news 1', 'news 2', 'news 3', 'news 4', 'news 5']);
    expect(await ask(channelPts + 5)).toMatchObject({ _: 'updates.channelDifferenceEmpty' });
  });

  it('refuse a pts that was never reached', async () => {
    await expect(difference(10_000)).rejects.toMatchObject(rejected(400, 'PERSISTENT_TIMESTAMP_INVALID'));
    await expect(difference(0)).rejects.toMatchObject(rejected(400, 'PERSISTENT_TIMESTAMP_EMPTY'));
  });
});

describe('users and chats', () => {
  it('pushes users whom the viewer has not met as min users, reachable through the message', async () => {
    const { message } = sendMessage(fixture.world, 5002, channelPeer(3001), { text: 'a stranger' });
    const { pushUpdates } = await import('../../../../sandbox/api/push/push-updates.ts');
    const row = updatesAfter(fixture.world, 'channel:3001', fixture.world.tables.box('channel:3001').pts - 1);
    pushUpdates(fixture.world, row);
    const [stranger] = fixture.pushed.at(-1)?.updates.users ?? [];
    expect(stranger).toMatchObject({ id: 5002n, min: true });
    const asMin = { _: 'inputPeerUser', user_id: 5002n, access_hash: stranger.access_hash };
    await expect(send(asMin, 'hi')).rejects.toMatchObject(rejected(400, 'PEER_ID_INVALID'));
    const peer = channel(1001, 3001);
    const from = { _: 'inputPeerUserFromMessage', peer, msg_id: message.id, user_id: 5002n };
    expect(await send(from, 'hi')).toMatchObject({ _: 'updateShortSentMessage' });
  });

  it('hides phone numbers, and does not find users by a hidden one', async () => {
    const resolve = (phone: string) => fixture.call(ann, 'contacts.resolvePhone', { phone });
    expect((await resolve('+1 555 000 0002')).peer).toEqual({ _: 'peerUser', user_id: 1002n });
    await expect(resolve('15550000003')).rejects.toMatchObject(rejected(400, 'PHONE_NOT_OCCUPIED'));
    const [cara] = (await fixture.call(ann, 'users.getUsers', { id: [user(1001, 1003)] })) as unknown as TlObject[];
    expect(cara).toMatchObject({ first_name: 'Cara' });
    expect(cara?.phone).toBeUndefined();
  });

  it('resolves usernames', async () => {
    const resolve = (username: string) => fixture.call(ann, 'contacts.resolveUsername', { username });
    expect((await resolve('BOB')).peer).toEqual({ _: 'peerUser', user_id: 1002n });
    expect((await resolve('daily')).peer).toEqual({ _: 'peerChannel', channel_id: 4001n });
    await expect(resolve('nobody_here')).rejects.toMatchObject(rejected(400, 'USERNAME_NOT_OCCUPIED'));
    await expect(resolve('a b')).rejects.toMatchObject(rejected(400, 'USERNAME_INVALID'));
  });

  it('lists members if the group allows it', async () => {
    const members = (id: number, offset = 0) =>
      fixture.call(ann, 'channels.getParticipants', {
        channel: { ...channel(1001, id), _: 'inputChannel' },
        filter: { _: 'channelParticipantsRecent' },
        offset,
        limit: 1_000,
      });
    expect((await members(3001)).participants).toHaveLength(200);
    expect((await members(3001, 200)).participants).toHaveLength(50);
    await expect(members(3002)).rejects.toMatchObject(rejected(400, 'CHAT_ADMIN_REQUIRED'));
    await expect(members(4002)).rejects.toMatchObject(rejected(400, 'CHAT_ADMIN_REQUIRED'));
    expect((await members(4001)).count).toBe(3);
  });

  it('pages through dialogs', async () => {
    const all: string[] = [];
    let offset: Record<string, unknown> = { offset_peer: { _: 'inputPeerEmpty' }, offset_date: 0, offset_id: 0 };
    for (;;) {
      const page = await fixture.call(ann, 'messages.getDialogs', { ...offset, limit: 4 });
      all.push(...page.dialogs.map(({ peer }: TlObject) => JSON.stringify(Object.values(peer).map(String))));
      if (page.dialogs.length < 4) break;
      const last = page.dialogs.at(-1).peer;
      const id = Number(last.user_id ?? last.channel_id ?? last.chat_id);
      const peers: Record<string, TlObject> = {
        peerUser: user(1001, id),
        peerChannel: channel(1001, id),
        peerChat: { _: 'inputPeerChat', chat_id: BigInt(id) },
      };
      offset = { offset_peer: peers[last._], offset_date: page.messages.at(-1).date, offset_id: 0 };
    }
    expect(new Set(all).size).toBe(all.length);
    expect(all.length).toBe(11);
  });
});

describe('unknown methods', () => {
  it('are refused and logged', async () => {
    await expect(fixture.call(ann, 'stories.getAllStories')).rejects.toMatchObject(rejected(400, 'METHOD_INVALID'));
    expect(fixture.world.calls.list({ method: 'stories.getAllStories' })).toMatchObject([
      { userId: '1001', error: '400 METHOD_INVALID' },
    ]);
  });
});
