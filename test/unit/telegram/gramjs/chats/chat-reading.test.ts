import bigInt from 'big-integer';
import { Api } from 'telegram/tl/index.js';
import { expect, it } from 'vitest';
import { GramChatReading } from '../../../../../src/telegram/gramjs/chats/chat-reading.ts';
import { PeerCache } from '../../../../../src/telegram/peer-cache.ts';
import { createDrivenClock } from '../../../../support/kit/clock.ts';

const { signal } = new AbortController();
const peerId = new Api.PeerChat({ chatId: bigInt(2001) });
const group = { kind: 'group', id: '-2001' } as const;

it.each(['messages', 'search'] as const)('[CT2.1] %s leaves service messages out', async (how) => {
  const messages = [
    new Api.MessageService({ id: 9, peerId, date: 3, action: new Api.MessageActionPinMessage() }),
    new Api.Message({ id: 8, peerId, date: 2, message: 'hello' }),
    new Api.MessageEmpty({ id: 7 }),
  ];
  const answer = new Api.messages.Messages({ messages, chats: [], users: [] });
  const reading = new GramChatReading({
    book: new PeerCache([group]),
    call: async () => answer,
    clock: createDrivenClock(),
    ownId: () => '1001',
  });
  const page = { before: 0, limit: 10 };
  const found =
    how === 'messages'
      ? await reading.messages(group, page, signal)
      : await reading.search(group, 'hello', page, signal);
  expect(found.messages.map(({ message }) => message.id)).toEqual([8]);
  expect(found.before).toBe(0);
});
