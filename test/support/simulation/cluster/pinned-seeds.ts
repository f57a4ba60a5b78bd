/** Seeds that once broke a rule, by what they found. They run first, always. */
export const pinnedSeeds: { name: string; seed: number }[] = [
  { name: 'a node that was stopped while it joined went on saying that it was there', seed: 36 },
  { name: 'a heartbeat that was given up was recorded later, and taken for a fault', seed: 19 },
];

/**
 * Seeds in which a partition is without an owner for longer than its lease and 3 s allow; why is not known yet. No two
 * nodes act for it meanwhile. About one seed in 300 is such a seed, so only the first ones are run.
 */
export const slowSeeds = [3774, 3836, 4166, 4421, 4484];
