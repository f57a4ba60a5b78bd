import { describe, expect, it } from 'vitest';
import { pinnedSeeds } from '../support/simulation/cluster/pinned-seeds.ts';
import { runClusterSeed } from '../support/simulation/cluster/run-cluster-seed.ts';
import { simulateNodes } from '../support/simulation/cluster/simulate-nodes.ts';

describe('pinned seeds of several nodes', () => {
  it.each(pinnedSeeds)('$name (seed $seed)', async ({ seed }) => {
    await expect(runClusterSeed(seed, new Map())).resolves.toBeUndefined();
  });
});

describe('simulation of several nodes', () => {
  simulateNodes(1, 40);
});
