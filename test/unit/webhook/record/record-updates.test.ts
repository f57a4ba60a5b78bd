import { beforeEach, describe, expect, it } from 'vitest';
import { KeyedQueue } from '../../../../actors/kit/keyed-queue.ts';
import { UnreadableEventError } from '../../../../actors/ports/event-codec.ts';
import type { EventStore, NewEvent } from '../../../../actors/ports/event-store.ts';
import {
  type AccountUpdate,
  type ChatUser,
  RecordClosedError,
  RecordSupersededError,
  type UpdatePosition,
  type UpdateRecord,
} from '../../../../src/telegram/port/updates.ts';
import { defaultFilter, type EventFilter, mayWant } from '../../../../src/webhook/filter/event-filter.ts';
import { createWebhookRecording, type WebhookRecording } from '../../../../src/webhook/record/record-updates.ts';
import type { DeliveryContent, DeliveryMetadata } from '../../../../src/webhook/stream/delivery-events.ts';
import { placeKey } from '../../../../src/webhook/stream/place-marks.ts';
import { createPlainSealer } from '../../../support/actors/plain-sealer.ts';
import { createDrivenClock, createSeededRandomness, type DrivenClock } from '../../../support/kit/clock.ts';
import { allReadable } from '../../../support/store/all-readable.ts';
import { createFaultyStore, type Fault } from '../../../support/store/faulty-store.ts';
import { createMemoryStore } from '../../../support/store/memory-store.ts';

const bob: ChatUser = { id: '1002', name: 'Bob Stone', username: 'bobstone', phone: '' };
const cara: ChatUser = { id: '1003', name: 'Cara', username: '', phone: '' };
const id = 's1';
const stream = `delivery-${id}`;

let clock: DrivenClock;
let inner: EventStore;
/** What goes wrong with the next appends. */
let faults: (Fault | undefined)[];
/** The error with which the store refuses an append. */
let refuse: (events: readonly NewEvent[]) => Error | undefined;
let logged: string[];
let sealFails: Error | undefined;
let since: number | undefined;
let filters: EventFilter[];
let recording: WebhookRecording;
let record: UpdateRecord;

const at = (pts: number): UpdatePosition => ({ pts, qts: 0, date: 0 });
const message = (messageId: number, more: { user?: ChatUser; at?: number; text?: string } = {}): AccountUpdate => {
  const { user = bob, text = `text ${messageId}` } = more;
  const written = { id: messageId, chatId: user.id, created: 0, fromMe: false, text };
  return { type: 'message', at: more.at ?? clock.now(), missed: false, user, message: written };
};
const deletion = (...messageIds: number[]): AccountUpdate => ({
  type: 'message.deleted',
  at: undefined,
  missed: false,
  messageIds,
});
const read = (missed: boolean): AccountUpdate => ({
  type: 'message.read',
  at: undefined,
  missed,
  user: bob,
  upTo: 9,
  fromMe: false,
});

interface Kept {
  id: string;
  type: string;
  data: { content?: string };
  metadata: DeliveryMetadata;
  content: DeliveryContent['MessageReceived'] & DeliveryContent['MessagesDeleted'];
}

async function kept(): Promise<Kept[]> {
  const events: Kept[] = [];
  for await (const event of inner.read(stream)) {
    const data = event.data as Kept['data'];
    const text = data.content ?? '|{}';
    const content = JSON.parse(text.slice(text.indexOf('|') + 1)) as Kept['content'];
    events.push({
      id: event.id,
      type: event.type,
      data,
      metadata: event.metadata as unknown as DeliveryMetadata,
      content,
    });
  }
  return events;
}
const summary = async (): Promise<string[]> =>
  (await kept()).map(({ type, metadata }) => `${metadata.seq} ${type} ${(metadata.messageIds ?? []).join()}`.trim());

const open = (login = 1): UpdateRecord => recording.open(id, login, () => {});

