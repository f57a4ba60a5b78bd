import type { Parked } from './outbox-progress.ts';
import { addSeq, countSeqs, cutRanges, joinRanges, type SeqRange, withoutRanges } from './seq-ranges.ts';

/** For one reason: keeps the checkpoint small. Deliveries beyond it can be replayed, but are not listed. */
const maxRanges = 5_000;

/** Adds a delivery. If its reason has too many ranges, the oldest one is dropped. */
export function addParked(parked: readonly Parked[], error: string, seq: number): Parked[] {
  const known = parked.find((group) => group.error === error);
  const own = { error, ranges: addSeq(known?.ranges ?? [], seq).slice(-maxRanges) };
  return [...parked.filter((group) => group !== known), own];
}

/** Why a delivery was given up; undefined if it was not. */
export const parkedReason = (parked: readonly Parked[], seq: number): string | undefined =>
  parked.find(({ ranges }) => ranges.some(([first, last]) => seq >= first && seq <= last))?.error;

/** The lowest number of a parked delivery, from `from` on. */
export function nextParked(parked: readonly Parked[], from: number): number | undefined {
  let next: number | undefined;
  for (const { ranges } of parked) {
    for (const [first, last] of ranges) {
      if (last >= from) next = Math.min(next ?? Infinity, Math.max(first, from));
    }
  }
  return next;
}

export const countParked = (parked: readonly Parked[]): number =>
  parked.reduce((sum, { ranges }) => sum + countSeqs(ranges), 0);

/** The deliveries with numbers from `from` on and before `before`. */
export const cutParked = (parked: readonly Parked[], from: number, before: number): Parked[] =>
  parked
    .map(({ error, ranges }) => ({ error, ranges: cutRanges(ranges, from, before) }))
    .filter(({ ranges }) => ranges.length > 0);

/** The numbers of all parked deliveries. */
export const parkedRanges = (parked: readonly Parked[]): SeqRange[] =>
  joinRanges(parked.flatMap(({ ranges }) => ranges));

/** The deliveries without these numbers. */
export const withoutParked = (parked: readonly Parked[], others: readonly SeqRange[]): Parked[] =>
  parked
    .map(({ error, ranges }) => ({ error, ranges: withoutRanges(ranges, others) }))
    .filter(({ ranges }) => ranges.length > 0);
