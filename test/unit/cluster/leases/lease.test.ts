import { expect, it } from 'vitest';
import { sleep } from '../../../../actors/kit/sleep.ts';
import type { Unreadable } from '../../../../actors/ports/event-codec.ts';
import { type EventStore, StoreUnavailableError } from '../../../../actors/ports/event-store.ts';
import { silentLog } from '../../../../actors/ports/log.ts';
import { Lease, type LeaseDeps } from '../../../../src/cluster/leases/lease.ts';
import { leaseTimes, nextRenewalAt } from '../../../../src/cluster/leases/lease-times.ts';
import { createDrivenClock, createSeededRandomness } from '../../../support/kit/clock.ts';
import { createFaultyStore, type Fault } from '../../../support/store/faulty-store.ts';
import { createMemoryStore, MemoryDisk } from '../../../support/store/memory-store.ts';

const lifeMs = 15_000;

function setUp() {
  const clock = createDrivenClock();
  const disk = new MemoryDisk();
  const below = createMemoryStore(clock, disk);
  const faults: (Fault | undefined)[] = [];
  const store = createFaultyStore(below, () => faults.shift());
  const random = createSeededRandomness(1, clock);
  const unreadable: Unreadable[] = [];
  const changed: string[] = [];
  const leaseOf = async (self: string, over: LeaseDeps['store'] = below): Promise<Lease> => {
    const lease = new Lease(
      {
        store: over,
        clock,
        random,
        log: silentLog,
        reportUnreadable: (event) => unreadable.push(event),
        times: leaseTimes(lifeMs),
        self,
        onChange: () => changed.push(self),
        onRenewed: () => {},
      },
      7,
    );
    await lease.read();
    return lease;
  };
  const taken = async (lease: Lease): Promise<Lease> => {
    lease.take();
    await clock.settle();
    return lease;
  };
  return { clock, disk, below, store, faults, unreadable, changed, leaseOf, taken };
}

it('[CL2.2] a holder acts for four fifths of a life from before its append, and renews from then on', async () => {
  const { clock, leaseOf, taken } = setUp();
  const lease = await taken(await leaseOf('a'));
  expect([lease.isOwned, lease.epoch]).toEqual([true, 0]);
  await clock.advance(lease.keepAt - clock.elapsed());
  lease.keep();
  await clock.advance(11_999);
  expect([lease.isOwned, lease.epoch]).toEqual([true, 0]);
  await clock.advance(1);
  expect(lease.isOwned).toBe(false);
  lease.keep();
  expect(lease.epoch).toBeUndefined();
});

it.each([
  [15_000, 12_000, 5_000],
  [5_000, 4_000, 1_667],
  [3_000, 2_000, 833],
  [1_000, 600, 250],
])(
  '[CL2.2] of a life of %i ms, a holder acts for %i and renews after %i: the last second is free',
  (life, act, renew) => {
    const { actMs, renewMs } = leaseTimes(life);
    expect([Math.round(actMs), Math.round(renewMs)]).toEqual([act, renew]);
  },
);

it('[CL2.2] the leases of a process are renewed in the same moments, at most a third of a life apart', async () => {
  const { clock, leaseOf, taken } = setUp();
  const early = await taken(await leaseOf('a'));
  const renewedAt = early.keepAt;
  expect(renewedAt - clock.elapsed()).toBeLessThanOrEqual(5_000);
  await clock.advance(renewedAt - clock.elapsed() - 1);
  const late = await taken(await leaseOf('a', createMemoryStore(clock)));
  expect(late.keepAt).toBe(renewedAt);
  await clock.advance(1);
  for (const lease of [early, late]) lease.keep();
  await clock.settle();
  expect([early.keepAt, late.keepAt]).toEqual([renewedAt + 5_000, renewedAt + 5_000]);
});

it('[CL2.2] the next renewal is later than the one before, whatever rounding does', () => {
  let least = Infinity;
  for (let life = 1_000; life <= 20_000; life += 37) {
    const times = leaseTimes(life);
    for (let at = 0, renewals = 0; renewals < 500; renewals += 1) {
      const next = nextRenewalAt(times, at);
      least = Math.min(least, (next - at) / times.renewMs);
      at = next;
    }
  }
  expect(least).toBeCloseTo(1);
});

