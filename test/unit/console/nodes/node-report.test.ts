import { expect, it } from 'vitest';
import { heardAgo, type NodeDoc, nodesVerdict, partitionRanges } from '../../../../console/nodes/node-report.ts';

const started = '2026-01-05T08:15:00.000Z';
const node = (partitions: number[], more: Partial<NodeDoc> = {}): NodeDoc => ({
  name: 'one',
  self: false,
  url: 'http://10.0.0.11:3000',
  version: '1.0.0',
  started,
  heard: started,
  live: true,
  sessions: 0,
  partitions,
  ...more,
});
const numbers = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, index) => from + index);

it('[CL6.3] partitions are told as ranges', () => {
  expect(partitionRanges([])).toBe('');
  expect(partitionRanges([3])).toBe('3');
  expect(partitionRanges([0, 1, 2, 5, 7, 8])).toBe('0–2, 5, 7–8');
});

it('[CL6.3] it is told how long ago a node was heard of, by a clock that may be behind', () => {
  const now = Date.parse(started) + 4_900;
  expect(heardAgo(node([]), now)).toBe('heard of 4 s ago');
  expect(heardAgo(node([]), now - 60_000)).toBe('heard of 0 s ago');
  expect(heardAgo(node([], { self: true }), now)).toBe('answers this page');
});

it('[CL6.3] all is well if no node is gone and each partition has an owner', () => {
  const [first, second] = [node(numbers(0, 40)), node(numbers(40, 64))];
  expect(nodesVerdict([first, second])).toEqual({ text: '2 nodes, and each partition has an owner.', isWell: true });
  const gone = node(numbers(40, 64), { live: false, sessions: null });
  expect(nodesVerdict([first, gone])).toEqual({
    text: '1 node gone · 24 of 64 partitions without an owner',
    isWell: false,
  });
  expect(nodesVerdict([first, second, node([], { live: false })])).toEqual({ text: '1 node gone', isWell: false });
});
