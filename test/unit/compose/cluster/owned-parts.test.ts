import { describe, expect, it } from 'vitest';
import type { OwnedPart } from '../../../../src/cluster/owned-part.ts';
import { PartitionSet, partitionOf } from '../../../../src/cluster/partitions.ts';
import { type OwnedPartsDeps, registerParts } from '../../../../src/compose/cluster/owned-parts.ts';
import { KeysInUse } from '../../../../src/telegram/login/keys-in-use.ts';

const nothing = (): void => {};
const idle: OwnedPart = { take: () => Promise.resolve(), release: () => Promise.resolve() };

/** The parts in their order, where all others do nothing. */
function partsOf(given: object): OwnedPart[] {
  const deps = {
    vault: { forget: nothing },
    keysInUse: { forget: nothing },
    features: { keyedSends: { forget: nothing }, paces: { forget: nothing }, typing: {} },
    webhooks: { readers: idle, follower: idle, deliveries: idle, operatorWebhooks: idle },
    sessions: idle,
    links: { start: nothing },
    views: { waitFor: () => Promise.resolve() },
    takenUpTo: () => 0n,
    ...given,
  } as unknown as OwnedPartsDeps;
  const parts: OwnedPart[] = [];
  registerParts({ register: (registered) => void parts.push(registered) }, deps);
  return parts;
}

it('[CL5.8] which keys the sessions of a partition had is forgotten before they are loaded', async () => {
  const keys = new KeysInUse();
  const back = { id: 'a session of the partition', dc: 2, key: Buffer.alloc(256, 1) };
  const stayed = { id: 'a session that stayed', dc: 2, key: Buffer.alloc(256, 2) };
  for (const { id, key } of [back, stayed]) keys.note(id, [key]);
  const areFree: boolean[] = [];
  const parts = partsOf({
    keysInUse: keys,
    sessions: {
      async take() {
        for (const login of [back, stayed]) areFree.push(await keys.take('a new session', login));
      },
    },
  });
  for (const registered of parts) await registered.take(new PartitionSet([partitionOf(back.id)]));
  expect(areFree).toEqual([true, false]);
});

describe('views that are far behind', () => {
  const takes: string[] = [];
  const behind = {
    views: {
      waitFor: (_position: bigint, signal: AbortSignal) =>
        new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error))),
    },
    webhooks: {
      readers: idle,
      follower: idle,
      operatorWebhooks: idle,
      deliveries: { ...idle, take: async () => void takes.push('deliveries') },
    },
  };

  it('[CL4.3] are not waited for when all that is being taken is given up', async () => {
    const last = partsOf(behind).at(-1);
    const partitions = new PartitionSet([3, 5]);
    let hasEnded = false;
    const taking = last?.take(partitions).then(() => {
      hasEnded = true;
    });
    partitions.remove(3);
    await new Promise(setImmediate);
    expect(hasEnded).toBe(false);
    partitions.remove(5);
    await taking;
    expect(takes).toEqual([]);
  });

  it('[CL4.3] that fail otherwise are a failure', async () => {
    const last = partsOf({ views: { waitFor: () => Promise.reject(new Error('no views')) } }).at(-1);
    await expect(last?.take(new PartitionSet([3]))).rejects.toThrow('no views');
  });
});