it('[CL2.2] an answer that comes after that time gives nothing', async () => {
  const { clock, store, faults, leaseOf } = setUp();
  const lease = await leaseOf('a', store);
  faults.push({ kind: 'slow-after' });
  lease.take();
  await clock.advance(12_000);
  store.release();
  await clock.settle();
  expect([lease.isOwned, lease.epoch]).toEqual([false, undefined]);
});

it('[CL2.2] a lease whose time was over for a moment is lost, also if a renewal that began before is recorded', async () => {
  const { clock, store, faults, leaseOf, taken } = setUp();
  const lease = await taken(await leaseOf('a', store));
  const takenAt = clock.elapsed();
  await clock.advance(lease.keepAt - takenAt);
  faults.push({ kind: 'slow-after' });
  lease.keep();
  // Nobody looks at the lease when its time is over: the process is busy.
  await clock.advance(takenAt + 12_000 - clock.elapsed());
  expect(lease.isOwned).toBe(false);
  store.release();
  await clock.settle();
  expect([lease.isOwned, lease.epoch]).toEqual([false, undefined]);
  await taken(lease);
  expect([lease.isOwned, lease.epoch]).toEqual([true, 2]);
});

it('[CL2.2] a machine that was suspended has lost its leases, though its monotonic clock stood still', async () => {
  const { clock, changed, leaseOf, taken } = setUp();
  const lease = await taken(await leaseOf('a'));
  clock.setWallClockBy(11_999);
  expect(lease.isOwned).toBe(true);
  clock.setWallClockBy(1);
  changed.length = 0;
  expect([lease.isOwned, lease.isOwned, changed]).toEqual([false, false, ['a']]);
  // What has seen that has dropped its work.
  clock.setWallClockBy(-lifeMs);
  expect(lease.isOwned).toBe(false);
  lease.keep();
  expect(lease.epoch).toBeUndefined();
});

it('[CL2.3] another takes it after a whole life without a change, or when it is released', async () => {
  const { clock, leaseOf, taken } = setUp();
  const first = await taken(await leaseOf('a'));
  const second = await leaseOf('b');
  expect([second.otherHolder, second.freeAt - clock.elapsed()]).toEqual(['a', lifeMs]);
  await clock.advance(5_000);
  first.keep();
  await clock.settle();
  await second.read();
  expect(second.freeAt - clock.elapsed()).toBe(lifeMs);
  await first.release();
  await second.read();
  expect([first.isOwned, second.otherHolder, second.freeAt]).toEqual([false, undefined, clock.elapsed()]);
  await taken(second);
  expect([second.isOwned, second.epoch]).toEqual([true, 3]);
});

it('[CL2.6] what it released and nobody has taken, it takes again a second later', async () => {
  const { clock, leaseOf, taken } = setUp();
  const lease = await taken(await leaseOf('a'));
  await clock.advance(2_000);
  await lease.release();
  expect(lease.freeAt - clock.elapsed()).toBe(1_000);
});

it('[CL1.5] a renewal in time is no change, and the time of the next one is known before it ends', async () => {
  const { clock, changed, store, faults, leaseOf, taken } = setUp();
  const holder = await taken(await leaseOf('a', store));
  const other = await leaseOf('b');
  const changesSince = async (work: () => unknown): Promise<string[]> => {
    changed.length = 0;
    await work();
    await clock.settle();
    await other.read();
    return [...new Set(changed)];
  };
  await clock.advance(holder.keepAt - clock.elapsed());
  const renewed = await changesSince(() => {
    holder.keep();
    expect([holder.isBusy, holder.keepAt - clock.elapsed()]).toEqual([true, 5_000]);
  });
  const nextAt = holder.keepAt - clock.elapsed();
  await clock.advance(5_000);
  faults.push({ kind: 'fails-before' });
  const failed = await changesSince(() => holder.keep());
  const released = await changesSince(() => holder.release());
  const retaken = await changesSince(() => holder.take());
  expect([renewed, nextAt, failed, released, retaken]).toEqual([[], 5_000, ['a'], ['a', 'b'], ['a', 'b']]);
});

it('[CL1.5] a renewal that took so long that the next one is due is a change', async () => {
  const { clock, below, changed, leaseOf, taken } = setUp();
  const slowMs = 5_500;
  const slow: LeaseDeps['store'] = {
    last: (...call) => below.last(...call),
    truncate: (...call) => below.truncate(...call),
    append: async (...call) => {
      const recorded = await below.append(...call);
      if (recorded.revision > 0) await sleep(clock, slowMs);
      return recorded;
    },
  };
  const holder = await taken(await leaseOf('a', slow));
  await clock.advance(holder.keepAt - clock.elapsed());
  holder.keep();
  changed.length = 0;
  await clock.advance(slowMs - 1);
  expect([changed, holder.isBusy]).toEqual([[], true]);
  await clock.advance(1);
  expect([changed, holder.isOwned, holder.keepAt < clock.elapsed()]).toEqual([['a'], true, true]);
});

