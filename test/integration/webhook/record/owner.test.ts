import { afterEach, beforeEach, expect, it } from 'vitest';
import { PartitionSet } from '../../../../src/cluster/partitions.ts';
import { followedStream, followedStreamOf } from '../../../../src/webhook/stream/followed-codec.ts';
import { World } from '../../../support/webhook/world.ts';

/** How often, at most, the place is saved. */
const saveMs = 5_000;

let world: World;
beforeEach(async () => {
  world = await new World().begin();
});
afterEach(() => world.end());

it('[CL2.9] saves no place in the log of sessions of which another process may act', async () => {
  await world.pass(saveMs);
  const saved = await world.store.last(followedStream);
  await world.session();
  world.isOwner = false;
  await world.pass(2 * saveMs);
  expect(await world.store.last(followedStream)).toEqual(saved);

  world.isOwner = true;
  await world.pass(6 * saveMs);
  expect((await world.store.last(followedStream))?.revision).toBe((saved?.revision ?? 0) + 1);
});

it('[CL2.9] saves no first place either, and ends with its release', async () => {
  world.isOwner = false;
  const batch = new PartitionSet([3]);
  const taken = world.follower.take(batch);
  await world.pass(saveMs);
  batch.remove(3);
  await world.follower.release(new PartitionSet([3]), true);
  await world.pass(saveMs);
  await taken;
  expect(await world.store.last(followedStreamOf(3))).toBeUndefined();
});
