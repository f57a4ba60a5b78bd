import { describe, expect, it } from 'vitest';
import {
  type ChatKind,
  type ChatScope,
  chatScopes,
  defaultFilter,
  type EventFilter,
  eventTypes,
  isLive,
  isWantedByAny,
  mayWant,
  readerEventTypes,
  wants,
  webhookEventTypes,
} from '../../../../src/webhook/filter/event-filter.ts';

const kinds: ChatKind[] = ['user', 'bot', 'group', 'channel'];
const of = (chats: EventFilter['chats'], ...events: EventFilter['events']): EventFilter => ({ events, chats });

describe('event filter', () => {
  it('[EV1.1] without a filter the four events of private chats pass, and no others', () => {
    const passed = eventTypes.flatMap((type) =>
      kinds.flatMap((kind) => (wants(defaultFilter, { type, chatId: '1', kind }) ? [`${type} ${kind}`] : [])),
    );
    expect(passed).toEqual([
      'message user',
      'message bot',
      'message.edited user',
      'message.edited bot',
      'message.deleted user',
      'message.deleted bot',
      'message.read user',
      'message.read bot',
    ]);
  });

  it.each<[ChatScope, ChatKind[]]>([
    ['private', ['user', 'bot']],
    ['groups', ['group']],
    ['channels', ['channel']],
    ['all', kinds],
  ])('[EV1.1] %s are chats with %j', (chats, wanted) => {
    const filter = of(chats, 'message');
    expect(kinds.filter((kind) => wants(filter, { type: 'message', chatId: '7', kind }))).toEqual(wanted);
    expect(kinds.filter((kind) => mayWant(filter, ['message'], kind))).toEqual(wanted);
    expect(mayWant(filter, ['message.pinned', 'message'])).toBe(true);
    expect(mayWant(filter, ['message.pinned'])).toBe(false);
  });

  it('[EV1.1] a list names the chats, of whatever kind', () => {
    const filter = of(['-2001', '1002'], 'message');
    expect(wants(filter, { type: 'message', chatId: '-2001', kind: 'group' })).toBe(true);
    expect(wants(filter, { type: 'message', chatId: '1002', kind: 'user' })).toBe(true);
    expect(wants(filter, { type: 'message', chatId: '-1003001', kind: 'group' })).toBe(false);
    expect(wants(filter, { type: 'message.edited', chatId: '1002', kind: 'user' })).toBe(false);
    expect(kinds.every((kind) => mayWant(filter, ['message'], kind))).toBe(true);
  });

  it('[EV1.1] what is of no chat passes by its type alone', () => {
    for (const chats of [...chatScopes, ['1002']]) {
      expect(wants(of(chats, 'session.qr'), { type: 'session.qr' })).toBe(true);
      expect(wants(of(chats, 'message'), { type: 'session.qr' })).toBe(false);
    }
  });

  it('[KY5.5] what is of no chat does not pass a bound, nor what is of another chat', () => {
    const bound = { ...of(['1002'], 'message.deleted'), isBound: true as const };
    expect(wants(bound, { type: 'message.deleted', chatId: '1002', kind: 'user' })).toBe(true);
    expect(wants(bound, { type: 'message.deleted', chatId: '1003', kind: 'user' })).toBe(false);
    // The chat of a deleted message may not be known.
    expect(wants(bound, { type: 'message.deleted' })).toBe(false);
  });

  it('[EV1.1] one filter that wants an event is enough', () => {
    const filters = [of('groups', 'message'), of(['1002'], 'message.read')];
    expect(isWantedByAny(filters, { type: 'message', chatId: '-1', kind: 'group' })).toBe(true);
    expect(isWantedByAny(filters, { type: 'message.read', chatId: '1002', kind: 'user' })).toBe(true);
    expect(isWantedByAny(filters, { type: 'message', chatId: '1002', kind: 'user' })).toBe(false);
    expect(isWantedByAny([], { type: 'message', chatId: '1002', kind: 'user' })).toBe(false);
  });

  it('[EV1.1] a webhook can ask for all that is recorded, a reader for what is live too', () => {
    expect(eventTypes.filter((type) => !readerEventTypes.includes(type))).toEqual(['session.deleted']);
    expect(readerEventTypes.filter((type) => !webhookEventTypes.includes(type))).toEqual([
      'chat.typing',
      'user.status',
    ]);
    expect(eventTypes.filter(isLive)).toEqual(['chat.typing', 'user.status']);
  });
});
