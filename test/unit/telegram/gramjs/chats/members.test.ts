import bigInt from 'big-integer';
import { Api } from 'telegram/tl/index.js';
import { describe, expect, it } from 'vitest';
import { LightAbort } from '../../../../../actors/kit/light-abort.ts';
import { basicGroupMembers, supergroupMembers } from '../../../../../src/telegram/gramjs/chats/members.ts';
import type { RpcCall } from '../../../../../src/telegram/gramjs/connection/rpc-caller.ts';
import type { ChatMember } from '../../../../../src/telegram/port/chats.ts';

const long = (value: number): bigInt.BigInteger => bigInt(value);
const userOf = (id: number): Api.User =>
  new Api.User({ id: long(id), firstName: `Name ${id}`, lastName: '', phone: '+1 555' });
const member = (id: number): Api.ChannelParticipant => new Api.ChannelParticipant({ userId: long(id), date: 1 });

/** A supergroup as Telegram serves its members: at most `page` at once, and none behind the 10,000th. */
function supergroup(all: readonly Api.TypeChannelParticipant[], { page = 200, count = all.length } = {}) {
  const asked: { offset: number; limit: number }[] = [];
  const call = (async (request: Api.channels.GetParticipants) => {
    const { offset, limit } = request;
    asked.push({ offset, limit });
    const participants = all.slice(offset, Math.min(offset + Math.min(limit, page), 10_000));
    const users = participants.flatMap((each) => ('userId' in each ? userOf(Number(each.userId)) : []));
    return new Api.channels.ChannelParticipants({ count, participants, chats: [], users });
  }) as unknown as RpcCall;
  const channel = new Api.InputChannel({ channelId: long(3001), accessHash: long(1) });
  return {
    asked,
    members: (limit = 10_000): Promise<ChatMember[]> => supergroupMembers(call, channel, limit, new LightAbort()),
  };
}
const people = (count: number): Api.ChannelParticipant[] =>
  Array.from({ length: count }, (_, place) => member(place + 1));
const ids = (members: ChatMember[]): string[] => members.map(({ id }) => id);

describe('the members of a supergroup', () => {
  it.each([
    [0, 1],
    [1, 1],
    [199, 1],
    [200, 1],
    [201, 2],
    [250, 2],
    [1_000, 5],
  ])('[GR3.1] %i of them take %i requests of 200', async (count, requests) => {
    const group = supergroup(people(count));
    expect(ids(await group.members())).toEqual(people(count).map(({ userId }) => userId.toString()));
    expect(group.asked).toEqual(Array.from({ length: requests }, (_, page) => ({ offset: page * 200, limit: 200 })));
  });

  it('[GR3.1] at most 10,000 of more', async () => {
    const group = supergroup(people(12_345));
    expect(await group.members()).toHaveLength(10_000);
    expect(group.asked).toHaveLength(50);
  });

  it('[GR3.1] all of them, where Telegram gives fewer at once, or counts more than it gives', async () => {
    expect(await supergroup(people(450), { page: 77 }).members()).toHaveLength(450);
    expect(await supergroup(people(450), { count: 9_999 }).members()).toHaveLength(450);
  });

  it('[GR3.1] each once, though one who joins meanwhile moves the others; nobody who has left or was put out', async () => {
    const peer = new Api.PeerUser({ userId: long(7) });
    const rights = new Api.ChatBannedRights({ untilDate: 0 });
    const group = supergroup([
      new Api.ChannelParticipantCreator({ userId: long(1), adminRights: new Api.ChatAdminRights({}) }),
      ...people(3),
      new Api.ChannelParticipantLeft({ peer }),
      new Api.ChannelParticipantBanned({ peer, kickedBy: long(1), date: 1, bannedRights: rights }),
    ]);
    expect(ids(await group.members())).toEqual(['1', '2', '3']);
  });

  it('[GR3.1] their names, and digits of their phones', async () => {
    expect(await supergroup(people(1)).members()).toEqual([{ id: '1', name: 'Name 1', username: '', phone: '1555' }]);
  });
});

describe('the members of a basic group', () => {
  const full = (participants: Api.TypeChatParticipants): Api.messages.ChatFull =>
    new Api.messages.ChatFull({
      fullChat: new Api.ChatFull({
        id: long(2001),
        about: '',
        participants,
        notifySettings: new Api.PeerNotifySettings({}),
      }),
      chats: [],
      users: [userOf(1)],
    });

  it('[GR3.1] all of them, those too of whom Telegram tells nothing more', () => {
    const participants = new Api.ChatParticipants({
      chatId: long(2001),
      version: 1,
      participants: [
        new Api.ChatParticipantCreator({ userId: long(1) }),
        new Api.ChatParticipant({ userId: long(2), inviterId: long(1), date: 1 }),
      ],
    });
    expect(basicGroupMembers(full(participants), 10_000)).toEqual([
      { id: '1', name: 'Name 1', username: '', phone: '1555' },
      { id: '2', name: '', username: '', phone: '' },
    ]);
    expect(basicGroupMembers(full(participants), 1)).toHaveLength(1);
    expect(basicGroupMembers(full(new Api.ChatParticipantsForbidden({ chatId: long(2001) })), 5)).toEqual([]);
  });
});
