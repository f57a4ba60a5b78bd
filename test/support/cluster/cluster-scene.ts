import { onTestFinished } from 'vitest';
import { silentLog } from '../../../actors/ports/log.ts';
import { ClusterNodes } from '../../../src/cluster/cluster-nodes.ts';
import type { OwnedPart } from '../../../src/cluster/owned-part.ts';
import { partitionCount, partitionOf } from '../../../src/cluster/partitions.ts';
import { createSeededRandomness } from '../kit/clock.ts';
import { passTime, settleNetwork, whileTimePasses } from '../kit/passing-time.ts';
import { allReadable } from '../store/all-readable.ts';
import { openKurrentScene } from '../store/kurrent-scene.ts';

/** A session in each partition. */
const sessions: readonly string[] = Array.from({ length: partitionCount }, (_, partition) => {
  for (let number = 0; ; number += 1) if (partitionOf(`session ${number}`) === partition) return `session ${number}`;
});

/** Several nodes in this process, on a KurrentDB server. Their time is driven. */
export async function openClusterScene() {
  const { clock, server, openStore } = await openKurrentScene();
  const nodes: ClusterNodes[] = [];
  const taken: { from: string; ms: number }[] = [];
  let renewals = 0;
  let losses = 0;

  return {
    clock,
    server,
    nodes,
    taken,
    get renewals() {
      return renewals;
    },
    /** Partitions whose lease ended while a node had them. */
    get losses() {
      return losses;
    },
    pass: (ms: number) => passTime(clock, ms),
    /** Lets time pass until the work has ended. */
    during: <T>(work: Promise<T>) => whileTimePasses(clock, work),
    async join(name: string, part?: OwnedPart): Promise<ClusterNodes> {
      const { store } = openStore();
      const node = new ClusterNodes(
        {
          store,
          clock,
          random: createSeededRandomness(nodes.length + 1, clock),
          log: silentLog,
          reportUnreadable: allReadable,
          meter: {
            renewed: () => {
              renewals += 1;
            },
            tookOver: (from, ms) => taken.push({ from, ms }),
            lost: () => {
              losses += 1;
            },
          },
        },
        { self: { name, url: `http://${name}.test`, version: '1.0.0', startedAt: clock.now() } },
      );
      if (part !== undefined) node.register(part);
      nodes.push(node);
      onTestFinished(() => node.crash());
      const started = node.start();
      await whileTimePasses(clock, started);
      return node;
    },
    /** How many partitions each of the nodes serves. */
    served: (...of: ClusterNodes[]) =>
      of.map((node) => sessions.filter((id) => node.placeOf(id).kind === 'here').length),
    /** Milliseconds until the test is true; it is looked at every 50. */
    async until(test: () => boolean, maxMs: number): Promise<number> {
      const from = clock.elapsed();
      await settleNetwork();
      while (!test() && clock.elapsed() - from < maxMs) await passTime(clock, 50);
      return clock.elapsed() - from;
    },
  };
}
