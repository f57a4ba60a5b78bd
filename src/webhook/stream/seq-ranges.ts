/** Numbers from the first to the last one, both included. */
export type SeqRange = [first: number, last: number];

/** Adds a number to ranges that are in order and do not touch. */
export function addSeq(ranges: readonly SeqRange[], seq: number): SeqRange[] {
  const added: SeqRange[] = [];
  let own: SeqRange = [seq, seq];
  let isAdded = false;
  for (const [first, last] of ranges) {
    if (last < own[0] - 1) added.push([first, last]);
    else if (first > own[1] + 1) {
      if (!isAdded) added.push(own);
      isAdded = true;
      added.push([first, last]);
    } else own = [Math.min(own[0], first), Math.max(own[1], last)];
  }
  if (!isAdded) added.push(own);
  return added;
}

/** The part of the ranges from `from` on and before `before`. */
export function cutRanges(ranges: readonly SeqRange[], from: number, before: number): SeqRange[] {
  return ranges
    .map(([first, last]): SeqRange => [Math.max(first, from), Math.min(last, before - 1)])
    .filter(([first, last]) => first <= last);
}

export const countSeqs = (ranges: readonly SeqRange[]): number =>
  ranges.reduce((sum, [first, last]) => sum + last - first + 1, 0);