beforeEach(async () => {
  clock = createDrivenClock();
  inner = createMemoryStore(clock);
  faults = [];
  refuse = () => undefined;
  logged = [];
  sealFails = undefined;
  since = clock.now();
  filters = [defaultFilter];
  const sealer = createPlainSealer();
  await sealer.createKey(id);
  const store = createFaultyStore(inner, () => faults.shift());
  recording = createWebhookRecording({
    store: {
      ...store,
      append: async (...append) => {
        const refusal = refuse(append[2]);
        if (refusal !== undefined) throw refusal;
        return store.append(...append);
      },
    },
    clock,
    random: createSeededRandomness(1, clock),
    log: {
      info: () => {},
      warn: (_fields, line) => void logged.push(line),
      error: (fields, line) => void logged.push([line, fields['update'], fields['reason']].join(' ')),
    },
    sealer: {
      ...sealer,
      seal: (...sealed) => (sealFails === undefined ? sealer.seal(...sealed) : Promise.reject(sealFails)),
      fingerprint: async (_id, text) => Buffer.from(`print of ${text}`),
    },
    wanted: {
      since: () => since,
      mayWant: (_id, types, kind) => filters.some((filter) => mayWant(filter, types, kind)),
      places: async () => filters.map((filter) => ({ key: placeKey(since ?? 0), since: since ?? 0, filter })),
    },
    writes: new KeyedQueue(),
    reportUnreadable: allReadable,
  });
  record = open();
});

describe('the record of a session', () => {
  it('[WH2.1] numbers what is delivered without a gap, and keeps the position with it', async () => {
    await record.record([], at(4), at(4));
    await record.record([message(1), message(2, { user: cara })], at(4), at(6));
    await record.record(
      [{ type: 'message.sent', at: undefined, missed: false, user: bob, messageId: 3 }],
      at(6),
      at(7),
    );
    await record.record([message(4)], at(7), at(8));
    expect(await summary()).toEqual([
      '0 RecordingStarted',
      '1 MessageReceived 1',
      '2 MessageReceived 2',
      '2 MessageSent 3',
      '3 MessageReceived 4',
    ]);
    const events = await kept();
    expect(events.map(({ metadata }) => metadata.position.pts)).toEqual([4, 6, 6, 7, 8]);
    expect(events[1]?.metadata).toMatchObject({
      login: 1,
      since,
      chat: Buffer.from('print of 1002').toString('base64url'),
    });
    expect(events[1]?.metadata.chat).not.toBe(events[2]?.metadata.chat);
    expect(await open().resume()).toEqual(at(8));
  });

  it('[WH5.1] records that it has begun once, however often Telegram tells that nothing has come', async () => {
    for (let time = 0; time < 3; time += 1) await record.record([], at(7), at(7 + time));
    expect(await summary()).toEqual(['0 RecordingStarted']);
  });

  it('[WH5.1] records nothing where there is no webhook', async () => {
    since = undefined;
    expect(record.isWanted).toBe(false);
    await record.record([message(1)], at(0), at(1));
    expect(await kept()).toEqual([]);
    expect(await record.resume()).toBeUndefined();
  });

  it('[WH5.1] leaves out what is from before the webhook, until it has begun', async () => {
    const before = (since ?? 0) - 1_000;
    await record.record([message(1, { at: before }), read(true), deletion(1)], at(0), at(3));
    expect(await kept()).toEqual([]);
    await record.record([message(2, { at: before + 1 }), read(false)], at(3), at(5));
    await record.record([message(3, { at: before }), read(true)], at(5), at(7));
    expect(await summary()).toEqual(['1 MessageReceived 2', '2 MessagesRead', '3 MessageReceived 3', '4 MessagesRead']);
  });

  it('[WH5.1] begins anew with another webhook, and with another login', async () => {
    await record.record([message(1)], at(0), at(1));
    await clock.advance(5_000);
    since = clock.now();
    await record.record([message(2, { at: since - 2_000 })], at(1), at(2));
    await record.record([], at(2), at(2));
    const next = open(2);
    expect(await next.resume()).toBeUndefined();
    await next.record([message(1, { at: since - 2_000 })], at(700), at(701));
    await next.record([message(5)], at(701), at(702));
    expect(await summary()).toEqual(['1 MessageReceived 1', '1 RecordingStarted', '2 MessageReceived 5']);
  });

  it('[WH3.4] tells of deletions in the private chats that it knows, each chat for itself', async () => {
    await record.record([message(1), message(2, { user: cara }), message(3), message(8)], at(0), at(4));
    await record.record([deletion(1, 2, 3, 7)], at(4), at(8));
    await record.record([message(9), deletion(9, 8)], at(8), at(11));
    await record.record([deletion(77)], at(11), at(12));
    const deleted = (await kept()).filter(({ type }) => type === 'MessagesDeleted');
    expect(deleted.map(({ content }) => [content.user.name, ...content.messageIds])).toEqual([
      ['Bob Stone', 1, 3],
      ['Cara', 2],
      ['Bob Stone', 9, 8],
    ]);
  });

  it('calls its session when a webhook has been set, until it is closed', () => {
    const calls: string[] = [];
    const first = recording.open(id, 1, () => calls.push('first'));
    recording.webhookSet(id);
    const second = recording.open(id, 2, () => calls.push('second'));
    first.close();
    recording.webhookSet(id);
    second.close();
    recording.webhookSet(id);
    expect(calls).toEqual(['first', 'second']);
  });
});

