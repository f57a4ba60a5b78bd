import bigInt from 'big-integer';
import { Api } from 'telegram';
import { expect, it } from 'vitest';
import { isForwardOf } from '../../../../../src/telegram/gramjs/sending/forward-messages.ts';

const fwdFrom = new Api.MessageFwdHeader({ date: 5 });
const photo = (id: number): Api.MessageMediaPhoto =>
  new Api.MessageMediaPhoto({ photo: new Api.PhotoEmpty({ id: bigInt(id) }) });
const document = (id: number): Api.MessageMediaDocument =>
  new Api.MessageMediaDocument({ document: new Api.DocumentEmpty({ id: bigInt(id) }) });
const link = new Api.MessageMediaWebPage({ webpage: new Api.WebPageEmpty({ id: bigInt(1) }) });
const message = (text: string, more: object = {}): Api.Message =>
  new Api.Message({ id: 1, message: text, date: 5, peerId: new Api.PeerUser({ userId: bigInt(7) }), ...more });

it.each<[string, Api.Message, Api.Message, boolean, boolean]>([
  ['the same text', message('a', { fwdFrom }), message('a'), false, true],
  ['another text', message('b', { fwdFrom }), message('a'), false, false],
  ['written, not forwarded', message('a'), message('a'), false, false],
  ['a copy', message('a'), message('a', { fwdFrom }), true, true],
  ['no copy', message('a', { fwdFrom }), message('a'), true, false],
  ['the same photo', message('', { fwdFrom, media: photo(1) }), message('', { media: photo(1) }), false, true],
  ['another photo', message('', { fwdFrom, media: photo(2) }), message('', { media: photo(1) }), false, false],
  ['the same file', message('', { fwdFrom, media: document(1) }), message('', { media: document(1) }), false, true],
  ['a file, no photo', message('', { fwdFrom, media: document(1) }), message('', { media: photo(1) }), false, false],
  ['a link with its preview', message('a', { fwdFrom, media: link }), message('a'), false, true],
])('[MX2.9] a message may be the forwarded one: %s', (_name, found, original, dropAuthor, expected) => {
  expect(isForwardOf(found, original, dropAuthor)).toBe(expected);
});
