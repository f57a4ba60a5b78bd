import { expect, it } from 'vitest';
import type { OwnedPart } from '../../../../src/cluster/owned-part.ts';
import { PartitionSet, partitionOf } from '../../../../src/cluster/partitions.ts';
import { type OwnedPartsDeps, registerParts } from '../../../../src/compose/cluster/owned-parts.ts';
import { KeysInUse } from '../../../../src/telegram/login/keys-in-use.ts';

it('[CL5.8] which keys the sessions of a partition had is forgotten before they are loaded', async () => {
  const keys = new KeysInUse();
  const back = { id: 'a session of the partition', dc: 2, key: Buffer.alloc(256, 1) };
  const stayed = { id: 'a session that stayed', dc: 2, key: Buffer.alloc(256, 2) };
  for (const { id, key } of [back, stayed]) keys.note(id, [key]);
  const areFree: boolean[] = [];
  const part: OwnedPart = { take: () => Promise.resolve(), release: () => Promise.resolve() };
  const nothing = (): void => {};
  const deps = {
    vault: { forget: nothing },
    keysInUse: keys,
    features: { keyedSends: { forget: nothing }, paces: { forget: nothing }, typing: {} },
    webhooks: { readers: part, follower: part, deliveries: part, operatorWebhooks: part },
    sessions: {
      async take() {
        for (const login of [back, stayed]) areFree.push(await keys.take('a new session', login));
      },
    },
    links: { start: nothing },
    views: { waitFor: () => Promise.resolve() },
    takenUpTo: () => 0n,
  } as unknown as OwnedPartsDeps;
  const parts: OwnedPart[] = [];
  registerParts({ register: (registered) => void parts.push(registered) }, deps);
  for (const registered of parts) await registered.take(new PartitionSet([partitionOf(back.id)]));
  expect(areFree).toEqual([true, false]);
});
