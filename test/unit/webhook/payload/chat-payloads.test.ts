import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, it } from 'vitest';
import type { ChatUser, UpdateChat } from '../../../../src/telegram/port/updates.ts';
import { payloadOf } from '../../../../src/webhook/payload/payload-of.ts';
import { payloads } from '../../../../src/webhook/payload/payloads.ts';
import { type DeliveredContent, deliveredTypes } from '../../../../src/webhook/stream/delivery-events.ts';

const ajv = new Ajv2020({ strict: false });
const bob: ChatUser = { id: '1002', name: 'Bob Stone', username: 'bobstone', phone: '', photoId: '5' };
const group: UpdateChat = { id: '-2001', kind: 'group', name: 'Family' };
const metadata = { seq: 3, at: 0, login: 1, since: 0, position: { pts: 0, qts: 0, date: 0 } };
const nobody = { id: '', name: '', username: '', phone: '', picture: '' };
const written = { id: 7, chatId: group.id, created: 0, fromMe: false, text: 'hi' };

const events: [DeliveredContent, object][] = [
  [
    { type: 'MessageReceived', content: { user: bob, chat: group, topic: 5, message: written } },
    { chatId: '-2001', user: { id: '1002', picture: '1002/5/profile' }, topic: '5', text: 'hi' },
  ],
  [
    { type: 'MessagesDeleted', content: { chat: group, messageIds: [7, 8] } },
    { chatId: '-2001', messageIds: ['7', '8'], user: nobody },
  ],
  [
    { type: 'ReactionsChanged', content: { chat: group, messageId: 7, counts: { '👍': 2, '': 1 }, emojis: [] } },
    { chatId: '-2001', messageId: '7', counts: { '👍': 2, '': 1 }, user: nobody, emojis: [] },
  ],
  [
    { type: 'MessagesPinned', content: { chat: group, messageIds: [7], pinned: false } },
    { chatId: '-2001', messageIds: ['7'], pinned: false },
  ],
  [
    { type: 'PollVoted', content: { pollId: '9', results: [{ text: 'a', option: 'MA==', voters: 2 }] } },
    { pollId: '9', results: [{ text: 'a', option: 'MA==', voters: 2 }], user: nobody, options: [] },
  ],
  [
    { type: 'PollVoted', content: { pollId: '9', results: [], user: bob, options: ['MA=='] } },
    { pollId: '9', results: [], user: { id: '1002' }, options: ['MA=='] },
  ],
  [
    { type: 'ButtonPressed', content: { chat: group, messageId: 7, user: bob, data: 'aGk=', queryId: '12' } },
    { chatId: '-2001', messageId: '7', user: { id: '1002' }, data: 'aGk=', queryId: '12' },
  ],
  [
    { type: 'ChatJoined', content: { chat: group, by: bob } },
    { chatId: '-2001', kind: 'group', name: 'Family', by: { id: '1002' } },
  ],
  [
    { type: 'ChatLeft', content: { chat: group } },
    { chatId: '-2001', kind: 'group', name: 'Family', by: nobody },
  ],
  [
    { type: 'MemberChanged', content: { chat: group, user: bob, action: 'promoted' } },
    { chatId: '-2001', user: { id: '1002' }, action: 'promoted', by: nobody },
  ],
  [
    { type: 'ChatRead', content: { chat: group, upTo: 7, fromMe: true } },
    { chatId: '-2001', upTo: '7', fromMe: true },
  ],
];

it.each(events)('[EV1.6] of %j is as its schema says', (event, data) => {
  const link = (_account: string, { chatId, messageId, variant }: Record<string, unknown>): string =>
    `${String(chatId)}/${String(messageId)}/${String(variant)}`;
  const payload = payloadOf({ id: 's', generatedId: '1001' }, { id: 'e', metadata }, event, 2, link as never);
  const type = deliveredTypes[event.type];
  expect(ajv.validate(payloads[type], payload) ? '' : ajv.errorsText()).toBe('');
  expect(payload).toMatchObject({ seq: 3, type, data });
});
