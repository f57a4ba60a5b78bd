import { beforeEach, describe, expect, it } from 'vitest';
import { type EventStore, StoreUnavailableError } from '../../../actors/ports/event-store.ts';
import { usagePrefix } from '../../../projections/usage/usage-events.ts';
import { UsageRecorder } from '../../../src/usage/usage-recorder.ts';
import { createDrivenClock, createSeededRandomness, type DrivenClock } from '../../support/kit/clock.ts';
import { createMemoryStore } from '../../support/store/memory-store.ts';

let clock: DrivenClock;
let store: EventStore;
let isAway: boolean;
let recorder: UsageRecorder;
let errors: string[];

beforeEach(() => {
  clock = createDrivenClock({ startAt: Date.UTC(2026, 0, 1, 23, 59, 50) });
  store = createMemoryStore(clock);
  isAway = false;
  errors = [];
  recorder = new UsageRecorder({
    store: {
      append: async (...of) => {
        if (isAway) throw new StoreUnavailableError('is away');
        return store.append(...of);
      },
      last: (stream) => store.last(stream),
    },
    clock,
    random: createSeededRandomness(1, clock),
    node: 'n1',
    ownersOf: (id) => (id === 's-1' ? { tenant: 'acme', key: 'maker' } : {}),
    log: { info: () => {}, warn: () => {}, error: (_fields, message) => errors.push(message) },
  });
});

async function recordedRows(): Promise<object[][]> {
  const rows: object[][] = [];
  for await (const { data } of store.readAll({ prefixes: [usagePrefix] })) rows.push((data as { rows: object[] }).rows);
  return rows;
}

async function streams(): Promise<string[]> {
  const names = new Set<string>();
  for await (const { stream } of store.readAll({ prefixes: [usagePrefix] })) names.add(stream);
  return [...names];
}

describe('what is used', () => {
  it('[OS3.6] is one event for a second, with a row for each session and key', async () => {
    for (let count = 0; count < 100; count += 1) recorder.count('s-1', 'k-1', 'sent');
    recorder.count('s-1', undefined, 'notSent', 2);
    recorder.count('s-2', undefined, 'delivered');
    recorder.count('s-2', undefined, 'mediaBytes', 0);
    expect(await recordedRows()).toEqual([]);
    await clock.advance(1_000);
    expect(await recordedRows()).toEqual([
      [
        { session: 's-1', key: 'k-1', tenant: 'acme', sent: 100 },
        { session: 's-1', key: 'maker', tenant: 'acme', notSent: 2 },
        { session: 's-2', delivered: 1 },
      ],
    ]);
    await clock.advance(60_000);
    expect([(await recordedRows()).length, clock.armed()]).toEqual([1, 0]);
  });

  it('is in events of up to 1,000 rows, all of one append', async () => {
    for (let number = 0; number < 2_500; number += 1) recorder.count(`s-${number}`, undefined, 'sent');
    await clock.advance(1_000);
    expect((await recordedRows()).map(({ length }) => length)).toEqual([1_000, 1_000, 500]);
  });

  it('is in a stream for each day', async () => {
    recorder.count('s-1', undefined, 'sent');
    await clock.advance(1_000);
    recorder.count('s-1', undefined, 'sent');
    await clock.advance(1_000);
    recorder.count('s-1', undefined, 'sent');
    await clock.advance(30_000);
    recorder.count('s-1', undefined, 'sent');
    await clock.advance(1_000);
    expect((await streams()).map((name) => name.slice(0, 'usage-2026-01-01.'.length))).toEqual([
      'usage-2026-01-01.',
      'usage-2026-01-02.',
    ]);
  });

  it('[OS3.6] is recorded once, when the store is back', async () => {
    isAway = true;
    recorder.count('s-1', undefined, 'sent');
    await clock.advance(5_000);
    recorder.count('s-1', undefined, 'sent', 10);
    isAway = false;
    await clock.advance(3_000);
    expect(await recordedRows()).toMatchObject([[{ sent: 1 }], [{ sent: 10 }]]);
    expect(errors).toEqual([]);
  });

  it('[OS3.6] is recorded at a stop, and a stop does not wait for a store that is away', async () => {
    recorder.count('s-1', undefined, 'sent');
    await recorder.stop();
    expect(await recordedRows()).toMatchObject([[{ sent: 1 }]]);
    expect(clock.armed()).toBe(0);
  });

  it('is lost if the gateway stops while the store is away, with a line in the log', async () => {
    isAway = true;
    recorder.count('s-1', undefined, 'sent');
    await clock.advance(2_000);
    await recorder.stop();
    expect(errors).toEqual(['what was used in a second could not be recorded']);
    expect(clock.armed()).toBe(0);
  });
});
