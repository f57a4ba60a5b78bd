import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { newSessionId } from '../../../src/cluster/new-session-id.ts';
import { PartitionSet, partitionCount, partitionOf } from '../../../src/cluster/partitions.ts';
import { Placements, placementOf } from '../../../src/cluster/placement.ts';
import { systemRandomness } from '../../../src/config/clock.ts';

const partitions = Array.from({ length: partitionCount }, (_, partition) => partition);
const nodeNames = fc.uniqueArray(fc.stringMatching(/^[a-z0-9-]{1,12}$/), { minLength: 2, maxLength: 6 });

describe('partitions', () => {
  it.each([
    ['0192f3a4-7c1e-7b5a-9d2f-abcdef012345', 11],
    ['customer-42', 12],
    ['Zürich 東京', 46],
    ['', 11],
  ])('[CL2.1] %s is in one partition for ever', (text, partition) => {
    expect(partitionOf(text)).toBe(partition);
  });

  it('[CL2.1] each has its share of the sessions', () => {
    const counts = partitions.map(() => 0);
    for (let session = 0; session < 6_400; session += 1) {
      const partition = partitionOf(systemRandomness.uuid());
      counts[partition] = (counts[partition] ?? 0) + 1;
    }
    expect(Math.min(...counts)).toBeGreaterThan(40);
    expect(Math.max(...counts)).toBeLessThan(180);
  });

  it('[CL2.7] a set shows at once that a partition was removed', () => {
    const set = new PartitionSet([partitionOf('a'), partitionOf('b')]);
    expect([set.has('a'), set.remove(partitionOf('a')), set.has('a'), set.has('b')]).toEqual([true, true, false, true]);
    expect(set.numbers).toEqual([partitionOf('b')]);
  });

  it('[CL2.1] a new session is in a partition that is served, and in the one that is wanted', () => {
    const draw = (): string => systemRandomness.uuid();
    expect(newSessionId([], draw, undefined)).toBeUndefined();
    expect(newSessionId([3], draw, 4)).toBeUndefined();
    expect(partitionOf(newSessionId([3, 4], draw, 4) ?? '')).toBe(4);
    expect([3, 4]).toContain(partitionOf(newSessionId([3, 4], draw, undefined) ?? ''));
  });
});

describe('placement', () => {
  it('[CL4.1] depends on the names alone, not on their order', () => {
    fc.assert(
      fc.property(nodeNames, fc.nat(63), (names, partition) => {
        const placement = placementOf(partition, names);
        expect(placement.toSorted()).toEqual(names.toSorted());
        expect(placementOf(partition, names.toReversed())).toEqual(placement);
        expect(new Placements(names).of(partition)).toEqual(placement);
      }),
    );
  });

  it('[CL4.1] a node that goes leaves the order of the others as it is', () => {
    fc.assert(
      fc.property(nodeNames, fc.nat(63), (names, partition) => {
        const [gone, ...rest] = names;
        expect(placementOf(partition, rest)).toEqual(placementOf(partition, names).filter((name) => name !== gone));
      }),
    );
  });

  it.each([2, 3, 5])('[CL4.1] each of %i nodes has its share', (count) => {
    let least = partitionCount;
    for (let cluster = 0; cluster < 200; cluster += 1) {
      const names = Array.from({ length: count }, (_, node) => `gateway-${node}-${cluster}`);
      const firsts = partitions.map((partition) => placementOf(partition, names)[0]);
      for (const name of names) least = Math.min(least, firsts.filter((first) => first === name).length);
    }
    expect(least).toBeGreaterThan(partitionCount / count / 5);
  });
});
