import { beforeEach, describe, expect, it } from 'vitest';
import type { EventStore, Json } from '../../../../actors/ports/event-store.ts';
import type { SessionView } from '../../../../projections/session-view.ts';
import { outboxWriter } from '../../../../src/webhook/deliver/outbox-checkpoint.ts';
import { findDueWebhooks } from '../../../../src/webhook/places/find-due-webhooks.ts';
import { listParked } from '../../../../src/webhook/stream/list-parked.ts';
import { outboxCodec, progressOf } from '../../../../src/webhook/stream/outbox-codec.ts';
import { emptyProgress, type OutboxProgress } from '../../../../src/webhook/stream/outbox-progress.ts';
import { rewind } from '../../../../src/webhook/stream/rewind.ts';
import { saveProgress } from '../../../../src/webhook/stream/stored-progress.ts';
import { createDrivenClock, createSeededRandomness } from '../../../support/kit/clock.ts';
import { allReadable } from '../../../support/store/all-readable.ts';
import { createMemoryStore } from '../../../support/store/memory-store.ts';
import { appendDeliveries } from '../../../support/webhook/delivery-stream.ts';

const clock = createDrivenClock();
const random = createSeededRandomness(1, clock);
let store: EventStore;

beforeEach(() => {
  store = createMemoryStore(clock);
});

const save = async (progress: Partial<OutboxProgress>): Promise<void> => {
  await saveProgress({ clock, random }, outboxWriter({ store }, 's1', 1), { ...emptyProgress, ...progress });
};
const upTo = (seq: number, revision = seq - 1): OutboxProgress['upTo'] => ({ seq, revision });

describe('a session that may have pending deliveries', () => {
  const webhook = { id: 's1', webhook: {}, webhookSince: 0 } as SessionView;
  const due = async (view: SessionView | undefined = webhook): Promise<string[]> =>
    (await findDueWebhooks({ store, views: { get: () => view } })).map(({ sessionId, slot }) => `${sessionId} ${slot}`);
  beforeEach(() => appendDeliveries(store, [{ chat: 'a' }, { chat: 'b' }]));

  it('[WH4.1] is one that has saved nothing', async () => {
    expect(await due()).toEqual(['s1 1']);
  });

  it('[WH4.1] is one with deliveries behind its progress, and none with all done', async () => {
    await save({ upTo: upTo(1) });
    expect(await due()).toEqual(['s1 1']);
    await save({ upTo: upTo(2) });
    expect(await due()).toEqual([]);
  });

  it('[WH4.1] is one that has only chats that wait', async () => {
    await save({ upTo: upTo(2), chats: { a: { from: 0, count: 1 } } });
    expect(await due()).toEqual(['s1 1']);
  });

  it('[FA7.3] is one whose progress cannot be read', async () => {
    await save({ upTo: upTo(2) });
    await store.append('outbox-s1', 'any', [{ id: 'x', type: 'Unknown', data: {}, metadata: {} }]);
    expect(await due()).toEqual(['s1 1']);
  });

  it('[WH4.6] is none without a webhook', async () => {
    expect(await due({} as SessionView)).toEqual([]);
  });
});

describe('the list of what is parked', () => {
  it('[WH1.3] leaves out what was delivered between, and what is behind the progress', async () => {
    await appendDeliveries(
      store,
      Array.from({ length: 6 }, () => ({ chat: 'a' })),
    );
    const parked: OutboxProgress['parked'] = [
      {
        error: 'one',
        ranges: [
          [1, 1],
          [3, 3],
          [6, 6],
        ],
      },
      { error: 'other', ranges: [[4, 4]] },
    ];
    const progress = { ...emptyProgress, upTo: upTo(5), parked };
    const list = async (after: number, limit: number): Promise<[number, string][]> => {
      const docs = await listParked({ store, reportUnreadable: allReadable }, 's1', progress, after, limit);
      return docs.map(({ seq, error }) => [seq, error]);
    };
    expect(await list(0, 10)).toEqual([
      [1, 'one'],
      [3, 'one'],
      [4, 'other'],
    ]);
    expect(await list(1, 1)).toEqual([[3, 'one']]);
    expect(await list(6, 10)).toEqual([]);
  });
});

describe('the progress that sends again', () => {
  it('[WH1.3] counts of each chat that waits what it has from its place on', async () => {
    const chats = ['a', 'b', 'a', 'b', 'c', 'c'];
    await appendDeliveries(store, [
      { type: 'RecordingStarted' },
      ...chats.map((chat) => ({ chat })),
      { type: 'MessageSent', chat: 'a' },
    ]);
    const progress: OutboxProgress = {
      ...emptyProgress,
      upTo: upTo(6, 7),
      chats: { a: { from: 1, count: 2 }, b: { from: 4, count: 1 }, c: { from: 6, count: 1 } },
      parked: [{ error: 'x', ranges: [[1, 6]] }],
    };
    expect(await rewind({ store, reportUnreadable: allReadable }, 's1', progress, 5)).toEqual({
      ...emptyProgress,
      upTo: { ...upTo(4, 4), count: 4 },
      chats: { a: { from: 1, count: 2 }, b: { from: 4, count: 1 } },
      parked: [{ error: 'x', ranges: [[1, 4]] }],
    });
  });

  it('[WH1.3] stays where it is for a number that has not been reached', async () => {
    await appendDeliveries(store, [{ chat: 'a' }, { chat: 'a' }, { chat: 'a' }]);
    const progress = { ...emptyProgress, upTo: upTo(2) };
    for (const from of [3, 4, 100]) {
      expect(await rewind({ store, reportUnreadable: allReadable }, 's1', progress, from)).toEqual(progress);
    }
  });
});

it('[FA7.6] the progress that a version with named fields has saved is read', () => {
  const failing = { attempts: 2, since: 5, nextAt: 9 };
  const progress: OutboxProgress = {
    ...emptyProgress,
    chats: { a: { from: 1, count: 2 }, b: { from: 3, count: 4, failing } },
  };
  const event = outboxCodec.decode({
    stream: 'outbox-s1',
    revision: 0,
    position: 0n,
    id: 'x',
    type: 'OutboxMoved',
    data: progress as unknown as Json,
    metadata: { at: 1 },
    created: 1,
  });
  expect(event).toMatchObject({ type: 'OutboxMoved', metadata: { at: 1 } });
  if (!('data' in event) || event.type !== 'OutboxMoved') throw new Error('it can be read');
  expect(progressOf(event.data)).toEqual(progress);
});