describe('a store that fails', () => {
  it.each(['fails-before', 'fails-after'] as const)('[WH4.1] is asked again, with the same IDs: %s', async (kind) => {
    await record.record([message(1)], at(0), at(1));
    faults = [{ kind }, { kind }, { kind }];
    const recorded = record.record([message(2), message(3)], at(1), at(3));
    await clock.advance(10_000);
    await recorded;
    await record.record([message(4)], at(3), at(4));
    expect(await summary()).toEqual([1, 2, 3, 4].map((number) => `${number} MessageReceived ${number}`));
    expect(new Set((await kept()).map((event) => event.id)).size).toBe(4);
  });

  it('[OP7.2] is logged once a minute, however often it is tried', async () => {
    faults = Array.from({ length: 1000 }, () => ({ kind: 'fails-before' }) as const);
    const recorded = record.record([message(1)], at(0), at(1));
    recorded.catch(() => {});
    const tries = (): number => 1000 - faults.length;
    await clock.advance(10 * 60_000);
    expect(tries()).toBeGreaterThan(20);
    expect(logged.length).toBeGreaterThanOrEqual(8);
    expect(logged.length).toBeLessThanOrEqual(11);
    record.close();
    await expect(recorded).rejects.toThrow(RecordClosedError);
  });

  it('[WH4.1] lets go of what is not recorded when it is closed', async () => {
    faults = Array.from({ length: 100 }, () => ({ kind: 'fails-before' }) as const);
    const recorded = record.record([message(1)], at(0), at(1));
    recorded.catch(() => {});
    await clock.advance(60_000);
    record.close();
    await expect(recorded).rejects.toThrow(RecordClosedError);
    expect(clock.armed()).toBe(0);
    expect(await kept()).toEqual([]);
  });

  it('[WH4.1] that another writer has appended to is given up, and read anew', async () => {
    await record.record([message(1)], at(0), at(1));
    const rival = open();
    await rival.record([message(2)], at(1), at(2));
    await expect(record.record([message(2)], at(1), at(2))).rejects.toThrow(RecordSupersededError);
    expect(await record.resume()).toEqual(at(2));
    await record.record([message(3)], at(2), at(3));
    expect(await summary()).toEqual([1, 2, 3].map((number) => `${number} MessageReceived ${number}`));
  });
});

