import { expect, it } from 'vitest';
import { runClusterSeed, stepsPerSeed } from './run-cluster-seed.ts';

/** What must have happened over many seeds for the run to prove anything. */
const mustHappen = [
  'join',
  'kill',
  'stop',
  'pause',
  'cut',
  'outage',
  'request lost',
  'request late',
  'request twice',
  'answer lost',
  'renewed',
  'lost',
  'taken over, released',
  'taken over, expired',
  'adopted',
  'acted',
];

/** The tests of one range of seeds. */
export function simulateNodes(from: number, count: number): void {
  it(`[CL2.4] [CL2.5] [CL2.6] [CL4.2] holds after every one of ${stepsPerSeed} steps, ${count} times, from seed ${from}`, async () => {
    const coverage = new Map<string, number>();
    for (let seed = from; seed < from + count; seed += 1) await runClusterSeed(seed, coverage);
    expect(mustHappen.filter((name) => !coverage.has(name))).toEqual([]);
  });
}
