import { describe, expect, it } from 'vitest';
import { pinnedSeeds } from '../support/simulation/pinned-seeds.ts';
import { runSeed } from '../support/simulation/run-seed.ts';
import { simulate } from '../support/simulation/simulate.ts';

describe('pinned seeds', () => {
  it.each(pinnedSeeds)('$name (seed $seed)', async ({ seed }) => {
    await expect(runSeed(seed, { edges: new Map(), happened: new Map() })).resolves.toBeUndefined();
  });
});

describe('simulation', () => {
  simulate(1, 40);
});
