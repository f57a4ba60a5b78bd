import { describe, expect, it } from 'vitest';
import { deliveryState } from '../../../../src/webhook/list/delivery-state.ts';
import { statusIn } from '../../../../src/webhook/stream/attempt-errors.ts';
import type { DeliveryMetadata } from '../../../../src/webhook/stream/delivery-events.ts';
import { outboxCodec, progressOf, storedProgress } from '../../../../src/webhook/stream/outbox-codec.ts';
import { emptyProgress, type OutboxProgress } from '../../../../src/webhook/stream/outbox-progress.ts';

const failing = { attempts: 3, since: 0, nextAt: 900, error: 'it answered with status 503' };
const progress: OutboxProgress = {
  ...emptyProgress,
  upTo: { seq: 6, revision: 5 },
  chats: { a: { from: 2, count: 2, failing }, b: { from: 4, count: 1 } },
  parked: [
    { error: 'it answered with status 500', ranges: [[2, 2]] },
    { error: 'its content cannot be opened', ranges: [[4, 4]] },
  ],
  retried: [[1, 2]],
};
const event = (revision: number, chat = 'c', more: Partial<DeliveryMetadata> = {}) => {
  const metadata = {
    at: 0,
    seq: revision + 1,
    chat,
    login: 1,
    since: 0,
    position: { pts: 1, qts: 0, date: 0 },
    ...more,
  };
  return { type: 'MessageReceived' as const, revision, metadata };
};
const state = (...of: Parameters<typeof event>) => deliveryState(event(...of), '0', progress);

describe('what became of a delivery', () => {
  it('[OS4.1] is pending from the first one of a chat that is behind, and after the place of the others', () => {
    const first = { status: 'pending', attempts: 3, error: failing.error, nextAt: 900 };
    expect(state(2, 'a')).toEqual(first);
    expect(state(3, 'a')).toEqual({ ...first, attempts: 0, error: '' });
    expect(state(4, 'b')).toEqual({ status: 'pending', attempts: 0, error: '', nextAt: undefined });
    expect(state(6)).toMatchObject({ status: 'pending' });
    expect(state(6, 'a')).toMatchObject({ status: 'pending', attempts: 0, nextAt: 900 });
  });

  it('[OS4.1] is delivered, or parked with its reason, before', () => {
    expect(state(0)).toEqual({ status: 'delivered', attempts: 2, error: '', nextAt: undefined });
    expect(state(5)).toEqual({ status: 'delivered', attempts: 1, error: '', nextAt: undefined });
    expect(state(1)).toEqual({
      status: 'parked',
      attempts: 1,
      error: 'it answered with status 500',
      nextAt: undefined,
    });
    expect(state(3)).toMatchObject({ status: 'parked', attempts: 0 });
    expect(state(0, 'c', { places: { '0': [0, 0] } })).toBeUndefined();
    expect(deliveryState({ ...event(0), type: 'RecordingStarted' }, '0', progress)).toBeUndefined();
  });

  it('[OS4.1] the status of a response is in its reason', () => {
    expect(['it answered with status 503', 'no response within 10 s'].map(statusIn)).toEqual([503, 0]);
  });
});

it('[OS4.2] why chats fail is stored once for all of them', () => {
  const stored = storedProgress(progress);
  expect(stored).toMatchObject({ chats: { a: [2, 2, 3, 0, 900, 0], b: [4, 1] }, errors: [failing.error] });
  const recorded = { stream: 'outbox-s1', revision: 0, position: 0n, id: 'x', created: 0, type: 'OutboxMoved' };
  const metadata = outboxCodec.stamp({ at: 0 });
  expect(outboxCodec.decode({ ...recorded, data: JSON.parse(JSON.stringify(stored)), metadata })).toMatchObject({
    data: stored,
  });
  expect(progressOf(stored)).toEqual(progress);
  const chats = Object.fromEntries(
    Array.from({ length: 101 }, (_, index) => [
      String(index),
      { from: index, count: 1, failing: { ...failing, error: `error ${index}` } },
    ]),
  );
  const many = storedProgress({ ...progress, chats });
  expect([many.errors?.length, many.chats['100']]).toEqual([100, [100, 1, 3, 0, 900]]);
});
