import { expect, it } from 'vitest';
import { LightAbort } from '../../../../actors/kit/light-abort.ts';
import { leaseCodec, leaseStream } from '../../../../src/cluster/leases/lease-codec.ts';
import { findLiveNode } from '../../../../src/cluster/members/live-node.ts';
import { createDrivenClock, createSeededRandomness } from '../../../support/kit/clock.ts';
import { createMemoryStore } from '../../../support/store/memory-store.ts';

const lifeMs = 15_000;
/** Those that are looked at. */
const partitions = [0, 16, 32, 48];

function setUp() {
  const clock = createDrivenClock();
  const random = createSeededRandomness(1, clock);
  const store = createMemoryStore(clock);
  const write = async (partition: number, type: string, node = 'a'): Promise<void> => {
    const stream = leaseStream(partition);
    const data = type === 'LeaseReleased' ? { node } : { node, lifeMs };
    const expected = (await store.last(stream))?.revision ?? 'no-stream';
    await store.append(stream, expected, [
      { id: random.uuid(), type, data, metadata: leaseCodec.stamp({ at: clock.now() }) },
    ]);
  };
  const writeAll = async (type: string, node?: string): Promise<void> => {
    for (const partition of partitions) await write(partition, type, node);
  };
  /** What is found, and after how many milliseconds. */
  const find = async (): Promise<{ found: () => Promise<[string | undefined, number]> }> => {
    const from = clock.elapsed();
    const finding = findLiveNode(store, clock, new LightAbort()).then((node): [string | undefined, number] => [
      node,
      clock.elapsed() - from,
    ]);
    await clock.settle();
    return {
      found: async () => {
        for (let second = 0; second < 20; second += 1) await clock.advance(1_000);
        return finding;
      },
    };
  };
  return { clock, write, writeAll, find };
}

it('[CL1.6] a node that renews a lease is alive', async () => {
  const { clock, write, writeAll, find } = setUp();
  await writeAll('LeaseTaken');
  const { found } = await find();
  await clock.advance(4_500);
  await write(32, 'LeaseRenewed');
  expect(await found()).toEqual(['a', 5_000]);
});

it('[CL1.6] a node that gives its leases up is not', async () => {
  const { clock, writeAll, find } = setUp();
  await writeAll('LeaseTaken');
  const { found } = await find();
  await clock.advance(4_500);
  await writeAll('LeaseReleased');
  expect(await found()).toEqual([undefined, 5_000]);
});

it('[CL1.6] a node that takes what another one has given up is alive', async () => {
  const { clock, write, writeAll, find } = setUp();
  await writeAll('LeaseTaken');
  const { found } = await find();
  await clock.advance(4_500);
  await write(16, 'LeaseReleased');
  await write(16, 'LeaseTaken', 'b');
  expect(await found()).toEqual(['b', 5_000]);
});

it('[CL1.6] a node that renews nothing for a life is gone, and one that has released all is at once', async () => {
  const { writeAll, find } = setUp();
  expect(await (await find()).found()).toEqual([undefined, 0]);
  await writeAll('LeaseTaken');
  expect(await (await find()).found()).toEqual([undefined, lifeMs]);
  await writeAll('LeaseReleased');
  expect(await (await find()).found()).toEqual([undefined, 0]);
});

it('[CL1.4] a node whose leases cannot be read is alive as long as they change', async () => {
  const { clock, write, writeAll, find } = setUp();
  await writeAll('LeaseOfTomorrow');
  const { found } = await find();
  await clock.advance(4_500);
  await write(48, 'LeaseOfTomorrow');
  expect(await found()).toEqual(['a node of another version', 5_000]);
});
