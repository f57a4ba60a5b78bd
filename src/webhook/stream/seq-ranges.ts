/** Numbers from the first to the last one, both of them in it. */
export type SeqRange = [first: number, last: number];

/** Adds a number to ranges that are in order and apart from one another. */
export function addSeq(ranges: readonly SeqRange[], seq: number): SeqRange[] {
  const added: SeqRange[] = [];
  let own: SeqRange = [seq, seq];
  let isIn = false;
  for (const [first, last] of ranges) {
    if (last < own[0] - 1) added.push([first, last]);
    else if (first > own[1] + 1) {
      if (!isIn) added.push(own);
      isIn = true;
      added.push([first, last]);
    } else own = [Math.min(own[0], first), Math.max(own[1], last)];
  }
  if (!isIn) added.push(own);
  return added;
}

/** What of the ranges lies from `from` on and before `before`. */
export function cutRanges(ranges: readonly SeqRange[], from: number, before: number): SeqRange[] {
  return ranges
    .map(([first, last]): SeqRange => [Math.max(first, from), Math.min(last, before - 1)])
    .filter(([first, last]) => first <= last);
}

export const countSeqs = (ranges: readonly SeqRange[]): number =>
  ranges.reduce((sum, [first, last]) => sum + last - first + 1, 0);
