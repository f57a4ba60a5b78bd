import { setTimeout as sleep } from 'node:timers/promises';
import { BACKWARDS, END, type KurrentDBClient, StreamNotFoundError } from '@kurrent/kurrentdb-client';
import { report } from '../../measurement.ts';
import type { ChildProgram } from '../../support/child-program.ts';
import { withLiveCluster } from '../../support/kurrent/live-cluster.ts';

/** What the leases and heartbeats of three nodes without a session cost. */
const seconds = 60;
/**
 * A process that has just started still compiles. 40 to 100 seconds after its start, when it has become idle, V8 collects its whole
 * heap once (0.8 s of CPU). Neither is what a lease costs.
 */
const restSeconds = 120;
const partitions = 64;

const { nodeMs, aloneMs, appends } = await withLiveCluster(3, async ({ nodes, alone, server }) => {
  const { bare, streamPrefix } = server;
  const leases = Array.from({ length: partitions }, (_value, number) => `${streamPrefix}lease-${number}`);
  const holders = await Promise.all(leases.map(async (lease) => (await lastEvent(bare, lease))?.node));
  const streams = [...leases, ...[...new Set(holders)].map((node) => `${streamPrefix}node-${node}`)];
  const programs = [...nodes, alone];
  await sleep(restSeconds * 1000);
  const before = await Promise.all(programs.map(cpuMs));
  const from = performance.now();
  const eventsBefore = await countEvents(bare, streams);
  await sleep(seconds * 1000);
  const events = (await countEvents(bare, streams)) - eventsBefore;
  const tookSeconds = (performance.now() - from) / 1000;
  const used = await Promise.all(programs.map(async (program, at) => (await cpuMs(program)) - (before[at] ?? 0)));
  return {
    nodeMs: Math.max(...used.slice(0, -1)) / tookSeconds,
    aloneMs: (used.at(-1) ?? NaN) / tookSeconds,
    appends: events / tookSeconds,
  };
});

report([
  {
    line: 'CPU of the busiest of three idle nodes − CPU of one idle gateway, of a core',
    value: (nodeMs - aloneMs) / 10,
    unit: '%',
    bar: { atMost: 1 },
    detail: `${(nodeMs / 10).toFixed(2)} − ${(aloneMs / 10).toFixed(2)} %, over ${seconds} s, ${restSeconds} s after the start; all on KurrentDB`,
  },
  {
    line: 'appends of three idle nodes: leases and heartbeats',
    value: appends,
    unit: '/s',
    bar: { atMost: 20 },
    detail: `counted in the streams, over ${seconds} s`,
  },
]);

async function cpuMs(program: ChildProgram): Promise<number> {
  return (await program.usage('cpu')).cpuMs;
}

/** How many events the streams have ever had. */
async function countEvents(client: KurrentDBClient, streams: readonly string[]): Promise<number> {
  const counts = await Promise.all(
    streams.map(async (stream) => ((await lastEvent(client, stream))?.revision ?? -1) + 1),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}

/** Undefined if the stream has none. @returns its revision, and the node that a lease names */
async function lastEvent(
  client: KurrentDBClient,
  stream: string,
): Promise<{ revision: number; node: string | undefined } | undefined> {
  const newest = { direction: BACKWARDS, fromRevision: END, maxCount: 1 } as const;
  try {
    for await (const { event } of client.readStream(stream, newest)) {
      if (event === undefined) continue;
      return { revision: Number(event.revision), node: (event.data as { node?: string }).node };
    }
  } catch (error) {
    if (!(error instanceof StreamNotFoundError)) throw error;
  }
  return undefined;
}
