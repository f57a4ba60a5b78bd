import { describe, expect, it } from 'vitest';
import { pinnedSeeds } from './pinned-seeds.ts';
import { runSeed } from './run-seed.ts';
import { simulate } from './simulate.ts';

describe('pinned seeds', () => {
  it.each(pinnedSeeds)('$name (seed $seed)', async ({ seed }) => {
    await expect(runSeed(seed, { edges: new Map(), happened: new Map() })).resolves.toBeUndefined();
  });
});

describe('simulation', () => {
  simulate(1, 1000);
});
