import { expect, it } from 'vitest';
import type { OwnedPart } from '../../../src/cluster/owned-part.ts';
import { leaveOthers } from '../../../src/compose/cluster/membership.ts';
import { openClusterScene } from '../../support/cluster/cluster-scene.ts';

it('[CL3.4] a node that cannot give everything up in time stops at once what it still does', async () => {
  const scene = await openClusterScene();
  let lost: readonly number[] = [];
  const part: OwnedPart = {
    take: () => Promise.resolve(),
    async release({ numbers }, isLost) {
      if (isLost) lost = numbers;
      // It waits for the store, which does not answer.
      else await new Promise(() => {});
    },
  };
  const node = await scene.join('a', part);
  await scene.until(() => node.isSettled, 10_000);
  await scene.during(leaveOthers(node, scene.clock));
  expect(lost).toHaveLength(64);
});
