import { expect, it } from 'vitest';
import { legalEdges } from '../actors/legal-transitions.ts';
import { type Coverage, runSeed, stepsPerSeed } from './run-seed.ts';
import type { Variant } from './variant.ts';

/** So many seeds take every legal transition: the rarest happens in one of sixty. */
const enoughForEachEdge = 200;

/** What must have happened over many seeds, beside every legal transition, for the run to prove anything. */
const mustHappen = [
  'append fails-before',
  'append fails-after',
  'append slow-before',
  'append slow-after',
  'append conflict',
  'outage',
  'crash',
  'crash with an append under way',
  'stop',
  'fenced',
  'shown as loading',
  'late deadline',
  'given up, yet recorded',
  'fact in order',
  'fact out of order',
  'fact twice',
  'reset answered',
  'delete answered',
  'webhook answered',
  'password answered',
  'webhook refused: StoreUnavailableError',
  'webhook refused: SessionNotActiveError',
  'webhook refused: SessionNotFoundError',
];

/** What a variant is about. */
const mustHappenIn: Record<Variant, readonly string[]> = {
  usual: [],
  'late commits': ['append commits-late'],
  'unreadable events': ['held'],
  'clock steps': ['clock set back', 'clock set forward'],
  rivals: [],
};

/** The tests of one range of seeds. */
export function simulate(from: number, count: number, variant: Variant = 'usual'): void {
  it(`holds its invariants after every one of ${stepsPerSeed} steps, ${count} times, from seed ${from} (${variant})`, async () => {
    const coverage: Coverage = { edges: new Map(), happened: new Map() };
    for (let seed = from; seed < from + count; seed += 1) await runSeed(seed, coverage, variant);
    if (count >= enoughForEachEdge) expect(legalEdges.filter((edge) => !coverage.edges.has(edge))).toEqual([]);
    expect([...coverage.edges.keys()].filter((edge) => !legalEdges.includes(edge))).toEqual([]);
    expect([...mustHappen, ...mustHappenIn[variant]].filter((name) => !coverage.happened.has(name))).toEqual([]);
  });
}
