/** Seeds that once broke a rule, by what they found. They run first, always. */
export const pinnedSeeds: { name: string; seed: number }[] = [
  { name: 'a node that was stopped while it joined went on saying that it was there', seed: 36 },
  { name: 'a heartbeat that was given up was recorded later, and taken for a fault', seed: 19 },
];
