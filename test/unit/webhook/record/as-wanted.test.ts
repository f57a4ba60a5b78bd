import { expect, it } from 'vitest';
import type { ChatUser } from '../../../../src/telegram/port/updates.ts';
import { defaultFilter, type EventFilter } from '../../../../src/webhook/filter/event-filter.ts';
import type { Place } from '../../../../src/webhook/filter/wanted.ts';
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

const place = (key: string, filter: EventFilter, since = 0): Place => ({ key, since, filter });
const by = (draft: DeliveryDraft, ...keys: string[]): DeliveryDraft => ({ ...draft, wantedBy: new Set(keys) });
const wanted = (drafts: readonly DeliveryDraft[], places: readonly Place[], begun = places) =>
  asWanted(drafts, places, begun);

it('[EV1.3] keeps what some filter wants, and what is not delivered anyway', () => {
  const places = [
    place('a', { events: ['message.read'], chats: 'private' }),
    place('b', { events: ['message'], chats: [cara.id] }),
  ];
  expect(wanted([message(1), message(2, cara), sent, read], places)).toEqual([
    by(message(2, cara), 'b'),
    by(sent, 'a', 'b'),
    by(read, 'a'),
  ]);
  expect(wanted([message(1), read], [])).toEqual([]);
});

it('[EV1.3] keeps only the ID of a message of which the deletion alone is wanted', () => {
  const seen: DeliveryDraft = {
    type: 'MessageSeen',
    content: { account: '1001', user: bob },
    messageIds: [1],
  };
  expect(wanted([message(1)], [place('a', { events: ['message.deleted'], chats: 'private' })])).toEqual([
    by(seen, 'a'),
  ]);
  expect(wanted([message(1)], [place('a', { events: ['message.deleted'], chats: [cara.id] })])).toEqual([]);
});

it('[EV2.3] leaves out of what a place wants what is from before it was set, until its record has begun', () => {
  const first = place('a', defaultFilter);
  const later = place('b', defaultFilter, 10_000);
  const at = (ms: number): DeliveryDraft => ({ ...message(1), when: { at: ms, missed: true } });
  const places = [first, later];
  expect(wanted([at(8_000), at(9_500)], places, [first])).toEqual([by(at(8_000), 'a'), by(at(9_500), 'a', 'b')]);
  expect(wanted([at(8_000)], places)).toEqual([by(at(8_000), 'a', 'b')]);
  expect(wanted([at(8_000)], [later], [])).toEqual([]);
});