it('[CL2.3] of two who take it at the same time one has it', async () => {
  const { clock, leaseOf } = setUp();
  const [first, second] = [await leaseOf('a'), await leaseOf('b')];
  first.take();
  second.take();
  await clock.settle();
  expect([first.isOwned, second.isOwned, second.otherHolder]).toEqual([true, false, 'a']);
});

it('[CL2.4] an append without an answer is found in the stream', async () => {
  const { clock, store, faults, leaseOf, taken } = setUp();
  faults.push({ kind: 'fails-after' });
  const lease = await taken(await leaseOf('a', store));
  expect([lease.isOwned, lease.epoch]).toEqual([true, 0]);
  await clock.advance(5_000);
  faults.push({ kind: 'fails-before' });
  lease.keep();
  await clock.settle();
  expect(lease.keepAt - clock.elapsed()).toBe(1_000);
});

it('[CL2.4] a renewal that is recorded late counts from before its append', async () => {
  const { clock, store, faults, leaseOf, taken } = setUp();
  const lease = await taken(await leaseOf('a', store));
  await clock.advance(5_000);
  faults.push({ kind: 'commits-late' });
  lease.keep();
  await clock.advance(1_000);
  // It takes the place of the next one, which is refused.
  store.release();
  await clock.settle();
  lease.keep();
  await clock.settle();
  await clock.advance(10_999);
  expect(lease.isOwned).toBe(true);
  await clock.advance(1);
  expect(lease.isOwned).toBe(false);
});

it('[CL1.4] one that cannot be read is held by somebody, reported once, and free after a life', async () => {
  const { clock, disk, unreadable, leaseOf, taken } = setUp();
  for (let times = 0; times < 2; times += 1) {
    disk.plant('lease-7', { type: 'LeaseTaken', data: '{"holder":"b"}', metadata: '{"at":1,"version":9}' });
  }
  const lease = await leaseOf('a');
  await lease.read();
  expect([lease.otherHolder, lease.freeAt - clock.elapsed()]).toEqual([undefined, lifeMs]);
  disk.plant('lease-7', { type: 'LeaseTaken', data: 'no JSON', metadata: '{}' });
  await lease.read();
  expect(unreadable.map(({ stream, reason }) => [stream, reason])).toEqual([['lease-7', 'newer-version']]);
  await taken(lease);
  expect(lease.epoch).toBe(3);
});

it('[CL1.2] the events before the last are removed now and then', async () => {
  const { clock, below, leaseOf, taken } = setUp();
  const lease = await taken(await leaseOf('a'));
  for (let renewals = 0; renewals < 200; renewals += 1) {
    await clock.advance(5_000);
    lease.keep();
    await clock.settle();
  }
  let left = 0;
  for await (const _ of below.read('lease-7')) left += 1;
  expect([lease.isOwned, left < 100]).toEqual([true, true]);
});

it('[CL4.3] a release ends when the store does not answer', async () => {
  const { store, leaseOf, taken } = setUp();
  let isAway = false;
  const away: EventStore = {
    ...store,
    append: (...call) => (isAway ? Promise.reject(new StoreUnavailableError('away')) : store.append(...call)),
    last: (stream) => (isAway ? Promise.reject(new StoreUnavailableError('away')) : store.last(stream)),
  };
  const lease = await taken(await leaseOf('a', away));
  isAway = true;
  await lease.release();
  expect(lease.isOwned).toBe(false);
});

it('[CL1.8] what its holder tells counts only if it is new: an old word neither moves the end back nor keeps the lease', async () => {
  const { clock, leaseOf, taken } = setUp();
  const first = await taken(await leaseOf('a'));
  const second = await leaseOf('b');
  const { end: before } = second;
  await clock.advance(5_000);
  for (const old of [-1, 0]) second.hear(old, { name: 'a', lifeMs });
  expect(second.end).toEqual(before);
  first.keep();
  await clock.settle();
  second.hear(1, { name: 'a', lifeMs });
  expect([second.end?.revision, second.freeAt - clock.elapsed()]).toEqual([1, lifeMs]);
});
