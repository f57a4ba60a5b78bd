import { beforeEach, describe, expect, it } from 'vitest';
import { sendMessage } from '../../../../../sandbox/world/messages/send-message.ts';
import { userPeer } from '../../../../../sandbox/world/state/peer.ts';
import { refusedWith } from '../../../../support/sandbox/message-scene.ts';
import { openSendingFixture, type SendingFixture } from '../../../../support/sandbox/sending-fixture.ts';

let fixture: SendingFixture;
beforeEach(async () => {
  fixture = await openSendingFixture();
});

describe('sending a text', () => {
  it('answers in the short form, and adds an update to both boxes', async () => {
    const before = fixture.world.tables.box('user:1001').pts;
    const entities = [{ _: 'messageEntityBold', offset: 0, length: 5 }];
    const answer = await fixture.send(fixture.user(1001, 1002), 'hello Bob', { entities });
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
    await fixture.send(fixture.user(1001, 1003), 'hello Cara');
    const texts = fixture.pushed.map(({ keyIds, updates }) => [keyIds, updates._, updates.out, updates.message]);
    expect(texts).toEqual([
      [[fixture.ann.id], 'updateShortMessage', true, 'hello Cara'],
      [[cara.id], 'updateShortMessage', false, 'hello Cara'],
    ]);
  });

  it('adds a copy with its own ID for each member of a basic group', async () => {
    await fixture.send(fixture.family, 'dinner');
    for (const id of [1001, 1002, 1003]) {
      const newest = fixture.world.tables.history(`user:${id}`, 'chat:2001').at(-1) as number;
      expect(fixture.world.tables.message(`user:${id}`, newest)?.text).toBe('dinner');
    }
  });

  it('uses the pts of the channel in a channel', async () => {
    const before = fixture.world.tables.box('channel:3001').pts;
    const answer = await fixture.send(fixture.channel(1001, 3001), 'hello makers');
    expect(answer.updates[0]).toMatchObject({ _: 'updateMessageID', random_id: fixture.lastRandomId() });
    expect(answer.updates[1]).toMatchObject({ _: 'updateNewChannelMessage', pts: before + 1, pts_count: 1 });
  });

  it.each([
    ['a chat', () => fixture.user(1001, 1002), 'updateNewMessage', 'user:1001'],
    ['a channel', () => fixture.channel(1001, 3001), 'updateNewChannelMessage', 'channel:3001'],
  ] as const)(
    'is deduplicated by random_id in %s: the answer names the message, and counts nothing',
    async (...row) => {
      const [, peer, kind, box] = row;
      await fixture.send(peer(), 'once', { random_id: 5n });
      const newest = fixture.world.tables.history(box, box === 'user:1001' ? 'user:1002' : box).at(-1);
      const { pts } = fixture.world.tables.box(box);
      expect((await fixture.send(peer(), 'once', { random_id: 5n })).updates).toMatchObject([
        { _: 'updateMessageID', id: newest, random_id: 5n },
        { _: kind, message: { id: newest, message: 'once' }, pts, pts_count: 0 },
      ]);
      expect(fixture.world.tables.box(box).pts).toBe(pts);
    },
  );

  it('trims the text without moving its entities, and finds links and mentions', async () => {
    const entities = [{ _: 'messageEntityItalic', offset: 2, length: 2 }];
    const answer = await fixture.send(fixture.user(1001, 1002), '  hi @makers, see https://example.com/a. ', {
      entities,
    });
    expect(answer.entities).toEqual([
      { _: 'messageEntityItalic', offset: 2, length: 2 },
      { _: 'messageEntityMention', offset: 3, length: 7 },
      { _: 'messageEntityUrl', offset: 16, length: 21 },
    ]);
  });

  it('keeps the first 100 of its formatting entities', async () => {
    const entities = Array.from({ length: 150 }, (_, at) => ({ _: 'messageEntityBold', offset: 2 * at, length: 1 }));
    const answer = await fixture.send(fixture.user(1001, 1002), `${'x '.repeat(150)}@makers`, { entities });
    expect(answer.entities).toEqual([...entities.slice(0, 100), { _: 'messageEntityMention', offset: 300, length: 7 }]);
  });

  it.each([
    ['MESSAGE_EMPTY', 400, '   ', {}],
    ['MESSAGE_TOO_LONG', 400, 'x'.repeat(4097), {}],
    ['ENTITY_BOUNDS_INVALID', 400, '\nabc', { entities: [{ _: 'messageEntityBold', offset: 1, length: 3 }] }],
    ['ENTITY_BOUNDS_INVALID', 400, 'abc', { entities: [{ _: 'messageEntityBold', offset: 1, length: 3 }] }],
  ])('is refused: %s', async (text, code, message, more) => {
    await expect(fixture.send(fixture.user(1001, 1002), message, more)).rejects.toMatchObject(refusedWith(text, code));
  });

  it('accepts 4096 characters', async () => {
    expect(await fixture.send(fixture.user(1001, 1002), 'x'.repeat(4096))).toMatchObject({
      _: 'updateShortSentMessage',
    });
  });

  it('is refused if the sender may not write', async () => {
    await expect(fixture.send(fixture.channel(1001, 3003), 'x')).rejects.toMatchObject(
      refusedWith('CHAT_WRITE_FORBIDDEN', 403),
    );
    await expect(fixture.send(fixture.channel(1001, 4002), 'x')).rejects.toMatchObject(
      refusedWith('CHAT_ADMIN_REQUIRED'),
    );
    await expect(fixture.send(fixture.channel(1001, 4003), 'x')).rejects.toMatchObject(
      refusedWith('CHAT_WRITE_FORBIDDEN', 403),
    );
    await expect(fixture.send(fixture.user(1001, 1005), 'x')).rejects.toMatchObject(
      refusedWith('INPUT_USER_DEACTIVATED'),
    );
    const bob = fixture.world.tables.users.get(1002);
    if (bob) fixture.world.tables.users.put({ ...bob, blocked: [1001] });
    await expect(fixture.send(fixture.user(1001, 1002), 'x')).rejects.toMatchObject(refusedWith('USER_IS_BLOCKED'));
  });

  it('is refused in slow mode until the wait is over', async () => {
    await fixture.send(fixture.channel(1001, 3004), 'one');
    await expect(fixture.send(fixture.channel(1001, 3004), 'two')).rejects.toMatchObject(
      refusedWith('SLOWMODE_WAIT_30', 420),
    );
    fixture.clock.time += 30_000;
    expect(await fixture.send(fixture.channel(1001, 3004), 'two')).toMatchObject({ _: 'updates' });
  });

  it('requires the access hash of the viewer', async () => {
    await expect(fixture.send(fixture.user(1003, 1002), 'x')).rejects.toMatchObject(refusedWith('PEER_ID_INVALID'));
    await expect(fixture.send(fixture.channel(1003, 3001), 'x')).rejects.toMatchObject(refusedWith('CHANNEL_INVALID'));
  });
});

describe('replies', () => {
  it("point to the reader's own copy", async () => {
    const first = sendMessage(fixture.world, 1002, userPeer(1001), { text: 'question' });
    const theirs = first.message.id;
    const mine = fixture.world.tables.copiesOf(first.message.twin).get('user:1001') as number;
    expect(mine).not.toBe(theirs);
    const answer = await fixture.send(fixture.user(1001, 1002), 'answer', {
      reply_to: { _: 'inputReplyToMessage', reply_to_msg_id: mine },
    });
    const copy = fixture.world.tables.copiesOf(`user:1001/${answer.id}`).get('user:1002') as number;
    expect(fixture.world.tables.message('user:1002', copy)?.replyTo).toBe(theirs);
  });
});
