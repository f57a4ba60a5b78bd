import { setTimeout as sleep } from 'node:timers/promises';
import { type Measurement, report } from '../../measurement.ts';
import type { ChildProgram } from '../../support/child-program.ts';
import { jsonCall } from '../../support/json-call.ts';
import type { KurrentServer } from '../../support/kurrent/kurrent-server.ts';
import { withLiveCluster } from '../../support/kurrent/live-cluster.ts';
import { connectSessions, keepLogins } from '../../support/write-model.ts';

/** One of three nodes with 6,000 logged-in sessions is killed. Telegram refuses connections, so that the store is measured. */
const sessionCount = 6_000;
const createdPerBatch = 500;
/** `LEASE_SECONDS` if it is not set. */
const leaseSeconds = 15;
const pollMs = 50;

interface Node {
  self: boolean;
  live: boolean;
  sessions: number | null;
  partitions: number[];
}

const seconds = await withLiveCluster(
  3,
  async ({ nodes }) => {
    await haveAll(nodes);
    const [killed, ...others] = nodes;
    const from = performance.now();
    await killed?.kill();
    await haveAll(others);
    return (performance.now() - from) / 1000;
  },
  async ({ sandbox, server }) => {
    await jsonCall('POST', `${sandbox.url}/network`, { body: { action: 'refuse' } });
    await recordSessions(server);
  },
);

report([
  {
    line: `takeover of what a killed node of three had, with ${sessionCount} sessions on all`,
    value: seconds,
    unit: 's',
    bar: { atMost: leaseSeconds + 5 },
    detail: `until the others act for all sessions; leases of ${leaseSeconds} s, Telegram refuses connections`,
  } satisfies Measurement,
]);

async function recordSessions({ openModel }: KurrentServer): Promise<void> {
  const model = await openModel();
  await model.sessions.start();
  for (let created = 0; created < sessionCount; created += createdPerBatch) {
    await keepLogins(model, await connectSessions(model, createdPerBatch));
  }
  await model.sessions.stop();
  await model.store.close();
}

/** Resolves when these nodes act for all sessions together, each by its own word. */
async function haveAll(nodes: readonly ChildProgram[]): Promise<void> {
  for (;;) {
    const own = await Promise.all(nodes.map(ownSessions));
    if (own.reduce((sum, count) => sum + count, 0) === sessionCount) return;
    await sleep(pollMs);
  }
}

async function ownSessions({ url }: ChildProgram): Promise<number> {
  const { docs } = await jsonCall<{ docs: Node[] }>('GET', `${url}/nodes`);
  return docs.find(({ self }) => self)?.sessions ?? 0;
}
