import bigInt from 'big-integer';
import { Api } from 'telegram/tl/index.js';
import { describe, expect, it } from 'vitest';
import { momentUpdate } from '../../../../../src/telegram/gramjs/updates/live-update.ts';
import { chatUpdates } from '../../../../../src/telegram/gramjs/updates/read-update.ts';

const own = '1';
const group = new Api.PeerChat({ chatId: bigInt(20) });
const channel = new Api.PeerChannel({ channelId: bigInt(30) });
const person = (id: number) => new Api.PeerUser({ userId: bigInt(id) });
const place = { pts: 1, ptsCount: 1 };
const read = (update: Api.TypeUpdate): unknown[] => chatUpdates(update, own);
const service = (action: Api.TypeMessageAction, of: Api.TypePeer = group, from = 7) => {
  const message = new Api.MessageService({ id: 5, peerId: of, fromId: person(from), date: 9, action });
  return new Api.UpdateNewMessage({ message, ...place });
};
const users = (...ids: number[]) => ids.map((id) => bigInt(id));

describe('an update of a story', () => {
  const media = new Api.MessageMediaEmpty();
  const story = (fields: object = {}) => new Api.StoryItem({ id: 3, date: 9, expireDate: 99, media, ...fields });
  const told = (item: Api.TypeStoryItem, by = 7): unknown[] =>
    read(new Api.UpdateStory({ peer: person(by), story: item }));

  it('[EV1.13] is a new one of another person, not an edited or deleted one', () => {
    expect(told(story())).toMatchObject([{ type: 'story', date: 9, chatId: '7' }]);
    for (const item of [story({ edited: true }), new Api.StoryItemDeleted({ id: 3 })]) expect(told(item)).toEqual([]);
    for (const by of [1, 777000]) expect(told(story(), by)).toEqual([]);
  });
});