describe('an update that cannot be recorded', () => {
  /** Left in what was read off Telegram: JSON has no form for it. */
  const big = 7n as unknown as number;
  const bigMessage = (): AccountUpdate => ({
    type: 'message',
    at: clock.now(),
    missed: false,
    user: bob,
    message: { id: 2, chatId: bob.id, created: big, fromMe: false, text: 'a secret' },
  });
  const unwritable: Record<string, () => AccountUpdate> = {
    message: bigMessage,
    'message.edited': () => ({ ...bigMessage(), type: 'message.edited' }) as AccountUpdate,
    'message.read': () => ({ ...read(false), upTo: big }) as AccountUpdate,
    'message.sent': () => ({ type: 'message.sent', at: undefined, missed: false, user: bob, messageId: big }),
  };

  it('[WH5.4] holds up no others if it is a deletion', async () => {
    await record.record([message(1), deletion(big, 1), message(3)], at(0), at(3));
    expect(await summary()).toEqual(['1 MessageReceived 1', '1 UpdateDropped', '2 MessageReceived 3']);
    expect((await kept())[1]?.data).toEqual({ dropped: { update: 'message.deleted', reason: 'not-serializable' } });
  });

  it('[FA7.2] is none because the vault of its session cannot be read: nothing is dropped', async () => {
    const unreadable = {
      kind: 'vault',
      stream: `vault-${id}`,
      revision: 0,
      position: 0n,
      reason: 'broken-json',
    } as const;
    sealFails = new UnreadableEventError(unreadable);
    await expect(record.record([message(1)], at(0), at(1))).rejects.toThrow(UnreadableEventError);
    expect(await kept()).toEqual([]);
  });

  it.each(Object.entries(unwritable))(
    '[WH5.4] holds up no others, and its type, chat and reason are recorded: %s',
    async (update, make) => {
      await record.record([message(1), make(), message(3)], at(0), at(3));
      expect(clock.armed()).toBe(0);
      expect(await summary()).toEqual(['1 MessageReceived 1', '1 UpdateDropped', '2 MessageReceived 3']);
      const events = await kept();
      expect(events[1]?.metadata).toMatchObject({ chat: events[0]?.metadata.chat, position: at(3) });
      expect(events[1]?.data).toEqual({ dropped: { update, reason: 'not-serializable' } });
      expect(JSON.stringify(events[1])).not.toContain('secret');
      expect(logged).toEqual([`an update cannot be recorded: it is dropped ${update} not-serializable`]);
      await record.record([message(4)], at(3), at(4));
      expect(await summary()).toContain('3 MessageReceived 4');
    },
  );

  it('[WH5.4] holds up no others if its chat is unknown', async () => {
    const withoutUser = { ...message(2), user: undefined } as unknown as AccountUpdate;
    const bigUser = message(3, { user: { ...bob, id: big as unknown as string } });
    await record.record([message(1), withoutUser, bigUser, deletion(1)], at(0), at(4));
    expect(await summary()).toEqual([
      '1 MessageReceived 1',
      '1 UpdateDropped',
      '1 UpdateDropped',
      '2 MessagesDeleted 1',
    ]);
    expect((await kept())[1]?.metadata).not.toHaveProperty('chat');
  });

  it('[WH5.4] holds up no others if the store refuses it, alone or among others', async () => {
    const refuses = (events: readonly NewEvent[]): boolean =>
      events.some(({ metadata }) => (metadata as unknown as DeliveryMetadata).messageIds?.includes(2));
    refuse = (events) => (refuses(events) ? new RangeError('an append is larger than the store takes') : undefined);
    await record.record([message(1), message(2), message(3)], at(0), at(3));
    await record.record([message(2)], at(3), at(4));
    await record.record([message(5)], at(4), at(5));
    expect(await summary()).toEqual([
      '1 MessageReceived 1',
      '1 UpdateDropped',
      '2 MessageReceived 3',
      '2 UpdateDropped',
      '3 MessageReceived 5',
    ]);
    const events = await kept();
    expect(events[1]?.data).toEqual({ dropped: { update: 'message', reason: 'not-written' } });
    expect(events.map(({ metadata }) => metadata.position.pts)).toEqual([0, 0, 3, 4, 5]);
    expect(await open().resume()).toEqual(at(5));
  });

  it('[WH5.4] is an error, not a wait, if not even that it was dropped can be recorded', async () => {
    refuse = () => new TypeError('a position that JSON has no form for');
    await expect(record.record([message(1)], at(0), at(1))).rejects.toThrow(TypeError);
    expect(clock.armed()).toBe(0);
  });
});

