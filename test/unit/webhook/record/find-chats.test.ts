import { beforeEach, describe, expect, it } from 'vitest';
import type { Unreadable } from '../../../../actors/ports/event-codec.ts';
import type { EventStore } from '../../../../actors/ports/event-store.ts';
import type { Sealed } from '../../../../actors/ports/sealer.ts';
import { findChats } from '../../../../src/webhook/record/find-chats.ts';
import { openContent } from '../../../../src/webhook/record/open-content.ts';
import { withoutRecorded } from '../../../../src/webhook/record/unfinished-record.ts';
import type { RecordedDelivery } from '../../../../src/webhook/stream/delivery-codec.ts';
import { createDrivenClock } from '../../../support/kit/clock.ts';
import { createMemoryStore } from '../../../support/store/memory-store.ts';
import { appendDeliveries, type StreamEvent } from '../../../support/webhook/delivery-stream.ts';

let store: EventStore;
let opened: Sealed[];
let unreadable: Unreadable[];

beforeEach(() => {
  store = createMemoryStore(createDrivenClock());
  opened = [];
  unreadable = [];
});

const user = (name: string) => ({ id: name, name, username: '', phone: '' });
const message = (messageId: number, name: string, more: StreamEvent = {}): StreamEvent => ({
  content: JSON.stringify({ user: user(name) }),
  messageIds: [messageId],
  ...more,
});
const deps = () => ({
  store,
  reportUnreadable: (event: Unreadable) => void unreadable.push(event),
  sealer: {
    open: async (_session: string, sealed: Sealed) => {
      opened.push(sealed);
      return sealed === ('destroyed' as Sealed) ? undefined : sealed;
    },
  },
});
const find = async (login: number, ...ids: number[]): Promise<[number, string][]> =>
  Array.from(await findChats(deps(), 's1', login, ids), ([id, place]) => [id, place.user.name]);

describe('the chats of deleted messages', () => {
  it('[WH3.4] are those of the messages, edits and sent messages that are recorded', async () => {
    await appendDeliveries(store, [
      message(1, 'Bob'),
      message(2, 'Cara', { type: 'MessageSent' }),
      message(3, 'Bob'),
      message(2, 'Cara', { type: 'MessageEdited' }),
      { type: 'RecordingStarted' },
    ]);
    expect(await find(1, 1, 2, 9)).toEqual([
      [2, 'Cara'],
      [1, 'Bob'],
    ]);
    // Only what is about them is opened, and each message once.
    expect(opened).toHaveLength(2);
  });

  it('[WH3.4] are not those of another login: its messages have other numbers', async () => {
    await appendDeliveries(store, [message(1, 'Bob'), message(7, 'Cara', { login: 2 })]);
    expect(await find(2, 1, 7)).toEqual([[7, 'Cara']]);
    expect(await find(1, 1)).toEqual([]);
  });

  it('[WH3.4] are not looked for behind an older message', async () => {
    await appendDeliveries(store, [message(5, 'Bob'), message(3, 'Cara'), message(6, 'Bob')]);
    expect(await find(1, 5)).toEqual([]);
    expect(await find(1, 3)).toEqual([[3, 'Cara']]);
  });

  it('[FA7.3] are not known of a message whose content is gone, or cannot be read', async () => {
    await appendDeliveries(store, [
      message(1, 'Bob'),
      message(2, '', { content: 'destroyed' }),
      message(3, '', { content: 'no JSON' }),
    ]);
    expect(await find(1, 1, 2, 3)).toEqual([[1, 'Bob']]);
    expect(unreadable).toMatchObject([{ stream: 'delivery-s1', revision: 2, reason: 'wrong-shape' }]);
  });
});

it('[WH5.1] an event without content has none, and is not unreadable', async () => {
  const started = { type: 'RecordingStarted', data: {}, metadata: {} } as unknown as RecordedDelivery;
  expect([await openContent(deps(), 's1', started), opened, unreadable]).toEqual([undefined, [], []]);
});

const nameIn = (content: object): string => (content as { user: { name: string } }).user.name;

describe('what is left of a difference that was cut', () => {
  const draft = (name: string) => ({
    type: 'MessageSent' as const,
    content: { user: user(name) },
    messageIds: [1],
  });
  const left = async (): Promise<unknown[]> => {
    const drafts = await withoutRecorded(deps(), 's1', 1, [draft('Bob'), draft('Cara')]);
    return drafts.map((each) => ('content' in each ? nameIn(each.content) : each));
  };
  const unfinished = { type: 'MessageSent', unfinishedUpTo: 0 } as const;

  it('[WH5.2] leaves out what its first appends have recorded', async () => {
    await appendDeliveries(store, [message(9, 'Dan'), message(1, 'Bob', unfinished)]);
    expect(await left()).toEqual(['Cara']);
  });

  it('[WH5.2] is all of it if what is recorded is of a difference before it, or of another login', async () => {
    await appendDeliveries(store, [message(1, 'Bob', unfinished), message(9, 'Dan')]);
    expect(await left()).toEqual(['Bob', 'Cara']);
    await appendDeliveries(store, [message(1, 'Bob', { ...unfinished, login: 2 })]);
    expect(await left()).toEqual(['Bob', 'Cara']);
  });
});
