import { onTestFinished } from 'vitest';
import type { EventStore } from '../../../actors/ports/event-store.ts';
import { silentLog } from '../../../actors/ports/log.ts';
import { ClusterNodes } from '../../../src/cluster/cluster-nodes.ts';
import type { OwnedPart } from '../../../src/cluster/owned-part.ts';
import { createDrivenClock, createSeededRandomness } from '../kit/clock.ts';
import { allReadable } from '../store/all-readable.ts';
import { createMemoryStore } from '../store/memory-store.ts';

/** The life of a lease, in milliseconds. */
export const lifeMs = 15_000;
/** So few that a test is quick. */
export const partitions = 8;

/** Nodes on a store in memory, each of which may reach it in a way of its own. Their time is driven. */
export function setUpMemoryNodes() {
  const clock = createDrivenClock();
  const disk = createMemoryStore(clock);
  const join = async (name: string, store: EventStore = disk, part?: OwnedPart): Promise<ClusterNodes> => {
    const node = new ClusterNodes(
      {
        store,
        clock,
        random: createSeededRandomness(name.charCodeAt(0), clock),
        log: silentLog,
        reportUnreadable: allReadable,
        meter: { renewed: () => {}, tookOver: () => {}, lost: () => {} },
      },
      { self: { name, url: `http://${name}.test`, version: '1', startedAt: 1 }, partitions },
    );
    if (part !== undefined) node.register(part);
    onTestFinished(() => node.crash());
    await node.start();
    return node;
  };
  const pass = async (ms: number): Promise<void> => {
    for (let left = ms; left > 0; left -= 250) await clock.advance(Math.min(250, left));
  };
  /** How long it takes until the node has all partitions. */
  const takenOver = async (node: ClusterNodes): Promise<number> => {
    const from = clock.elapsed();
    while (node.served().length < partitions && clock.elapsed() - from < 4 * lifeMs) await clock.advance(50);
    return clock.elapsed() - from;
  };
  return { clock, disk, join, pass, takenOver };
}
