import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foldRuns } from '../../../../../console/parts/events/event-runs.ts';

const isSame = (a: string, b: string): boolean => a === b;

describe('runs of events', () => {
  it('[CO7.2] folds neighbours that say the same, and only neighbours', () => {
    const runs = foldRuns(['QrIssued', 'QrIssued', 'LoggedIn', 'QrIssued'], isSame);
    expect(runs.map(({ first, events }) => [first, events.length])).toEqual([
      ['QrIssued', 2],
      ['LoggedIn', 1],
      ['QrIssued', 1],
    ]);
  });

  it('[CO7.2] loses none, and leaves no two neighbours that could be one run', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('a', 'b', 'c')), (events) => {
        const runs = foldRuns(events, isSame);
        expect(runs.flatMap((run) => run.events)).toEqual(events);
        for (const [index, { first }] of runs.entries()) expect(first).not.toBe(runs[index + 1]?.first);
      }),
    );
  });
});