describe('an update of a group or channel', () => {
  it('[EV1.6] is the account entering or leaving a group, and other members doing so', () => {
    const added = new Api.MessageActionChatAddUser({ users: users(1, 7, 8) });
    expect(read(service(added))).toMatchObject([
      { type: 'chat.joined', chatId: '-20', byId: '7' },
      { type: 'chat.member', userId: '7', action: 'joined', byId: '7' },
      { type: 'chat.member', userId: '8', action: 'added', byId: '7' },
    ]);
    const gone = (id: number) => new Api.MessageActionChatDeleteUser({ userId: bigInt(id) });
    expect(read(service(gone(1)))).toMatchObject([{ type: 'chat.left', byId: '7' }]);
    expect(read(service(gone(7)))).toMatchObject([{ action: 'left' }]);
    expect(read(service(gone(8)))).toMatchObject([{ action: 'removed' }]);
    expect(read(service(new Api.MessageActionChatJoinedByRequest()))).toMatchObject([
      { userId: '7', action: 'joined' },
    ]);
    expect(read(service(new Api.MessageActionChatCreate({ title: 'T', users: users(1, 7) })))).toMatchObject([
      { type: 'chat.joined', byId: '7' },
    ]);
  });

  it('[EV1.6] leaves to a supergroup itself whether the account is in it, and says nothing of other service messages', () => {
    expect(read(service(new Api.MessageActionChatAddUser({ users: users(1) }), channel))).toEqual([]);
    expect(read(service(new Api.MessageActionPinMessage()))).toEqual([]);
    expect(read(service(new Api.MessageActionPinMessage(), person(7)))).toEqual([]);
  });

  it.each([
    [undefined, new Api.ChannelParticipant({ userId: bigInt(8), date: 1 }), 'added'],
    [new Api.ChannelParticipant({ userId: bigInt(8), date: 1 }), undefined, 'removed'],
    [
      new Api.ChannelParticipant({ userId: bigInt(8), date: 1 }),
      new Api.ChannelParticipantAdmin({
        userId: bigInt(8),
        promotedBy: bigInt(7),
        date: 1,
        adminRights: new Api.ChatAdminRights({}),
      }),
      'promoted',
    ],
  ])('[EV1.6] tells a bot of every change of a member: %#', (prevParticipant, newParticipant, action) => {
    const update = (userId: number) =>
      new Api.UpdateChannelParticipant({
        channelId: bigInt(30),
        date: 9,
        actorId: bigInt(7),
        userId: bigInt(userId),
        ...(prevParticipant && { prevParticipant }),
        ...(newParticipant && { newParticipant }),
        qts: 3,
      });
    expect(read(update(8))).toEqual([
      { type: 'chat.member', date: 9, chatId: '-10030', userId: '8', action, byId: '7' },
    ]);
    expect(read(update(1))).toEqual([]);
  });

  it('[EV1.6] counts reactions by emoji, and names who a bot is told of', () => {
    const thumb = new Api.ReactionEmoji({ emoticon: '👍' });
    const custom = (id: number) => new Api.ReactionCustomEmoji({ documentId: bigInt(id) });
    const results = [
      new Api.ReactionCount({ reaction: thumb, count: 2 }),
      new Api.ReactionCount({ reaction: custom(1), count: 1 }),
      new Api.ReactionCount({ reaction: custom(2), count: 3 }),
    ];
    const recentReactions = [
      new Api.MessagePeerReaction({ peerId: person(7), date: 5, reaction: thumb }),
      new Api.MessagePeerReaction({ peerId: person(8), date: 6, reaction: thumb }),
    ];
    const reactions = new Api.MessageReactions({ results, recentReactions });
    expect(read(new Api.UpdateMessageReactions({ peer: group, msgId: 4, reactions }))).toMatchObject([
      { chatId: '-20', messageId: 4, counts: { '👍': 2, '': 4 }, last: { userId: '8', date: 6, emojis: ['👍'] } },
    ]);
    const told = { peer: channel, msgId: 4, date: 9, qts: 2 };
    expect(
      read(new Api.UpdateBotMessageReaction({ ...told, actor: person(8), oldReactions: [thumb], newReactions: [] })),
    ).toMatchObject([{ chatId: '-10030', counts: {}, userId: '8', emojis: [] }]);
    expect(read(new Api.UpdateBotMessageReactions({ ...told, reactions: results }))).toMatchObject([
      { counts: { '👍': 2, '': 4 }, emojis: [] },
    ]);
  });

  it('[EV1.6] is a vote or a pressed button, for a bot', () => {
    const option = Buffer.from('0');
    expect(
      read(new Api.UpdateMessagePollVote({ pollId: bigInt(9), peer: person(8), options: [option], qts: 1 })),
    ).toMatchObject([{ type: 'message.vote', pollId: '9', results: [], userId: '8', options: ['MA=='] }]);
    const pressed = { queryId: bigInt(12), userId: bigInt(8), peer: group, msgId: 4, chatInstance: bigInt(1) };
    expect(read(new Api.UpdateBotCallbackQuery({ ...pressed, data: Buffer.from('hi') }))).toMatchObject([
      { type: 'message.button', chatId: '-20', messageId: 4, userId: '8', data: 'aGk=', queryId: '12' },
    ]);
  });

  it('[EV1.7] is nothing of the accounts that send login codes, nor of notes to oneself', () => {
    for (const id of [1, 777_000, 42_777]) {
      const reactions = new Api.MessageReactions({ results: [] });
      expect(read(new Api.UpdateMessageReactions({ peer: person(id), msgId: 4, reactions }))).toEqual([]);
      expect(read(new Api.UpdatePinnedMessages({ pinned: true, peer: person(id), messages: [4], ...place }))).toEqual(
        [],
      );
    }
  });
});

describe('what is so at this moment', () => {
  const typing = new Api.SendMessageRecordAudioAction();

  it('[EV1.8] is who types where, and who is online', () => {
    expect(momentUpdate(new Api.UpdateUserTyping({ userId: bigInt(7), action: typing }), own)).toEqual({
      type: 'chat.typing',
      chatId: '7',
      userId: '7',
      action: 'recordAudio',
    });
    const inGroup = new Api.UpdateChatUserTyping({ chatId: bigInt(20), fromId: person(8), action: typing });
    expect(momentUpdate(inGroup, own)).toMatchObject({ chatId: '-20', userId: '8' });
    const inChannel = new Api.UpdateChannelUserTyping({ channelId: bigInt(30), fromId: person(8), action: typing });
    expect(momentUpdate(inChannel, own)).toMatchObject({ chatId: '-10030', userId: '8' });
    const online = new Api.UserStatusOnline({ expires: 9 });
    const offline = new Api.UserStatusOffline({ wasOnline: 8 });
    const status = (of: Api.TypeUserStatus) => new Api.UpdateUserStatus({ userId: bigInt(7), status: of });
    expect(momentUpdate(status(online), own)).toMatchObject({ online: true, lastSeen: undefined });
    expect(momentUpdate(status(offline), own)).toMatchObject({ online: false, lastSeen: 8 });
  });

  it('[EV1.8] is nothing of the account itself, nor of the accounts that send login codes', () => {
    for (const id of [1, 777_000]) {
      expect(momentUpdate(new Api.UpdateUserTyping({ userId: bigInt(id), action: typing }), own)).toBeUndefined();
    }
  });
});
