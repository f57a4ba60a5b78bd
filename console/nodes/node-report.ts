import type { Nodes } from '../api/types.ts';
import { epochMs, formatCount, formatDuration } from '../parts/format.ts';

export type NodeDoc = Nodes['docs'][number];

const partitionCount = 64;

/** Partitions as people read them: `0–3, 7`. @param numbers in their order */
export function partitionRanges(numbers: readonly number[]): string {
  const ranges: { first: number; last: number }[] = [];
  for (const number of numbers) {
    const range = ranges.at(-1);
    if (range !== undefined && range.last === number - 1) range.last = number;
    else ranges.push({ first: number, last: number });
  }
  return ranges.map(({ first, last }) => (first === last ? String(first) : `${first}–${last}`)).join(', ');
}

/** How long before `now` the node was heard of, in words; that of the node that answers is no news. */
export const heardAgo = ({ self, heard }: NodeDoc, now: number): string =>
  self ? 'answers this page' : `heard of ${formatDuration(now - epochMs(heard))} ago`;

/** How the nodes are, in one line. */
export function nodesVerdict(nodes: readonly NodeDoc[]): { text: string; isWell: boolean } {
  const gone = nodes.filter(({ live }) => !live).length;
  const owned = nodes.flatMap(({ live, partitions }) => (live ? partitions : [])).length;
  const unowned = partitionCount - owned;
  const faults = [
    gone > 0 && `${formatCount(gone, 'node')} gone`,
    unowned > 0 && `${unowned} of ${partitionCount} partitions without an owner`,
  ].filter((fault) => fault !== false);
  if (faults.length > 0) return { text: faults.join(' · '), isWell: false };
  return { text: `${formatCount(nodes.length, 'node')}, and each partition has an owner.`, isWell: true };
}
