import { expect, it } from 'vitest';
import type { ChatUser } from '../../../../src/telegram/port/updates.ts';
import { asWanted } from '../../../../src/webhook/record/as-wanted.ts';
import type { DeliveryDraft } from '../../../../src/webhook/record/delivery-drafts.ts';

const bob: ChatUser = { id: '1002', name: 'Bob Stone', username: 'bobstone', phone: '' };
const cara: ChatUser = { id: '1003', name: 'Cara', username: '', phone: '' };

const message = (id: number, user = bob): DeliveryDraft => ({
  type: 'MessageReceived',
  content: { account: '1001', user, message: { id, chatId: user.id, created: 0, fromMe: false, text: 'hello' } },
  messageIds: [id],
});
const read: DeliveryDraft = { type: 'MessagesRead', content: { user: bob, upTo: 9, fromMe: false } };
const sent: DeliveryDraft = { type: 'MessageSent', content: { user: bob }, messageIds: [3] };

it('[EV1.3] keeps what some filter wants, and what is not delivered anyway', () => {
  const filters = [
    { events: ['message.read'], chats: 'private' },
    { events: ['message'], chats: [cara.id] },
  ] as const;
  expect(asWanted([message(1), message(2, cara), sent, read], filters)).toEqual([message(2, cara), sent, read]);
  expect(asWanted([message(1), read], [])).toEqual([]);
});

it('[EV1.3] keeps only the ID of a message of which the deletion alone is wanted', () => {
  const seen = { type: 'MessageSeen', content: { account: '1001', user: bob }, messageIds: [1] };
  expect(asWanted([message(1)], [{ events: ['message.deleted'], chats: 'private' }])).toEqual([seen]);
  expect(asWanted([message(1)], [{ events: ['message.deleted'], chats: [cara.id] }])).toEqual([]);
});
