import bigInt from 'big-integer';
import { Api } from 'telegram/tl/index.js';
import { describe, expect, it } from 'vitest';
import { LightAbort } from '../../../../../actors/kit/light-abort.ts';
import type { RpcCall } from '../../../../../src/telegram/gramjs/connection/rpc-caller.ts';
import { ChatNames } from '../../../../../src/telegram/gramjs/peers/chat-names.ts';
import { ChatUsers } from '../../../../../src/telegram/gramjs/peers/chat-users.ts';
import { inputChannel, inputPeer, inputUser } from '../../../../../src/telegram/gramjs/peers/input-peer.ts';
import { accountOf, pictureOf, smallPhotoOf } from '../../../../../src/telegram/gramjs/peers/profile.ts';
import { SentMessages } from '../../../../../src/telegram/gramjs/sending/sent-messages.ts';
import { privateChatUpdate } from '../../../../../src/telegram/gramjs/updates/private-chat-update.ts';
import { type ArrivedUpdate, resolveUpdates } from '../../../../../src/telegram/gramjs/updates/resolve-updates.ts';
import { PeerCache } from '../../../../../src/telegram/peer-cache.ts';
import { TelegramError } from '../../../../../src/telegram/port/errors.ts';
import { createDrivenClock } from '../../../../support/kit/clock.ts';

const user = (id: number) => new Api.PeerUser({ userId: bigInt(id) });
const message = (id: number, more: Partial<ConstructorParameters<typeof Api.Message>[0]> = {}): Api.Message =>
  new Api.Message({ id, peerId: user(7), date: 5, message: `text ${id}`, ...more });

describe('an update of a private chat', () => {
  const read = (update: Api.TypeUpdate) => privateChatUpdate(update, '1');
  const arrived = (of: Api.Message) => new Api.UpdateNewMessage({ message: of, pts: 1, ptsCount: 1 });
  const edited = (of: Api.Message) => new Api.UpdateEditMessage({ message: of, pts: 1, ptsCount: 1 });

  it('[WH3.1] is a message of a person or a bot', () => {
    expect(read(arrived(message(3)))).toMatchObject({ type: 'message', chatId: '7', date: 5 });
    for (const own of [1, 777_000, 42_777]) {
      expect(read(arrived(message(3, { peerId: user(own) })))).toBeUndefined();
    }
    expect(read(arrived(message(3, { peerId: new Api.PeerChat({ chatId: bigInt(7) }) })))).toBeUndefined();
  });

  it('[WH3.1] is an edit of a text, not of reactions or votes', () => {
    expect(read(edited(message(3, { editDate: 9 })))).toMatchObject({ type: 'message.edited', date: 9 });
    expect(read(edited(message(3, { editDate: 9, editHide: true })))).toBeUndefined();
    expect(read(edited(message(3)))).toBeUndefined();
  });

  it('[WH3.1] says who has read', () => {
    const place = { peer: user(7), maxId: 4, pts: 1, ptsCount: 1 };
    const byMe = new Api.UpdateReadHistoryInbox({ ...place, stillUnreadCount: 0 });
    expect(read(byMe)).toMatchObject({ type: 'message.read', upTo: 4, fromMe: true });
    expect(read(new Api.UpdateReadHistoryOutbox(place))).toMatchObject({ upTo: 4, fromMe: false });
    expect(read(new Api.UpdateReadHistoryOutbox({ ...place, peer: user(1) }))).toBeUndefined();
  });

  it('[WH3.4] is a deletion, whose chat is not said', () => {
    expect(read(new Api.UpdateDeleteMessages({ messages: [1, 2], pts: 1, ptsCount: 2 }))).toEqual({
      type: 'message.deleted',
      date: undefined,
      messageIds: [1, 2],
    });
  });
});

describe('updates with their names', () => {
  const sent = new SentMessages();
  sent.begin(9n, '7');
  sent.remember(9n, 3);
  sent.end('7');
  sent.remember(10n, 4);
  const call: RpcCall = async () => [] as never;
  const resolve = (...updates: ArrivedUpdate[]) =>
    resolveUpdates(
      {
        clock: createDrivenClock(),
        sent,
        users: new ChatUsers(new PeerCache(), call),
        chats: new ChatNames(new PeerCache(), call),
        ownId: () => '1',
        toGatewayTime: (seconds) => seconds * 1000,
        signal: new AbortController().signal,
      },
      updates,
    );
  const update = (id: number, type: 'message' | 'message.edited', out: boolean): ArrivedUpdate => ({
    type,
    chatId: '7',
    date: 5,
    missed: false,
    message: message(id, { out }),
  });

  it('[WH3.2] leave out what this login sent, and tell of what only Telegram names', async () => {
    expect(await resolve(update(3, 'message', true))).toEqual([]);
    expect(await resolve(update(4, 'message', true))).toMatchObject([{ type: 'message.sent', messageId: 4 }]);
    expect(await resolve(update(5, 'message', true))).toMatchObject([{ type: 'message', account: '1', at: 5000 }]);
  });

  it('[WH3.2] tell of edits of what this login sent, and of what came in', async () => {
    expect(await resolve(update(3, 'message.edited', true))).toMatchObject([{ type: 'message.edited' }]);
    expect(await resolve(update(4, 'message', false))).toMatchObject([{ type: 'message', message: { fromMe: false } }]);
  });

  it('[EV1.6] tell whose reactions a push is about, and else have their counts alone', async () => {
    const counts = { '👍': 2 };
    const reaction = {
      type: 'message.reaction',
      chatId: '7',
      date: undefined,
      messageId: 3,
      counts,
      emojis: [],
    } as const;
    const last = { userId: '8', date: Math.floor(createDrivenClock().now() / 1000), emojis: ['👍'] };
    const [told] = await resolve({ ...reaction, emojis: [], missed: false, last });
    expect(told).toMatchObject({ counts, user: { id: '8' }, emojis: ['👍'] });
    const old = { ...last, date: last.date - 11 };
    const nameless = await resolve(
      { ...reaction, emojis: [], missed: false },
      { ...reaction, emojis: [], missed: false, last: old },
      { ...reaction, emojis: [], missed: true, last },
    );
    for (const each of nameless) {
      expect(each).toMatchObject({ counts, emojis: [] });
      expect(each).not.toHaveProperty('user');
    }
    expect(nameless).toHaveLength(3);
  });

  it('[MS6.2] know a sent message in its chat alone', () => {
    expect([sent.isOwn('7', 3), sent.isOwn('8', 3), sent.isOwn('8', 4), sent.isOwn('7', 5)]).toEqual([
      'known',
      undefined,
      'named',
      undefined,
    ]);
  });
});

