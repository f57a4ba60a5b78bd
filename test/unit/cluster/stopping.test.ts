import { describe, expect, it } from 'vitest';
import type { OwnedPart } from '../../../src/cluster/owned-part.ts';
import { lifeMs, setUpMemoryNodes } from '../../support/cluster/memory-nodes.ts';
import { createGate } from '../../support/kit/gate.ts';
import { createFaultyStore } from '../../support/store/faulty-store.ts';

/** As CL4.3 bounds it. */
const maxMs = 1_500;

/** Two nodes share the partitions. The second is cut off from the store, so that it loses what it has, and is told to stop. */
async function setUp() {
  const nodes = setUpMemoryNodes();
  let isHeld = false;
  const store = createFaultyStore(nodes.disk, () => (isHeld ? { kind: 'slow-before' } : undefined));
  const parts = createGate();
  const part: OwnedPart = { take: () => Promise.resolve(), release: () => parts.passed };
  const [first, second] = [await nodes.join('a'), await nodes.join('d', store, part)];
  await nodes.pass(2 * lifeMs);
  const share = second.served();
  expect(share.length).toBeGreaterThan(1);
  /** The parts of the second have released what they were told to. */
  const partsRelease = (): void => parts.open();
  /** Its appends reach the store later. */
  const hold = (): void => {
    isHeld = true;
  };
  const letGo = (): void => {
    isHeld = false;
    store.release();
  };
  /** The time of its leases is over, and the first has not taken them yet. */
  const untilLost = async (): Promise<void> => {
    while (share.some((partition) => second.ownsPartition(partition))) await nodes.pass(250);
  };
  /** The last events of its leases. */
  const ends = async (): Promise<unknown[]> =>
    Promise.all(share.map(async (partition) => (await nodes.disk.last(`lease-${partition}`))?.type));
  const renewed = share.map(() => 'LeaseRenewed');
  return { ...nodes, first, second, partsRelease, hold, letGo, untilLost, ends, renewed };
}

describe('[CL4.3] a node that stops gives up what it has lost, too: it may have been renewed late', () => {
  it('if it was lost before', async () => {
    const { first, second, hold, letGo, untilLost, partsRelease, takenOver } = await setUp();
    partsRelease();
    hold();
    await untilLost();
    const left = second.leave();
    letGo();
    expect(await takenOver(first)).toBeLessThanOrEqual(maxMs);
    await left;
  });

  it('if it was lost before, and is being dropped', async () => {
    const { first, second, hold, letGo, untilLost, partsRelease, pass, ends, renewed, takenOver } = await setUp();
    hold();
    await untilLost();
    const left = second.leave();
    letGo();
    await pass(1_000);
    // Its parts may still act.
    expect(await ends()).toEqual(renewed);
    partsRelease();
    expect(await takenOver(first)).toBeLessThanOrEqual(maxMs);
    await left;
  });

  it('if it is lost while it is being given up', async () => {
    const { first, second, hold, letGo, untilLost, partsRelease, pass, ends, renewed, takenOver } = await setUp();
    hold();
    await pass(lifeMs / 2);
    const left = second.leave();
    await untilLost();
    letGo();
    await pass(1_000);
    // Its parts may still act.
    expect(await ends()).toEqual(renewed);
    partsRelease();
    expect(await takenOver(first)).toBeLessThanOrEqual(maxMs);
    await left;
  });
});
