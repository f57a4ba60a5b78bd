import bigInt from 'big-integer';
import { Api } from 'telegram';
import { describe, expect, it } from 'vitest';
import { isNumberedAlone, knownPeer } from '../../../../../src/telegram/gramjs/peers/known-peer.ts';
import { knownPeerOf, learnPeersOf, peerId } from '../../../../../src/telegram/gramjs/peers/peers-in-updates.ts';
import { messageEntities } from '../../../../../src/telegram/gramjs/peers/text-entities.ts';
import { PeerCache } from '../../../../../src/telegram/peer-cache.ts';
import { PeerNotFoundError } from '../../../../../src/telegram/port/errors.ts';

const [id, accessHash] = [bigInt(7), bigInt(-5)];
const photo = new Api.ChatPhotoEmpty();
const channel = (more: object = {}): Api.Channel => new Api.Channel({ id, title: 'C', photo, date: 1, ...more });
const group = (more: object = {}): Api.Chat =>
  new Api.Chat({ id, title: 'G', photo, participantsCount: 1, date: 1, version: 1, ...more });
const user = (more: object = {}): Api.User => new Api.User({ id, ...more });

const cases: [string, unknown, object | undefined][] = [
  ['a person', user({ accessHash }), { kind: 'user', id: '7', hash: '-5' }],
  ['half a person', user({ accessHash, min: true }), undefined],
  ['a person without a hash', user(), undefined],
  ['a basic group', group(), { kind: 'group', id: '-7' }],
  ['one that was left', group({ left: true }), { kind: 'group', id: '-7', left: true }],
  ['one that has become a supergroup', group({ deactivated: true }), { kind: 'group', id: '-7', left: true }],
  ['one that is closed to it', new Api.ChatForbidden({ id, title: 'G' }), { kind: 'group', id: '-7', left: true }],
  ['a supergroup', channel({ accessHash }), { kind: 'group', id: '-1007', hash: '-5' }],
  ['a channel', channel({ accessHash, broadcast: true }), { kind: 'channel', id: '-1007', hash: '-5' }],
  ['one that was left', channel({ accessHash, left: true }), { kind: 'group', id: '-1007', hash: '-5', left: true }],
  ['half a channel', channel({ accessHash, min: true }), undefined],
  ['one without a hash', channel(), undefined],
  [
    'one that is closed to it',
    new Api.ChannelForbidden({ id, accessHash: bigInt(5), title: 'C', broadcast: true }),
    { kind: 'channel', id: '-1007', hash: '5', left: true },
  ],
  ['nothing', undefined, undefined],
  ['something else', new Api.PeerUser({ userId: id }), undefined],
];

describe('a peer of an answer', () => {
  it.each(cases)('[MS1.4] is remembered if it can be addressed: %s', (_name, entity, expected) => {
    expect(knownPeerOf(entity)).toEqual(expected);
  });

  it('[MS1.4] is found in the users and chats, and the user, of what Telegram sends', () => {
    const book = new PeerCache();
    const other = new Api.User({ id: bigInt(8), accessHash });
    learnPeersOf(book, { users: [user({ accessHash })], chats: [group()], user: other });
    for (const nothing of [undefined, null, 5, {}, { users: 5, chats: 'x' }]) learnPeersOf(book, nothing);
    expect(book.all().map((peer) => peer.id)).toEqual(['-7', '7', '8']);
  });

  it('[MS1.4] has an ID as the interface writes it', () => {
    const peers = [
      new Api.PeerUser({ userId: id }),
      new Api.PeerChat({ chatId: id }),
      new Api.PeerChannel({ channelId: id }),
    ];
    expect(peers.map(peerId)).toEqual(['7', '-7', '-1007']);
  });

  it('[MS1.4] is an error if it was never met', () => {
    const book = new PeerCache([{ kind: 'user', id: '7', hash: '1' }]);
    expect(knownPeer(book, { kind: 'user', id: '7' })).toEqual({ kind: 'user', id: '7', hash: '1' });
    expect(() => knownPeer(book, { kind: 'user', id: '8' })).toThrow(PeerNotFoundError);
  });

  it('[CT2.1] numbers its messages alone if it is a supergroup or channel', () => {
    expect(isNumberedAlone({ kind: 'group', id: '-1007', hash: '1' })).toBe(true);
    expect(isNumberedAlone({ kind: 'channel', id: '-1007', hash: '1' })).toBe(true);
    expect(isNumberedAlone({ kind: 'group', id: '-7' })).toBe(false);
    expect(isNumberedAlone({ kind: 'user', id: '7', hash: '1' })).toBe(false);
  });
});

describe('the formatting of a text', () => {
  const range = { offset: 1, length: 2 };
  const book = new PeerCache([{ kind: 'user', id: '7', hash: '5' }]);

  it.each<[Parameters<typeof messageEntities>[0][number], object]>([
    [{ type: 'bold', ...range }, { className: 'MessageEntityBold' }],
    [{ type: 'italic', ...range }, { className: 'MessageEntityItalic' }],
    [{ type: 'underline', ...range }, { className: 'MessageEntityUnderline' }],
    [{ type: 'strikethrough', ...range }, { className: 'MessageEntityStrike' }],
    [{ type: 'spoiler', ...range }, { className: 'MessageEntitySpoiler' }],
    [{ type: 'code', ...range }, { className: 'MessageEntityCode' }],
    [
      { type: 'blockquote', ...range },
      { className: 'MessageEntityBlockquote', collapsed: undefined },
    ],
    [
      { type: 'expandableBlockquote', ...range },
      { className: 'MessageEntityBlockquote', collapsed: true },
    ],
    [
      { type: 'customEmoji', id: '18446744073709551615', ...range },
      { className: 'MessageEntityCustomEmoji', documentId: bigInt(-1) },
    ],
    [
      { type: 'pre', language: 'ts', ...range },
      { className: 'MessageEntityPre', language: 'ts' },
    ],
    [
      { type: 'link', url: 'https://e.org/', ...range },
      { className: 'MessageEntityTextUrl', url: 'https://e.org/' },
    ],
    [
      { type: 'mention', userId: '7', ...range },
      { className: 'InputMessageEntityMentionName', userId: { userId: bigInt(7), accessHash: bigInt(5) } },
    ],
  ])('[MS8.3] is what Telegram calls it: %j', (entity, expected) => {
    expect(messageEntities([entity], book)).toMatchObject([{ ...expected, ...range }]);
  });

  it('[MS8.3] has no mention of a user who was never met', () => {
    expect(messageEntities([{ type: 'mention', userId: '8', ...range }], book)).toEqual([]);
  });
});
