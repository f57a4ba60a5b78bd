import bigInt from 'big-integer';
import { Api } from 'telegram';
import { expect, it } from 'vitest';
import { Entities, seenMessage } from '../../../../../src/telegram/gramjs/chats/seen-message.ts';

const forum = new Api.Channel({
  id: bigInt(3001),
  title: 'Makers',
  megagroup: true,
  forum: true,
  photo: new Api.ChatPhotoEmpty(),
  date: 0,
});
const plain = new Api.Channel({
  id: bigInt(3002),
  title: 'Plain',
  megagroup: true,
  photo: new Api.ChatPhotoEmpty(),
  date: 0,
});
const entities = new Entities({ users: [new Api.User({ id: bigInt(7), firstName: 'Bob' })], chats: [forum, plain] });
type Fields = Partial<ConstructorParameters<typeof Api.Message>[0]>;
const inChannel = (id: number, fields: Fields = {}): Api.Message =>
  new Api.Message({
    id: 5,
    date: 1,
    message: 'hello',
    peerId: new Api.PeerChannel({ channelId: bigInt(id) }),
    ...fields,
  });
const seen = (message: Api.Message) => seenMessage(message, entities, '1');

it.each([
  ['General, which nothing names', {}, 1],
  ['its topic, as a first message', { forumTopic: true, replyToMsgId: 12 }, 12],
  ['its topic, as a reply', { forumTopic: true, replyToMsgId: 40, replyToTopId: 12 }, 12],
  ['General, as a reply', { replyToMsgId: 40 }, 1],
])('[CT2.2] a message of a forum is in %s', (_, reply, topic) => {
  const replyTo = Object.keys(reply).length > 0 && { replyTo: new Api.MessageReplyHeader(reply) };
  expect(seen(inChannel(3001, { ...replyTo })).topic).toBe(topic);
  expect(seen(inChannel(3002, { ...replyTo }))).not.toHaveProperty('topic');
});

it('[CT2.2] the author is who wrote, or the chat itself', () => {
  expect(seen(inChannel(3001, { fromId: new Api.PeerUser({ userId: bigInt(7) }) })).author).toMatchObject({
    id: '7',
    name: 'Bob',
  });
  expect(seen(inChannel(3001)).author).toMatchObject({ id: '-1003001', name: 'Makers' });
  const unknown = new Api.PeerUser({ userId: bigInt(9) });
  expect(seen(inChannel(3001, { fromId: unknown })).author).toEqual({ id: '9', name: '', username: '', phone: '' });
  const toBob = new Api.Message({
    id: 1,
    date: 1,
    message: '',
    out: true,
    peerId: new Api.PeerUser({ userId: bigInt(7) }),
  });
  expect(seen(toBob).author).toMatchObject({ id: '7' });
  const group = new Api.PeerChat({ chatId: bigInt(2001) });
  expect(seen(new Api.Message({ id: 1, date: 1, message: '', out: true, peerId: group })).author.id).toBe('1');
});

it('[CT2.2] reactions are counted, and the account’s own are marked', () => {
  const of = (emoticon: string): Api.ReactionEmoji => new Api.ReactionEmoji({ emoticon });
  const custom = new Api.ReactionCustomEmoji({ documentId: bigInt(1) });
  const results = [
    new Api.ReactionCount({ reaction: of('👍'), count: 2, chosenOrder: 0 }),
    new Api.ReactionCount({ reaction: custom, count: 1 }),
  ];
  expect(seen(inChannel(3001, { reactions: new Api.MessageReactions({ results }) })).reactions).toEqual([
    { emoji: '👍', count: 2, fromMe: true },
    { emoji: '', count: 1, fromMe: false },
  ]);
});

it('[CT2.2] inline buttons come row by row; a keyboard for writing is none', () => {
  const callback = new Api.KeyboardButtonCallback({ text: 'Yes', data: Buffer.from('y') });
  const url = new Api.KeyboardButtonUrl({ text: 'Site', url: 'https://example.com/' });
  const rows = [[callback], [url]].map((buttons) => new Api.KeyboardButtonRow({ buttons }));
  expect(seen(inChannel(3001, { replyMarkup: new Api.ReplyInlineMarkup({ rows }) })).buttons).toEqual([
    [{ text: 'Yes', url: '' }],
    [{ text: 'Site', url: 'https://example.com/' }],
  ]);
  expect(seen(inChannel(3001, { replyMarkup: new Api.ReplyKeyboardMarkup({ rows }) })).buttons).toEqual([]);
});
