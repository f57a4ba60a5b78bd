import { describe, expect, it } from 'vitest';
import {
  cutRanges,
  firstSeq,
  hasSeq,
  joinRanges,
  type SeqRange,
  withoutRanges,
} from '../../../../src/webhook/stream/seq-ranges.ts';

const numbersOf = (ranges: readonly SeqRange[]): number[] =>
  ranges.flatMap(([first, last]) => Array.from({ length: last - first + 1 }, (_, index) => first + index));

describe('ranges of numbers', () => {
  it('[OS4.4] are sets: all small ranges of numbers, joined, taken away, and looked into', () => {
    const all: SeqRange[] = [];
    for (let first = 1; first <= 4; first += 1) for (let last = first; last <= 4; last += 1) all.push([first, last]);
    for (const one of all) {
      for (const other of all) {
        const joined = joinRanges([other, one]);
        const set = new Set(numbersOf([one, other]));
        expect(numbersOf(joined)).toEqual([1, 2, 3, 4].filter((seq) => set.has(seq)));
        for (const third of all) {
          const rest = withoutRanges(joined, [third]);
          expect(numbersOf(rest)).toEqual(numbersOf(joined).filter((seq) => seq < third[0] || seq > third[1]));
          for (let seq = 0; seq <= 5; seq += 1) {
            expect(hasSeq(rest, seq)).toBe(numbersOf(rest).includes(seq));
            expect(firstSeq(rest, seq)).toBe(numbersOf(rest).find((number) => number >= seq));
          }
        }
      }
    }
  });

  it('[OS4.4] that touch are one, and several can be taken from one', () => {
    expect(
      joinRanges([
        [4, 5],
        [1, 1],
        [2, 3],
        [9, 9],
      ]),
    ).toEqual([
      [1, 5],
      [9, 9],
    ]);
    expect(
      withoutRanges(
        [[1, 9]],
        [
          [2, 3],
          [5, 5],
          [9, 12],
        ],
      ),
    ).toEqual([
      [1, 1],
      [4, 4],
      [6, 8],
    ]);
    expect(withoutRanges([[1, 9]], [])).toEqual([[1, 9]]);
    expect(
      cutRanges(
        [
          [1, 4],
          [6, 9],
        ],
        3,
        7,
      ),
    ).toEqual([
      [3, 4],
      [6, 6],
    ]);
  });
});
