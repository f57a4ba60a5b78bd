import { describe, expect, it } from 'vitest';
import { partitionCount } from '../../../src/cluster/partitions.ts';
import { openClusterScene } from '../../support/cluster/cluster-scene.ts';

const total = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count, 0);

describe('three nodes on a KurrentDB server', () => {
  it('[CL4.2] [CL1.5] share the partitions, and append little when idle', async () => {
    const scene = await openClusterScene();
    const [a, b, c] = [await scene.join('a'), await scene.join('b'), await scene.join('c')];
    await scene.pass(30_000);
    const served = scene.served(a, b, c);
    expect(total(served)).toBe(partitionCount);
    expect(Math.min(...served)).toBeGreaterThan(partitionCount / 6);
    for (const node of [a, b, c]) {
      const reports = node.nodes().toSorted((one, other) => (one.name < other.name ? -1 : 1));
      expect(reports.map(({ name, isSelf }) => [name, isSelf])).toEqual(
        ['a', 'b', 'c'].map((name) => [name, name === node.self.name]),
      );
      expect(reports.map(({ partitions }) => partitions.length)).toEqual(served);
    }
    const before = scene.server.log.all.length;
    await scene.pass(60_000);
    const appends = scene.server.log.all.length - before;
    expect(appends).toBeGreaterThan(60 * (partitionCount / 5 - 1));
    expect(appends).toBeLessThanOrEqual(60 * 20);
    expect(scene.served(a, b, c)).toEqual(served);
    // What was given away was not lost.
    expect(scene.losses).toBe(0);
  });

  it('[CL2.6] have what a killed one had within the life of a lease and 3 seconds', async () => {
    const scene = await openClusterScene();
    const [a, b, c] = [await scene.join('a'), await scene.join('b'), await scene.join('c')];
    await scene.pass(30_000);
    c.crash();
    expect(total(scene.served(a, b))).toBeLessThan(partitionCount);
    const ms = await scene.until(() => total(scene.served(a, b)) === partitionCount, 30_000);
    expect(ms).toBeLessThanOrEqual(18_000);
    expect(scene.taken.some(({ from }) => from === 'expired')).toBe(true);
    await scene.pass(60_000);
    expect(scene.server.log.stream('node-c')?.events.at(-1)?.type).toBe('StreamErased');
    expect(a.nodes().map(({ name }) => name)).toEqual(['a', 'b']);
  });

  it('[CL4.3] [CL1.2] have what one that stops had within 1.5 seconds', async () => {
    const scene = await openClusterScene();
    const [a, b, c] = [await scene.join('a'), await scene.join('b'), await scene.join('c')];
    await scene.pass(30_000);
    const stopped = c.leave().then(() => c.end());
    const ms = await scene.until(() => total(scene.served(a, b)) === partitionCount, 5_000);
    expect(ms).toBeLessThanOrEqual(1_500);
    await scene.during(stopped);
    expect(scene.losses).toBe(0);
    expect(scene.server.log.stream('node-c')?.events.at(-1)?.type).toBe('StreamErased');
  });

  it('[CL2.2] [CL2.6] act for nobody while the server is away for long, and take up everything again', async () => {
    const scene = await openClusterScene();
    const [a, b] = [await scene.join('a'), await scene.join('b')];
    await scene.pass(20_000);
    await scene.server.stop();
    await scene.pass(20_000);
    expect(scene.served(a, b)).toEqual([0, 0]);
    await scene.server.start();
    const ms = await scene.until(() => total(scene.served(a, b)) === partitionCount, 30_000);
    expect(ms).toBeLessThanOrEqual(18_000);
  });
});
