import { expect, it } from 'vitest';
import type { EventStore } from '../../../actors/ports/event-store.ts';
import { sessionStream } from '../../../actors/session/events.ts';
import { SessionActivity } from '../../../projections/activity/activity.ts';
import { createProjectionRunner } from '../../../projections/projection-runner.ts';
import { UsageDays } from '../../../projections/usage/usage-days.ts';
import { usagePrefix, usageSumStream } from '../../../projections/usage/usage-events.ts';
import { sumUsage } from '../../../src/usage/sum-days.ts';
import { UsageRecorder } from '../../../src/usage/usage-recorder.ts';
import { createDrivenClock, createSeededRandomness } from '../../support/kit/clock.ts';
import { created, sessionEvent } from '../../support/projections/session-events.ts';
import { allReadable } from '../../support/store/all-readable.ts';
import { createMemoryStore } from '../../support/store/memory-store.ts';
import { createMemoryViewDatabase } from '../../support/store/memory-view-database.ts';

const dayMs = 24 * 60 * 60_000;
const clock = createDrivenClock();
const random = createSeededRandomness(5, clock);
const quiet = { info: () => {}, warn: () => {}, error: () => {} };
const fail = (error: unknown): never => {
  throw error;
};

/** The views, folded from all that the store has. */
async function fold(store: EventStore) {
  const usageDays = new UsageDays({ reportUnreadable: allReadable });
  const activity = new SessionActivity({ clock, reportUnreadable: allReadable });
  const views = createProjectionRunner({
    store,
    database: createMemoryViewDatabase(),
    clock,
    onError: fail,
    reportUnreadable: allReadable,
    sides: [usageDays, activity],
  });
  await views.start();
  return { usageDays, activity, views };
}

async function streamsOf(store: EventStore): Promise<string[]> {
  const found: string[] = [];
  for await (const { stream } of store.lastOfEach(usagePrefix)) found.push(stream);
  return found.toSorted();
}

it('[KY3.5] the seconds of a day become its sums 8 days later, and the counts stay the same, when they are folded anew too', async () => {
  const store = createMemoryStore(clock);
  await store.append(sessionStream('s-0'), 'any', [
    sessionEvent(random.uuid(), created, { to: 'qrPending', at: clock.now() }),
  ]);
  const ownersOf = (id: string) => ({ tenant: id === 's-1' ? 'acme' : 'other', key: 'k-1' });
  const day = (at: number): string => new Date(at).toISOString().slice(0, 10);
  const days: string[] = [];
  for (let index = 0; index < 12; index += 1) {
    days.push(day(clock.now()));
    // Two processes.
    for (const node of ['node-1', 'node-2']) {
      const usage = new UsageRecorder({ store, clock, random, node, ownersOf, log: quiet });
      for (const name of ['sent', 'delivered', 'sent'] as const) {
        usage.count('s-1', undefined, name);
        usage.count('s-2', 'k-2', name, index + 1);
        await clock.advance(1_000);
      }
      await usage.stop();
    }
    await clock.advance(dayMs - 6_000);
  }
  const live = await fold(store);
  const counted = ({ usageDays }: Pick<typeof live, 'usageDays'>) =>
    days.map((one) => usageDays.countedOn(one, undefined, 1_000));
  const before = { days: counted(live), week: live.activity.counted('7d', undefined).counts };
  expect(before.days[0]).toEqual([
    { session: 's-1', tenant: 'acme', key: 'k-1', sent: 4, delivered: 2 },
    { session: 's-2', tenant: 'other', key: 'k-2', sent: 4, delivered: 2 },
  ]);

  // A crash between the sums and the erasure of the seconds.
  const deps = { store, usageDays: live.usageDays, views: live.views, clock, random, node: 'node-1' };
  const broken = { ...deps, store: { ...bound(store), erase: () => Promise.reject(new Error('the disk is full')) } };
  await expect(sumUsage(broken)).rejects.toThrow('the disk is full');
  const half = await fold(store);
  expect(counted(half)).toEqual(before.days);

  expect(await sumUsage(deps)).toBe(4);
  expect(await sumUsage(deps)).toBe(0);
  await clock.settle();
  const streams = await streamsOf(store);
  expect(streams.filter((stream) => days.slice(0, 4).some((one) => stream.startsWith(`${usagePrefix}${one}`)))).toEqual(
    days.slice(0, 4).map(usageSumStream),
  );
  expect(streams).toHaveLength(4 + 8 * 2);
  for (const views of [live, half, await fold(store)]) {
    await clock.settle();
    expect(counted(views)).toEqual(before.days);
    expect(views.activity.counted('7d', undefined).counts).toEqual(before.week);
    await views.views.stop();
  }
  await store.close();
});

const bound = (store: EventStore): Pick<EventStore, 'append' | 'erase' | 'lastOfEach'> => ({
  append: (...args) => store.append(...args),
  erase: (stream) => store.erase(stream),
  lastOfEach: (prefix) => store.lastOfEach(prefix),
});