describe('the people of an account', () => {
  it('[WH3.1] are learnt from updates, and asked for once; one that is refused takes no name from others', async () => {
    const asked: string[][] = [];
    const known = (id: number) => new Api.User({ id: bigInt(id), firstName: `Person ${id}` });
    const call = (async ({ id }: Api.users.GetUsers) => {
      const ids = id.map((each) => (each as Api.InputUser).userId.toString());
      asked.push(ids);
      if (ids.includes('9')) throw new TelegramError(400, 'USER_ID_INVALID', 'users.GetUsers');
      return ids.map((each) => known(Number(each)));
    }) as never;
    const users = new ChatUsers(new PeerCache(), call);
    for (const nothing of [undefined, null, 5, {}, { users: 5 }]) users.learn(nothing);
    users.learn({ users: [known(7), new Api.User({ id: bigInt(8), firstName: 'half', min: true })] });
    expect([users.canFind('7'), users.canFind('8')]).toEqual([true, false]);
    const found = await users.find(new Set(['7', '8', '9']), new LightAbort());
    expect([...found.values()].map(({ name }) => name)).toEqual(['Person 7', 'Person 8', '']);
    expect(asked).toEqual([['8', '9'], ['8'], ['9']]);
    await users.find(new Set(['7', '8']), new LightAbort());
    users.forget('7');
    await users.find(new Set(['7']), new LightAbort());
    expect(asked.slice(3)).toEqual([['7']]);
  });

  it('[MS1.4] are addressed by their ID and what Telegram gave for it', () => {
    expect(inputPeer({ kind: 'user', id: '7', hash: '-5' })).toMatchObject({
      className: 'InputPeerUser',
      userId: bigInt(7),
      accessHash: bigInt(-5),
    });
    expect(inputPeer({ kind: 'user', id: '7' })).toMatchObject({ accessHash: bigInt(0) });
    expect(inputPeer({ kind: 'group', id: '-12' })).toMatchObject({ className: 'InputPeerChat', chatId: bigInt(12) });
    expect(inputPeer({ kind: 'channel', id: '-10012', hash: '5' })).toMatchObject({
      className: 'InputPeerChannel',
      channelId: bigInt(12),
      accessHash: bigInt(5),
    });
    expect(inputUser({ kind: 'user', id: '7' })).toMatchObject({ userId: bigInt(7), accessHash: bigInt(0) });
    expect(inputChannel({ kind: 'channel', id: '-10012' })).toMatchObject({
      channelId: bigInt(12),
      accessHash: bigInt(0),
    });
  });

  it('[SE13.2] have a name, a username, a phone and a small photo', () => {
    const person = new Api.User({
      id: bigInt(7),
      firstName: 'Ann',
      lastName: 'Stone',
      phone: '+1 234',
      usernames: [
        new Api.Username({ username: 'old', active: false }),
        new Api.Username({ username: 'ann', active: true }),
      ],
      photo: new Api.UserProfilePhoto({ photoId: bigInt(99), dcId: 4 }),
    });
    expect(accountOf(person)).toEqual({ id: '7', name: 'Ann Stone', username: 'ann', phone: '1234' });
    expect(accountOf(new Api.User({ id: bigInt(7) }))).toEqual({ id: '7', name: '', username: '', phone: '' });
    expect(smallPhotoOf(person)).toMatchObject({ id: '99', dc: 4 });
    expect(smallPhotoOf(new Api.User({ id: bigInt(7) }))).toBeUndefined();
    const file = (bytes: Buffer) => new Api.upload.File({ type: new Api.storage.FileJpeg(), mtime: 0, bytes });
    expect(pictureOf(file(Buffer.from('\x89PNG...', 'latin1')))).toMatch(/^data:image\/png;base64,/);
    expect(pictureOf(file(Buffer.from('jpeg')))).toBe('data:image/jpeg;base64,anBlZw==');
    expect(pictureOf(file(Buffer.alloc(0)))).toBe('');
  });
});