describe('more than one append can hold', () => {
  const long = 'x'.repeat(4_000);
  const many = (): AccountUpdate[] => Array.from({ length: 400 }, (_, index) => message(index + 1, { text: long }));

  it('[WH4.1] is several, and the position moves with the last', async () => {
    await record.record(many(), at(7), at(407));
    const events = await kept();
    expect(events.map(({ metadata }) => metadata.seq)).toEqual(events.map((_, index) => index + 1));
    const positions = events.map(({ metadata }) => metadata.position.pts);
    expect(new Set(positions)).toEqual(new Set([7, 407]));
    expect(positions.toSorted((one, other) => one - other)).toEqual(positions);
    expect(events.at(-1)?.metadata).not.toHaveProperty('unfinishedUpTo');
  });

  it('[WH5.2] does not come twice where the rest was lost in a crash', async () => {
    faults = [undefined, ...Array.from({ length: 50 }, () => ({ kind: 'fails-before' }) as const)];
    const cut = record.record(many(), at(7), at(407));
    cut.catch(() => {});
    await clock.settle();
    record.close();
    await expect(cut).rejects.toThrow(RecordClosedError);
    const half = (await kept()).length;
    expect(half).toBeGreaterThan(50);
    expect(half).toBeLessThan(400);

    faults = [];
    const next = open();
    expect(await next.resume()).toEqual(at(7));
    await next.record(many(), at(7), at(407));
    const events = await kept();
    expect(events.map(({ content }) => content.message.id)).toEqual(events.map((_, index) => index + 1));
    expect(events).toHaveLength(400);
    expect(events.map(({ metadata }) => metadata.seq)).toEqual(events.map((_, index) => index + 1));
    expect(await open().resume()).toEqual(at(407));
  });

  it('[WH5.2] has one event an update, also of edits, reads and deletions, where the rest was lost in a crash', async () => {
    const edit = (messageId: number, text = `edited ${messageId}`): AccountUpdate => ({
      type: 'message.edited',
      at: undefined,
      missed: true,
      user: bob,
      message: { id: messageId, chatId: bob.id, created: 0, fromMe: false, text },
    });
    const ids = Array.from({ length: 600 }, (_, index) => index + 1);
    await record.record([], at(7), at(7));
    const first = [...ids.map((each) => message(each)), read(true), deletion(3, 4), ...ids.map((each) => edit(each))];
    faults = [undefined, ...Array.from({ length: 50 }, () => ({ kind: 'fails-before' }) as const)];
    const cut = record.record(first, at(7), at(1209));
    cut.catch(() => {});
    await clock.settle();
    record.close();
    await expect(cut).rejects.toThrow(RecordClosedError);
    const before = await kept();
    const edits = before.filter(({ type }) => type === 'MessageEdited').length;
    expect(edits).toBeGreaterThan(5);
    expect(edits).toBeLessThan(600);

    faults = [];
    // Meanwhile messages have come, and one that was edited has been edited again; Bob has another name.
    const renamed = (update: AccountUpdate): AccountUpdate =>
      'user' in update ? { ...update, user: { ...bob, name: 'Bob Marble' } } : update;
    const next = open();
    await next.record(
      [
        ...ids.map((each) => message(each)),
        message(601),
        read(true),
        read(true),
        deletion(3, 4),
        ...ids.map((each) => edit(each, each === 5 ? 'edited again' : undefined)),
      ].map(renamed),
      at(7),
      at(1212),
    );
    const events = await kept();
    expect(events.slice(0, before.length)).toEqual(before);
    const added = (await summary()).slice(before.length).map((line) => line.replace(/^\d+ /, ''));
    expect(added).toEqual([
      'MessageReceived 601',
      'MessagesRead',
      'MessageEdited 5',
      ...ids.slice(edits).map((each) => `MessageEdited ${each}`),
    ]);
    expect(events.map(({ metadata }) => metadata.seq)).toEqual(events.map((_, index) => index));
    expect(await open().resume()).toEqual(at(1212));
  });
});
