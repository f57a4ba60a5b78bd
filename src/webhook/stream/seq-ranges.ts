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

/** Binary search. @param ranges in order */
export function hasSeq(ranges: readonly SeqRange[], seq: number): boolean {
  const next = firstSeq(ranges, seq);
  return next === seq;
}

/** The lowest number of the ranges from `from` on; undefined if there is none. @param ranges in order */
export function firstSeq(ranges: readonly SeqRange[], from: number): number | undefined {
  let low = 0;
  let high = ranges.length;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if ((ranges[middle]?.[1] ?? Infinity) < from) low = middle + 1;
    else high = middle;
  }
  const found = ranges[low];
  return found && Math.max(found[0], from);
}

/** All of these ranges, in order; those that touch are one. */
export function joinRanges(ranges: readonly SeqRange[]): SeqRange[] {
  const joined: SeqRange[] = [];
  for (const [first, last] of ranges.toSorted(([one], [other]) => one - other)) {
    const before = joined.at(-1);
    if (before !== undefined && first <= before[1] + 1) before[1] = Math.max(before[1], last);
    else joined.push([first, last]);
  }
  return joined;
}

/** The ranges without these numbers. @param others in order */
export function withoutRanges(ranges: readonly SeqRange[], others: readonly SeqRange[]): SeqRange[] {
  const rest: SeqRange[] = [];
  for (const [first, last] of ranges) {
    let from = first;
    for (const [otherFirst, otherLast] of others) {
      if (otherLast < from || otherFirst > last) continue;
      if (otherFirst > from) rest.push([from, otherFirst - 1]);
      from = otherLast + 1;
    }
    if (from <= last) rest.push([from, last]);
  }
  return rest;
}
